import { describe, expect, it } from "vitest";
import { onlyPage } from "../../runtime/contract/index.ts";
import { readerToken } from "../../runtime/simulated/github/tokens.ts";
import { account, actor } from "./records/shared.ts";
import { factsOf } from "./support/case.ts";
import { label as makeLabel } from "./support/make.ts";
import { bad, good, list, usePlatform } from "./support/service.ts";
import { found, hello, repository } from "./support/world.ts";

// What the tables of the other files do not say: pages, fields, things that are not there.

const running = usePlatform();
const at = { owner: "octocat", repo: "hello-world" };
const empty = { owner: "octocat", repo: "empty" };

describe("an empty repository", () => {
  it.each(["commits", "branches", "tags", "releases", "labels", "issues", "pull_requests", "discussions", "milestones"])(
    "has an empty page of %s",
    async (entity) => {
      const tenon = await running.shared();
      const body = good(await tenon.run(entity, "list", empty));
      expect(body).toEqual({ data: [], meta: { has_next_page: false, end_cursor: null } });
    },
  );

  it("has an empty page of commits of a path", async () => {
    const tenon = await running.shared();
    const body = good(await tenon.run("commits", "list", { ...empty, path: "README.md" }));
    expect(body).toEqual({ data: [], meta: { has_next_page: false, end_cursor: null } });
  });

  it("has no stargazers, but a cursor", async () => {
    const tenon = await running.shared();
    const body = good(await tenon.run("stargazers", "list", empty));
    expect(body).toEqual({ data: [], meta: { has_next_page: false, end_cursor: "" } });
  });
});

describe("what does not exist", () => {
  const nobody = { owner: "octocat", repo: "no-such-repository" };
  const cases: [entity: string, action: string, params: object][] = [
    ["repositories", "get", nobody],
    ["repositories", "get", { owner: "monalisa", repo: "diary" }],
    ["repositories", "list", { username: "no-such-user" }],
    ["repositories", "list", { username: "tenon-labs" }],
    ["org_repositories", "list", { org: "octocat" }],
    ["branches", "list", nobody],
    ["branches", "get", { ...at, branch: "no-such-branch" }],
    ["branches", "get", { ...at, branch: "v1.0.0" }],
    ["commits", "list", nobody],
    ["commits", "get", { ...at, sha: "0123456789012345678901234567890123456789" }],
    ["commits", "get", { ...at, sha: "HEAD:README.md" }],
    ["releases", "list", nobody],
    ["releases", "get", { ...at, tag: "untested" }],
    ["issues", "list", nobody],
    ["issues", "get", { ...at, number: 2_000_000_000 }],
    ["issues", "get", { ...nobody, number: 1 }],
    ["comments", "list", { ...at, number: 2_000_000_000 }],
    ["comments", "get", { id: "IC_no_such_node" }],
    ["comments", "get", { id: "5" }],
    ["pull_requests", "list", nobody],
    ["pull_requests", "get", { ...at, number: 1 }],
    ["reviews", "list", { ...at, number: 1 }],
    ["pr_comments", "list", { ...at, number: 1 }],
    ["pr_comments", "get", { id: "PRRC_no_such_node" }],
    ["labels", "list", nobody],
    ["labels", "get", { ...at, name: "no such label" }],
    ["milestones", "list", nobody],
    ["milestones", "get", { ...at, number: 99 }],
    ["organizations", "get", { org: "octocat" }],
    ["organizations", "list", { username: "tenon-labs" }],
    ["users", "get", { username: "tenon-labs" }],
    ["users", "list", { org: "octocat" }],
    ["teams", "list", { org: "no-such-org" }],
    ["teams", "get", { org: "tenon-labs", team_slug: "no-such-team" }],
    ["tags", "list", nobody],
    ["tags", "get", { ...at, tag: "main" }],
    ["stargazers", "list", nobody],
    ["projects", "list", { org: "no-such-org" }],
    ["projects", "get", { org: "tenon-labs", project_number: 99 }],
    ["project_items", "list", { org: "tenon-labs", project_number: 99 }],
    ["discussions", "list", nobody],
    ["discussions", "get", { ...at, number: 1 }],
    ["file_content", "get", { ...at, path: "no/such/file" }],
    ["file_content", "get", { ...at, path: "src" }],
    ["file_content", "get", { ...at, path: "vendor/lib" }],
    ["file_content", "get", { ...at, path: "README.md", ref: "no-such-ref" }],
    ["file_content", "get", { ...empty, path: "README.md" }],
    ["directory_content", "list", { ...at, path: "no/such/directory" }],
    ["directory_content", "list", { ...at, path: "README.md" }],
    ["directory_content", "list", { ...at, path: "", ref: "no-such-ref" }],
  ];
  it.each(cases)("%s.%s with %j is 404", async (entity, action, params) => {
    const tenon = await running.shared();
    const problem = bad(await tenon.run(entity, action, params), 404, "not_found");
    expect(problem["errors"]).toEqual([]);
    expect(problem["retryable"]).toBe(false);
  });

  it("includes an object of another type", async () => {
    const tenon = await running.shared();
    const { world } = running.platform;
    const { issues, pullRequests } = hello(world);
    const comment = found(issues[0]?.comments[0]).id;
    const line = found(pullRequests.find((one) => one.reviewThreads.length > 0)?.reviewThreads[0]?.comments[0]).id;
    const ids = [found(issues[0]).id, hello(world).id, found(world.users[0]).id];
    for (const id of [...ids, line]) bad(await tenon.run("comments", "get", { id }), 404, "not_found");
    for (const id of [...ids, comment]) bad(await tenon.run("pr_comments", "get", { id }), 404, "not_found");
    // Even when no field of the record is asked for that the other kind has not.
    bad(await tenon.run("comments", "get", { id: line, fields: ["body"] }), 404, "not_found");
  });

  it("includes what the token may not see", async () => {
    const tenon = await running.start({ token: readerToken });
    bad(await tenon.run("repositories", "get", { owner: "octocat", repo: "secret-plans" }), 404, "not_found");
    const { data } = good(await tenon.run("repositories", "list", { username: "octocat", fields: ["name"] }));
    expect(list(data).map((one) => one["name"])).not.toContain("secret-plans");
  });
});

