import { describe, expect, it } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { issueRecord as restIssue } from "../../runtime/simulated/github/rest/issue-record.ts";
import { memberToken, ownerToken, readerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Issue } from "../../runtime/simulated/github/world/issue.ts";
import { unpaced } from "../support/fake-instance.ts";
import type { Platform } from "../support/github/start.ts";
import { issueRecord } from "./records/issue.ts";
import { issueFields, only } from "./records/write.ts";
import { writes } from "./support/calls.ts";
import { bad, good, list, usePlatform } from "./support/service.ts";
import { found, hello, repository } from "./support/world.ts";

// The service leaves a second between two writes, for which these tests do not wait.

const running = usePlatform({ connectors: [unpaced] });
const at = { owner: "octocat", repo: "hello-world" };
const last = (): Issue => found(hello(running.platform.world).issues.at(-1));
const open = (): Issue =>
  found(hello(running.platform.world).issues.find((one) => one.state === "OPEN" && one.labels.length > 1));
const closed = (): Issue => found(hello(running.platform.world).issues.find((one) => one.state === "CLOSED"));
const run = async (action: string, params: object, token = ownerToken) =>
  (await running.shared(token)).run("issues", action, params);
const expectRecord = (body: unknown, issue: Issue) =>
  expect(body).toEqual({ data: only(restIssue(running.platform.url, issue), issueFields), meta: {} });

describe("issues.create", () => {
  it("answers exactly the record of the interface, and later reads show the issue", async () => {
    const tenon = await running.shared();
    const body = good(await tenon.run("issues", "create", { ...at, title: "A title", body: 'שלום 🎉 "quoted"' }));
    expect(last()).toMatchObject({ title: "A title", body: 'שלום 🎉 "quoted"' });
    expectRecord(body, last());
    expect(Object.keys(body["data"] ?? {}).sort()).toEqual([...issueFields].sort());
    const read = good(await tenon.run("issues", "get", { ...at, number: last().number }));
    expect(read["data"]).toEqual(issueRecord(last()).defaults);
  });

  it("is one call in the platform's form", async () => {
    good(await run("create", { ...at, title: "One call" }));
    expect(writes(running.platform)).toMatchObject([
      {
        method: "POST",
        path: "/repos/octocat/hello-world/issues",
        body: { title: "One call" },
        headers: {
          accept: "application/vnd.github+json",
          "x-github-api-version": "2022-11-28",
          "user-agent": expect.stringContaining(`tenon/${packageFile.version}`),
          authorization: expect.stringMatching(/^(bearer|token) ghp_/i),
        },
      },
    ]);
  });

  it("sets labels, assignees and a milestone for who may push", async () => {
    const params = { ...at, title: "All of it", labels: ["bug", "area/parser"], assignees: ["monalisa"], milestone: 2 };
    const body = good(await run("create", params));
    expectRecord(body, last());
    expect(last().labels.map((one) => one.name)).toEqual(["bug", "area/parser"]);
    expect(last().assignees.map((one) => one.login)).toEqual(["monalisa"]);
    expect(last().milestone?.number).toBe(2);
  });

  it("drops them in silence for who may not", async () => {
    const params = { ...at, title: "From outside", labels: ["bug"], assignees: ["octocat"], milestone: 2 };
    const body = good(await run("create", params, readerToken));
    expectRecord(body, last());
    expect(body["data"]).toMatchObject({ title: "From outside", labels: [], assignees: [], assignee: null, milestone: null });
  });

  // Absent, null and [] are three different things.
  it.each([
    [{ title: "a" }],
    [{ title: "b", body: "", labels: [], assignees: [] }],
    [{ title: "c", milestone: null }],
    [{ title: "d", milestone: 1, labels: ["bug"] }],
  ])("sends %j as it is", async (given) => {
    good(await run("create", { ...at, ...given }));
    expect(writes(running.platform).map((one) => one.body)).toEqual([given]);
  });

  it("gives the fields asked for", async () => {
    const fields = ["number", "user.login", ["reactions", "total_count"], "milestone"];
    const body = good(await run("create", { ...at, title: "Few fields", fields }));
    expect(body["data"]).toEqual({
      number: last().number,
      user: { login: "octocat" },
      reactions: { total_count: 0 },
      milestone: null,
    });
  });

  it("is not sent when a field is not known", async () => {
    const problem = bad(await run("create", { ...at, title: "Never", fields: ["nodeid"] }), 422, "invalid_request");
    expect(list(problem["errors"])).toEqual([
      {
        pointer: "/params/fields/0",
        code: "unknown_field",
        message: expect.any(String),
        allowed: expect.any(Array),
        suggestion: "node_id",
      },
    ]);
    expect([...list(list(problem["errors"])[0]?.["allowed"])].sort()).toEqual([...issueFields].sort());
    expect(running.platform.requests).toEqual([]);
  });

  it("sent twice at the same time creates two issues with consecutive numbers", async () => {
    const number = hello(running.platform.world).lastNumber;
    const tenon = await running.shared();
    const bodies = await Promise.all(["one", "two"].map((title) => tenon.run("issues", "create", { ...at, title })));
    expect(bodies.map((one) => Number(good(one)["data"]?.["number"])).sort()).toEqual([number + 1, number + 2].sort());
  });
});

