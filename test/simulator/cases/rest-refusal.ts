import { describe, expect, it } from "vitest";
import { userNamed } from "../../../runtime/simulated/github/world/world.ts";
import { hello, list, named, platform } from "./setup.ts";
import { issues, names, pulls, send } from "./write-setup.ts";

const base = "/repos/octocat/hello-world";
const hooks = `${base}/hooks`;

/** What a write with a problem in one field is answered. */
async function problemOf(method: string, path: string, body?: unknown) {
  const { status, body: answer } = await send(method, path, body);
  expect([status, answer["message"]]).toEqual([422, "Validation Failed"]);
  return list(answer["errors"]);
}
async function refusalOf(method: string, path: string, body?: unknown) {
  const { status, body: answer } = await send(method, path, body);
  return [status, answer["message"]];
}

const pullThat = (fits: (pull: ReturnType<typeof hello>["pullRequests"][number]) => boolean) => {
  const found = hello().pullRequests.find(fits);
  if (found === undefined) throw new Error("no such pull request");
  return found;
};

describe("gists", () => {
  const missing = [{ resource: "Gist", field: "files", code: "missing_field" }];
  it("need a file, and a file needs content", async () => {
    expect(await problemOf("POST", "/gists", { files: {} })).toEqual(missing);
    expect(await problemOf("POST", "/gists", { files: { "a.txt": { content: "" } } })).toEqual(missing);
    const [gist] = platform().world.gists;
    expect(await problemOf("PATCH", `/gists/${gist?.id}`, { files: { "notes.md": null } })).toEqual(missing);
    expect([...(gist?.files.keys() ?? [])]).toEqual(["notes.md"]);
  });

  it("are changed and removed by their owner alone", async () => {
    const [gist] = platform().world.gists;
    Object.assign(gist ?? {}, { owner: userNamed(platform().world, "hubot") });
    expect(await refusalOf("PATCH", `/gists/${gist?.id}`, { description: "mine" })).toEqual([404, "Not Found"]);
    expect(await refusalOf("DELETE", `/gists/${gist?.id}`)).toEqual([404, "Not Found"]);
    expect((await send("GET", `/gists/${gist?.id}`)).status).toBe(200);
  });
});

describe("webhooks", () => {
  it.each([
    ["no address", {}, "missing_field"],
    ["an address of another protocol", { url: "ftp://receiver.example/hook" }, "invalid"],
  ])("are refused with %s", async (_title, config, code) => {
    expect(await problemOf("POST", hooks, { config })).toEqual([{ resource: "Hook", field: "url", code }]);
  });

  it("are twenty at most for a repository, each with an address of its own", async () => {
    const config = (index: number) => ({ config: { url: `https://receiver.example/${index}` } });
    const all = platform().world.hooks;
    const [hook] = all;
    if (hook === undefined) throw new Error("no webhook");
    const known = (index: number) => ({ ...hook, id: 600 + index, config: { ...hook.config, ...config(index).config } });
    for (let index = all.length; index < 19; index++) all.push(known(index));
    expect((await send("POST", hooks, config(19))).status).toBe(201);
    const problem = { resource: "Hook", code: "custom" };
    expect(await problemOf("POST", hooks, config(19))).toEqual([
      { ...problem, message: "Hook already exists on this repository" },
    ]);
    expect(await problemOf("POST", hooks, config(20))).toEqual([
      { ...problem, message: 'The "push" event cannot have more than 20 hooks' },
    ]);
  });

  it("repeat only a delivery that was made", async () => {
    const [hook] = list((await send("GET", hooks)).body);
    expect(await refusalOf("POST", `${hooks}/${hook?.["id"]}/deliveries/1/attempts`)).toEqual([404, "Not Found"]);
  });
});