describe("pages", () => {
  it.each([
    ["issues", at, 30],
    ["commits", at, 30],
    ["project_items", { org: "tenon-labs", project_number: 1 }, 20],
  ])("of %s have a default size", async (entity, params, size) => {
    const tenon = await running.shared();
    expect(list(good(await tenon.run(entity, "list", params))["data"]).length).toBe(size);
    const asked = running.platform.requests.at(-1)?.body;
    expect(asked).toMatchObject({ variables: { first: size } });
  });

  it.each([
    ["issues", { query: "repo:octocat/hello-world" }],
    ["repositories", { query: "e" }],
  ])("of a search for %s have a default size", async (entity, params) => {
    const tenon = await running.shared();
    good(await tenon.run(entity, "api_search", params));
    expect(running.platform.requests.at(-1)?.body).toMatchObject({ variables: { first: 30 } });
  });

  it("start at the beginning with an empty cursor, which the platform would refuse", async () => {
    const tenon = await running.shared();
    const first = good(await tenon.run("issues", "list", { ...at, per_page: 3 }));
    expect(good(await tenon.run("issues", "list", { ...at, per_page: 3, after: "" }))).toEqual(first);
    const threads = {
      ...at,
      number: found(hello(running.platform.world).pullRequests.find((one) => one.reviewThreads.length > 1)).number,
    };
    const comments = good(await tenon.run("pr_comments", "list", threads));
    expect(good(await tenon.run("pr_comments", "list", { ...threads, after: "" }))).toEqual(comments);
    for (const { body } of running.platform.requests) expect(body).not.toHaveProperty(["variables", "after"]);
  });

  it("stay together while records are added before the cursor", async () => {
    const tenon = await running.shared();
    const first = good(await tenon.run("issues", "list", { ...at, per_page: 5, fields: ["number"] }));
    const before = list(good(await tenon.run("issues", "list", { ...at, per_page: 10, fields: ["number"] }))["data"]).slice(5);
    good(await tenon.run("issues", "create", { ...at, title: "Between two pages" }));
    const after = first["meta"]?.["end_cursor"];
    expect(good(await tenon.run("issues", "list", { ...at, per_page: 5, after, fields: ["number"] }))["data"]).toEqual(before);
  });
});