describe("issues.update", () => {
  const change = async (issue: Issue, given: object, token?: string) =>
    run("update", { ...at, issue_number: issue.number, ...given }, token);

  it("changes words, and later reads show it", async () => {
    const tenon = await running.shared();
    const issue = open();
    const body = good(await tenon.run("issues", "update", { ...at, issue_number: issue.number, title: "New", body: "Newer" }));
    expectRecord(body, issue);
    expect(writes(running.platform)).toMatchObject([
      { method: "PATCH", path: `/repos/octocat/hello-world/issues/${issue.number}`, body: { title: "New", body: "Newer" } },
    ]);
    const read = good(await tenon.run("issues", "get", { ...at, number: issue.number, fields: ["title", "body", "state"] }));
    expect(read["data"]).toEqual({ title: "New", body: "Newer", state: "open" });
  });

  const replacements: [given: object, changed: object][] = [
    [{ labels: ["documentation"] }, { labels: ["documentation"] }],
    [{ labels: [] }, { labels: [] }],
    [{ assignees: ["octocat", "monalisa"] }, { assignees: ["octocat", "monalisa"] }],
    [{ assignees: [] }, { assignees: [] }],
    [{ milestone: null }, { milestone: null }],
    [{ milestone: 3 }, { milestone: 3 }],
    [{ body: "" }, { body: null }],
  ];
  it.each(replacements)("with %j replaces the whole, and nothing else", async (given, changed) => {
    const issue = open();
    const { milestones } = issue.repository;
    issue.milestone = found(milestones[0]);
    const names = (record: object) => {
      const one: Record<string, unknown> = { ...record };
      const of = (value: unknown, key: string) => (Array.isArray(value) ? value.map((each) => Object(each)[key]) : value);
      const { milestone } = one;
      return {
        title: one["title"],
        body: one["body"],
        state: one["state"],
        labels: of(one["labels"], "name"),
        assignees: of(one["assignees"], "login"),
        milestone: milestone === null ? null : Object(milestone)["number"],
      };
    };
    const before = names(restIssue(running.platform.url, issue));
    const body = good(await change(issue, given));
    expect(writes(running.platform).map((one) => one.body)).toEqual([given]);
    expect(names(body["data"] ?? {})).toEqual({ ...before, ...changed });
  });

  const transitions: [from: () => Issue, given: object, state: string, reason: string | null][] = [
    [open, { state: "closed" }, "closed", "completed"],
    [open, { state: "closed", state_reason: "completed" }, "closed", "completed"],
    [open, { state: "closed", state_reason: "not_planned" }, "closed", "not_planned"],
    [open, { state: "closed", state_reason: null }, "closed", "completed"],
    [open, { state_reason: null, title: "besides" }, "open", null],
    [closed, { state: "open" }, "open", "reopened"],
    [closed, { state: "open", state_reason: "reopened" }, "open", "reopened"],
  ];
  it.each(transitions)("of %o with %j makes it %s, %s", async (from, given, state, reason) => {
    const issue = from();
    const tenon = await running.shared();
    const body = good(await tenon.run("issues", "update", { ...at, issue_number: issue.number, ...given }));
    expect(body["data"]).toMatchObject({ state, state_reason: reason });
    expect(body["data"]?.["closed_at"] === null).toBe(state === "open");
    const read = good(await tenon.run("issues", "get", { ...at, number: issue.number, fields: ["state", "stateReason"] }));
    expect(read["data"]).toEqual({ state, stateReason: reason });
  });

  const forbidden: [given: object, allowed: unknown][] = [
    [{ state: "closed", state_reason: "reopened" }, ["completed", "not_planned", null]],
    [{ state: "open", state_reason: "completed" }, ["reopened", null]],
    [{ state: "open", state_reason: "not_planned" }, ["reopened", null]],
    [{ state: "open", state_reason: "not_planned", title: "besides" }, ["reopened", null]],
    [{ state_reason: "completed" }, undefined],
    [{ state_reason: "reopened", title: "besides" }, undefined],
  ];
  it.each(forbidden)("with %j is refused before any call", async (given, allowed) => {
    const problem = bad(await change(open(), given), 422, "forbidden_transition");
    const fault = { pointer: "/params/state_reason", code: "forbidden_transition", message: expect.any(String) };
    expect(problem["errors"]).toEqual([allowed === undefined ? fault : { ...fault, allowed }]);
    expect(running.platform.requests).toEqual([]);
  });

  it("without a change is refused before any call", async () => {
    const problem = bad(await change(open(), {}), 422, "invalid_request");
    const changeable = ["title", "body", "state", "state_reason", "labels", "assignees", "milestone"];
    expect(list(problem["errors"]).length).toBe(1);
    expect(problem["errors"]).toMatchObject([{ pointer: "/params", code: "empty_update" }]);
    expect([...list(list(problem["errors"])[0]?.["allowed"])].sort()).toEqual(changeable.sort());
    for (const nothing of [{ fields: ["number"] }, { state_reason: null }])
      bad(await change(open(), nothing), 422, "invalid_request");
    expect(running.platform.requests).toEqual([]);
  });

  it("works on a pull request, and answers only fields that the interface lists", async () => {
    const pull = found(hello(running.platform.world).pullRequests[0]);
    const body = good(await run("update", { ...at, issue_number: pull.number, labels: ["bug"] }));
    expect(body["data"]).toEqual(only(restIssue(running.platform.url, pull), issueFields));
    expect(body["data"]).not.toHaveProperty("pull_request");
  });

  it("fills in null where the platform leaves out what the interface lists", async () => {
    // The platform's answer for an issue without author, in a repository of a member.
    const issue = open();
    const body = good(await change(issue, { body: "" }, memberToken));
    for (const name of ["body", "performed_via_github_app", "type", "pinned_comment"])
      expect(body["data"]).toHaveProperty(name, null);
  });
});