describe("a search in code", () => {
  const search = async (query: string) => {
    const { status, body, text } = await send("GET", `/search/code?${new URLSearchParams({ q: query })}`);
    expect(status, text).toBe(200);
    return names(body["items"], "path").map(String);
  };

  it("leaves out what a query excludes, and passes over qualifiers that it does not know", async () => {
    const all = await search("hello repo:octocat/hello-world");
    expect(all).toEqual(expect.arrayContaining(["README.md", "src/index.ts"]));
    expect(await search("hello repo:octocat/hello-world -path:src")).toEqual(all.filter((path) => path !== "src/index.ts"));
    expect(await search("hello repo:octocat/hello-world mood:good")).toEqual(all);
  });

  it("looks at what a user or an organization has", async () => {
    expect(new Set(await search("main user:octocat filename:main.rs"))).toEqual(new Set(["src/main.rs"]));
    expect((await search("fn org:tenon-labs")).length).toBeGreaterThan(0);
  });

  it("refuses nothing to look for, places that are not there, and pages behind the thousandth result", async () => {
    expect(await problemOf("GET", "/search/code?q=")).toEqual([{ resource: "Search", field: "q", code: "missing" }]);
    for (const place of ["user:nobody-at-all", "org:nobody-at-all", "repo:octocat/nope"])
      expect(await problemOf("GET", `/search/code?q=hello+${place}`)).toMatchObject([{ field: "q", code: "invalid" }]);
    expect(await refusalOf("GET", "/search/code?q=hello&per_page=100&page=11")).toEqual([
      422,
      "Only the first 1000 search results are available",
    ]);
    expect((await send("GET", "/search/code?q=hello&per_page=100&page=10")).status).toBe(200);
  });
});

describe("pull requests", () => {
  it("that are merged stay merged", async () => {
    const { number } = pullThat(({ state }) => state === "MERGED");
    const problem = { field: "state", code: "invalid" };
    expect(await problemOf("PATCH", `${pulls}/${number}`, { state: "open" })).toEqual([{ resource: "PullRequest", ...problem }]);
    expect(await problemOf("PATCH", `${issues}/${number}`, { state: "open" })).toEqual([
      { resource: "Issue", ...problem, message: "state cannot be changed. The pull request has been merged." },
    ]);
  });

  it("that are drafts are not merged", async () => {
    const { number } = pullThat(({ isDraft, state }) => isDraft && state === "OPEN");
    expect(await refusalOf("PUT", `${pulls}/${number}/merge`, {})).toEqual([405, "Pull Request is still a draft"]);
  });

  it("are reviewed at one of their own commits", async () => {
    const { number, commits } = pullThat((one) => one.state === "OPEN" && one.commits.length > 1);
    const review = (commit: string | undefined) => ({ event: "COMMENT", body: "Hm.", commit_id: commit });
    const { status, body } = await send("POST", `${pulls}/${number}/reviews`, review(commits[0]?.oid));
    expect([status, body["commit_id"]]).toEqual([200, commits[0]?.oid]);
    expect(await refusalOf("POST", `${pulls}/${number}/reviews`, review("0".repeat(40)))).toEqual([
      422,
      "Review Commit is not part of the pull request",
    ]);
    expect(await refusalOf("POST", `${pulls}/9999/reviews`, review(commits[0]?.oid))).toEqual([404, "Not Found"]);
  });

  it("come from the repository of an owner that is named", async () => {
    const path = "/repos/tenon-labs/widgets/pulls";
    const pull = (repository: string) => ({ title: "x", head: "octocat:my-change", base: "main", head_repo: repository });
    expect(await problemOf("POST", path, pull("other"))).toEqual([{ resource: "PullRequest", field: "head", code: "invalid" }]);
    expect((await send("POST", path, pull("widgets"))).status).toBe(201);
  });
});

describe("files and releases", () => {
  it("have a path without parts that lead elsewhere", async () => {
    const file = { message: "x", content: "eA==" };
    for (const path of ["src%2F..%2Fx", "src%2F%2Fx", ".%2Fx"])
      expect(await refusalOf("PUT", `${base}/contents/${path}`, file)).toEqual([422, "path contains a malformed path component"]);
  });

  it("are in a commit that names its parents with their own addresses", async () => {
    const { body } = await send("PUT", `${base}/contents/new.txt`, { message: "x", content: "eA==" });
    const [parent] = list(body["commit"]?.["parents"]);
    expect(String(parent?.["sha"])).not.toBe(body["commit"]?.["sha"]);
    expect(parent?.["html_url"]).toBe(`https://github.com/octocat/hello-world/commit/${parent?.["sha"]}`);
  });

  it.each(["", "two words", "v1..*", "a^b"])("have no tag named %j", async (name) => {
    expect(await problemOf("POST", `${base}/releases`, { tag_name: name })).toEqual([
      { resource: "Release", field: "tag_name", code: "invalid" },
    ]);
  });
});