describe("fields", () => {
  const first = { ...at, number: 1 };
  const octocat = () => factsOf(running.platform).viewer.user;
  const picture = () => `https://avatars.githubusercontent.com/u/${octocat().databaseId}?v=4`;

  it.each([
    [
      ["state_reason", "created_at"],
      ["createdAt", "stateReason"],
    ],
    [
      ["stateReason", "created_at", "createdAt"],
      ["createdAt", "stateReason"],
    ],
  ])("%j may be written in snake_case and come back in camelCase", async (fields, keys) => {
    const tenon = await running.shared();
    const { data } = good(await tenon.run("issues", "get", { ...first, fields }));
    expect(Object.keys(data ?? {}).sort()).toEqual(keys);
  });

  const paths: [fields: unknown[], expected: () => unknown][] = [
    [["author.login"], () => ({ author: { login: "octocat" } })],
    [[["author", "login"]], () => ({ author: { login: "octocat" } })],
    [["author.login", "author.avatar_url"], () => ({ author: { login: "octocat", avatarUrl: picture() } })],
    [["author"], () => ({ author: actor(octocat()) })],
    [["author", "author.avatarUrl"], () => ({ author: { ...actor(octocat()), avatarUrl: picture() } })],
    [["author.avatarUrl", "author"], () => ({ author: { ...actor(octocat()), avatarUrl: picture() } })],
    [["milestone.title"], () => ({ milestone: milestoneTitle() })],
  ];
  const milestoneTitle = () => {
    const { milestone } = found(hello(running.platform.world).issues[0]);
    return milestone === null ? null : { title: milestone.title };
  };
  it.each(paths)("%j reach into objects", async (fields, expected) => {
    const tenon = await running.shared();
    expect(good(await tenon.run("issues", "get", { ...first, fields }))["data"]).toEqual(expected());
  });

  it("reach into the objects of a list", async () => {
    const tenon = await running.shared();
    const issue = found(hello(running.platform.world).issues.find((one) => one.assignees.length > 1 && one.labels.length > 1));
    const params = { ...at, number: issue.number, fields: ["assignees.name", "labels.color", "assignees.login"] };
    expect(good(await tenon.run("issues", "get", params))["data"]).toEqual({
      assignees: issue.assignees.map(({ name, login }) => ({ name, login })),
      labels: issue.labels.map(({ color }) => ({ color })),
    });
  });

  it("come in lists too, and only they are requested from the platform", async () => {
    const tenon = await running.shared();
    const { data } = good(await tenon.run("stargazers", "list", { ...at, fields: ["user.name"] }));
    expect(data).toEqual(
      [...hello(running.platform.world).stargazers].reverse().map(({ user }) => ({ user: { name: user.name } })),
    );
    const body: unknown = running.platform.requests.at(-1)?.body;
    expect(body).toHaveProperty("query", expect.not.stringContaining("starredAt"));
  });

  it("that are parameters still need the thing to exist", async () => {
    const tenon = await running.shared();
    const params = { ...at, path: "README.md", fields: ["path", "ref"] };
    expect(good(await tenon.run("file_content", "get", params))["data"]).toEqual({ path: "README.md", ref: "HEAD" });
    bad(await tenon.run("file_content", "get", { ...params, path: "NO.md" }), 404, "not_found");
  });

  it("leave the default documents without anything that needs a scope which few tokens have", async () => {
    const tenon = await running.start({ token: readerToken });
    for (const [entity, params] of [
      ["users", { username: "octocat" }],
      ["viewer", {}],
      ["issues", first],
    ] as const)
      good(await tenon.run(entity, "get", params));
  });
});

describe("nested lists", () => {
  it("that are cut are named in a warning", async () => {
    const tenon = await running.shared();
    const issue = found(hello(running.platform.world).issues[1]);
    issue.labels = Array.from({ length: 105 }, (_, index) => makeLabel(issue.repository, `label ${index}`));
    const warning = { path: "data.labels", code: "list_cut", message: expect.any(String) };
    const { data, meta } = good(await tenon.run("issues", "get", { ...at, number: issue.number }));
    expect(list(data?.["labels"]).length).toBe(100);
    expect(meta).toEqual({ ...onlyPage, warnings: [warning] });
    const last = good(await tenon.run("issues", "api_search", { query: `repo:octocat/hello-world "${issue.title}"` }));
    const place = list(last["data"]).findIndex((one) => Number(one["number"]) === issue.number);
    expect(last["meta"]?.["warnings"]).toEqual([{ ...warning, path: `data.${place}.labels` }]);
  });

  it("that are complete are not", async () => {
    const tenon = await running.shared();
    const issue = found(hello(running.platform.world).issues[1]);
    issue.labels = Array.from({ length: 100 }, (_, index) => makeLabel(issue.repository, `label ${index}`));
    expect(good(await tenon.run("issues", "get", { ...at, number: issue.number }))["meta"]).toEqual(onlyPage);
  });
});

describe("names that changed", () => {
  it("are followed, and records have the new name", async () => {
    const tenon = await running.shared();
    const { world, url } = running.platform;
    const moved = repository(world, "octocat/renamed-notes");
    const { data } = good(
      await tenon.run("labels", "list", { owner: "octocat", repo: "old-notes", fields: ["name", "url", "repository"] }),
    );
    expect(data).toEqual(
      [...moved.labels]
        .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
        .map(({ name }) => ({
          repository: "octocat/renamed-notes",
          name,
          url: `${url}/repos/octocat/renamed-notes/labels/${encodeURIComponent(name)}`,
        })),
    );
  });

  it("may be written in any case of letters", async () => {
    const tenon = await running.shared();
    const params = { owner: "OctoCat", repo: "HELLO-world", number: 1, fields: ["repository", "assignees"] };
    const { data } = good(await tenon.run("issues", "get", params));
    expect(data).toEqual({
      repository: "octocat/hello-world",
      assignees: found(hello(running.platform.world).issues[0]).assignees.map(account),
    });
  });
});