describe("refusals of the platform", () => {
  const cases: [action: string, params: () => object, status: number, code: string, says: RegExp, token?: string][] = [
    ["create", () => ({ owner: "octocat", repo: "no-such-repository", title: "a" }), 404, "not_found", /404/],
    ["create", () => ({ owner: "octocat", repo: "archive-box", title: "a" }), 403, "platform_forbidden", /archived/],
    ["create", () => ({ owner: "octocat", repo: "no-issues", title: "a" }), 404, "not_found", /Issues are disabled/],
    ["create", () => ({ ...at, title: "a", assignees: ["nobody-here"] }), 422, "platform_rejected", /assignees/],
    ["create", () => ({ ...at, title: "a", milestone: 99 }), 422, "platform_rejected", /milestone/],
    ["create", () => ({ ...at, title: "x".repeat(300) }), 422, "platform_rejected", /title is too long/],
    ["update", () => ({ ...at, issue_number: 2_000_000_000, title: "a" }), 404, "not_found", /404/],
    [
      "update",
      () => ({ owner: "octocat", repo: "archive-box", issue_number: 1, title: "a" }),
      403,
      "platform_forbidden",
      /archived/,
    ],
    ["update", () => ({ ...at, issue_number: 1, title: "a" }), 403, "platform_forbidden", /admin rights/, readerToken],
    ["create", () => ({ owner: "octocat", repo: "secret-plans", title: "a" }), 404, "not_found", /404/, readerToken],
  ];
  it.each(cases)("of %s: %o", async (action, params, status, code, says, token) => {
    const problem = bad(await run(action, params(), token), status, code);
    expect(problem["detail"]).toMatch(says);
    expect(writes(running.platform).length).toBe(1);
  });

  // `..` would be taken out of the address, and a slash would be a part of it.
  it.each([
    [{ owner: "..", repo: "x" }, []],
    [{ owner: "octocat", repo: "." }, []],
    [{ owner: "octocat", repo: "a%2Fb?c#d" }, ["/repos/octocat/a%252Fb%3Fc%23d/issues"]],
  ])("do not let %j change the address", async (place, paths) => {
    bad(await run("create", { ...place, title: "a" }), 404, "not_found");
    expect(writes(running.platform).map((one) => one.path)).toEqual(paths);
  });

  it("are refused with a slash, which no name on GitHub has", async () => {
    bad(await run("create", { owner: "octocat", repo: "octocat/hello-world", title: "a" }), 422, "invalid_request");
    expect(writes(running.platform)).toEqual([]);
  });
});

describe("a renamed repository", () => {
  const moved = ({ world }: Platform) => repository(world, "octocat/renamed-notes");
  const calls: [action: string, params: (platform: Platform) => object, method: string, status: number][] = [
    ["create", () => ({}), "POST", 307],
    ["update", (platform) => ({ issue_number: found(moved(platform).issues[0]).number }), "PATCH", 301],
  ];
  it.each(calls)("is found by %s with one redirect and one write", async (action, params, method, status) => {
    const { platform } = running;
    const tenon = await running.shared();
    const before = moved(platform).issues.length;
    const title = "Under the old name";
    const body = good(await tenon.run("issues", action, { owner: "octocat", repo: "old-notes", title, ...params(platform) }));
    expect(moved(platform).issues.length - before).toBe(action === "create" ? 1 : 0);
    expect(moved(platform).issues.filter((one) => one.title === title).length).toBe(1);
    expect(writes(platform).map((one) => [one.method, one.status])).toEqual([
      [method, status],
      [method, action === "create" ? 201 : 200],
    ]);
    expect(body["data"]).toMatchObject({ repository_url: `${platform.url}/repos/octocat/renamed-notes` });
  });
});