describe("runs of workflows", () => {
  const runs = `${base}/actions/runs`;
  it("are not started again while they run, or in an archive", async () => {
    const [running, ended] = [false, true].map((isEnded) =>
      platform().world.workflowRuns.find(({ status }) => (status === "completed") === isEnded),
    );
    for (const action of ["rerun", "rerun-failed-jobs"])
      expect(await refusalOf("POST", `${runs}/${running?.id}/${action}`)).toEqual([403, "This workflow is already running"]);
    hello().isArchived = true;
    expect(await refusalOf("POST", `${runs}/${ended?.id}/rerun`)).toEqual([403, "Repository was archived so is read-only."]);
  });
});

describe("issues", () => {
  it("are gone where they are switched off, and pull requests are not", async () => {
    const { number } = pullThat(({ state }) => state === "OPEN");
    hello().hasIssuesEnabled = false;
    expect(await refusalOf("PATCH", `${issues}/1`, { title: "x" })).toEqual([410, "Issues are disabled for this repo"]);
    expect((await send("PATCH", `${issues}/${number}`, { title: "x" })).status).toBe(200);
  });

  it("have labels with names", async () => {
    const missing = [{ resource: "Issue", field: "labels", code: "missing_field" }];
    for (const label of [" ", { name: " " }, {}])
      expect(await problemOf("PATCH", `${issues}/1`, { labels: [label] })).toEqual(missing);
  });

  it("are assigned to those who take part, who belong to the organization or who may push", async () => {
    const login = "outsider";
    const [user] = platform().world.users;
    if (user === undefined) throw new Error("no user");
    const outsider = { ...user, id: "U_outsider", login };
    platform().world.users.push(outsider);
    const wrong = [{ resource: "Issue", field: "assignees", code: "invalid", value: login }];
    const path = `${issues}/${hello().issues[5]?.number}`;
    expect(await problemOf("POST", issues, { title: "x", assignees: [login] })).toEqual(wrong);
    expect(await problemOf("PATCH", path, { assignees: [login] })).toEqual(wrong);
    Object.assign(hello().issues[5] ?? {}, { author: outsider });
    const assigned = await send("PATCH", path, { assignees: [login] });
    expect(names(assigned.body["assignees"], "login")).toEqual([login]);
    const widgets = "/repos/tenon-labs/widgets/issues";
    expect(await problemOf("POST", widgets, { title: "x", assignees: [login] })).toEqual(wrong);
    const member = await send("POST", widgets, { title: "x", assignees: ["noor-al-din"] });
    expect(names(member.body["assignees"], "login")).toEqual(["noor-al-din"]);
    named("tenon-labs/widgets").collaborators.push({ user: outsider, permission: "TRIAGE" });
    expect((await send("POST", widgets, { title: "x", assignees: [login] })).status).toBe(201);
  });

  it.each([null, ""])("are assigned to nobody with the assignee %j", async (assignee) => {
    const issue = hello().issues.find(({ assignees }) => assignees.length > 0);
    const { status, body } = await send("PATCH", `${issues}/${issue?.number}`, { assignee });
    expect([status, body["assignees"]]).toEqual([200, []]);
  });

  it("count their reactions by kind", async () => {
    const issue = hello().issues.find(({ reactions }) => new Set(reactions.map(({ content }) => content)).size > 2);
    const { body } = await send("PATCH", `${issues}/${issue?.number}`, { title: "x" });
    const { total_count: total, laugh, heart, ...others } = body["reactions"] ?? {};
    const count = (wanted: string) => issue?.reactions.filter(({ content }) => content === wanted).length;
    expect([total, laugh, heart, others["+1"]]).toEqual([
      issue?.reactions.length,
      count("LAUGH"),
      count("HEART"),
      count("THUMBS_UP"),
    ]);
  });

  it("have comments that are not too long", async () => {
    expect(await problemOf("POST", `${issues}/1/comments`, { body: "x".repeat(65_537) })).toEqual([
      {
        resource: "IssueComment",
        field: "body",
        code: "custom",
        message: "body is too long (maximum is 65536 characters)",
      },
    ]);
  });
});
