import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { manualOf } from "../../runtime/manual/manual.ts";
import { description } from "../../runtime/simulated/github/rest/api.ts";
import { bareToken, limitedToken, ownerToken, readerToken } from "../../runtime/simulated/github/tokens.ts";
import { unpaced } from "../support/fake-instance.ts";
import { good, list, type Reply, usePlatform } from "./support/service.ts";

// Entities of GitHub that the interface does not have. The simulated platform refuses what GitHub refuses.

const running = usePlatform({ connectors: [unpaced] });
const at = { owner: "octocat", repo: "hello-world" };
const run = async (entity: string, action: string, params: object, token = ownerToken) =>
  (await running.shared(token)).run(entity, action, params);
const bad = ({ status, body }: Reply) => ({ ...body, status });

/** Sends a call to the platform itself, and holds its response against GitHub's description. */
async function described(method: string, template: string, path: string, body?: object) {
  const response = await fetch(running.platform.url + path, {
    method,
    redirect: "manual",
    headers: { authorization: `Bearer ${ownerToken}`, "content-type": "application/json", accept: "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (text !== "") expect(description.responseErrors({ method, path: template }, response.status, JSON.parse(text))).toEqual([]);
  return response;
}

describe("workflow_runs", () => {
  const all = async (params: object) => list(good(await run("workflow_runs", "list", { ...at, ...params }))["data"]);

  it("are listed page by page, by branch, event and state", async () => {
    const first = good(await run("workflow_runs", "list", { ...at, per_page: 4, fields: ["id", "status"] }));
    expect(first["data"]?.["length"]).toBe(4);
    const after = first["meta"]?.["end_cursor"];
    const second = good(await run("workflow_runs", "list", { ...at, per_page: 4, after, fields: ["id"] }));
    expect(list(second["data"]).map((one) => one["id"])).toEqual([30433642, 30433641]);
    expect(second["meta"]?.["has_next_page"]).toBe(false);
    expect((await all({ status: "failure" })).map((one) => one["id"])).toEqual([30433643]);
    expect((await all({ event: "schedule" })).map((one) => one["name"])).toEqual(["Nightly"]);
    expect(await all({ branch: "nowhere" })).toEqual([]);
    const runs = "/repos/{owner}/{repo}/actions/runs";
    expect((await described("GET", runs, "/repos/octocat/hello-world/actions/runs")).status).toBe(200);
  });

  it("give the address of their logs, which is not followed, once they have ended", async () => {
    const before = running.platform.requests.length;
    const logs = good(await run("workflow_runs", "logs", { ...at, run_id: 30433643 }));
    expect(logs["data"]).toEqual({ url: "https://logs.example.com/runs/30433643/1.zip?sig=simulated" });
    expect(running.platform.requests.length - before).toBe(1);
    expect(bad(await run("workflow_runs", "logs", { ...at, run_id: 30433644 }))).toMatchObject({ code: "not_found" });
    const job = good(await run("workflow_jobs", "logs", { ...at, job_id: 399444495 }));
    expect(job["data"]).toEqual({ url: "https://logs.example.com/jobs/399444495.txt?sig=simulated" });
  });

  it("are run again and cancelled by those who may push", async () => {
    const one = (run_id: number) => ({ ...at, run_id });
    expect(bad(await run("workflow_runs", "rerun", one(30433641), readerToken))).toMatchObject({ code: "platform_forbidden" });
    expect(bad(await run("workflow_runs", "rerun", one(30433644)))).toMatchObject({
      message: expect.stringContaining("already running"),
    });
    expect(bad(await run("workflow_runs", "rerun_failed", one(30433641)))).toMatchObject({ code: "platform_forbidden" });
    expect(good(await run("workflow_runs", "rerun_failed", one(30433643)))["data"]).toEqual({ run_id: 30433643 });
    const jobs = good(await run("workflow_jobs", "list", { ...one(30433643), fields: ["name", "status"] }));
    expect(jobs["data"]).toEqual([
      { name: "lint", status: "completed" },
      { name: "test", status: "queued" },
    ]);
    expect(good(await run("workflow_runs", "cancel", one(30433643)))["data"]).toEqual({ run_id: 30433643 });
    const read = good(await run("workflow_runs", "get", { ...one(30433643), fields: ["attempt", "conclusion"] }));
    expect(read["data"]).toEqual({ attempt: 2, conclusion: "cancelled" });
    expect(bad(await run("workflow_runs", "cancel", one(30433643)))).toMatchObject({ code: "platform_rejected" });
    const path = "/repos/octocat/hello-world/actions/runs/30433641/rerun";
    expect((await described("POST", "/repos/{owner}/{repo}/actions/runs/{run_id}/rerun", path)).status).toBe(201);
    const job = "/repos/octocat/hello-world/actions/jobs/399444492";
    expect((await described("GET", "/repos/{owner}/{repo}/actions/jobs/{job_id}", job)).status).toBe(200);
  });
});

describe("code.api_search", () => {
  it("finds files by words and qualifiers, and refuses what GitHub refuses, ten times a minute", async () => {
    const search = (query: string, token = ownerToken) =>
      run("code", "api_search", { query, fields: ["path", "repository"] }, token);
    const found = list(good(await search("hello repo:octocat/hello-world extension:md"))["data"]);
    expect(found.map((one) => one["path"])).toContain("README.md");
    expect(new Set(found.map((one) => one["repository"]))).toEqual(new Set(["octocat/hello-world"]));
    expect(bad(await search("repo:octocat/hello-world"))).toMatchObject({ code: "platform_rejected" });
    expect(bad(await search("hello repo:octocat/nothing"))).toMatchObject({
      message: expect.stringContaining("cannot be searched"),
    });
    expect((await described("GET", "/search/code", "/search/code?q=hello")).status).toBe(200);
    const statuses = [];
    for (let asked = 0; asked < 8; asked++) statuses.push((await described("GET", "/search/code", "/search/code?q=x")).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 403, 403]);
  });
});

describe("notifications", () => {
  const ids = async (params: object) =>
    list(good(await run("notifications", "list", { ...params, fields: ["id"] }))["data"]).map((one) => one["id"]);

  it("are listed, marked as read and as done, for the owner of the token", async () => {
    expect(await ids({})).toEqual(["7006", "7005", "7004", "7002", "7001"]);
    expect(await ids({ all: true, per_page: 2 })).toEqual(["7006", "7005"]);
    expect(await ids({ participating: true })).not.toContain("7004");
    good(await run("notifications", "mark_read", { thread_id: 7001 }));
    expect(await ids({})).not.toContain("7001");
    expect(good(await run("notifications", "get", { thread_id: 7001, fields: ["unread"] }))["data"]).toEqual({ unread: false });
    good(await run("notifications", "mark_done", { thread_id: 7001 }));
    expect(bad(await run("notifications", "get", { thread_id: 7001 }))).toMatchObject({ code: "not_found" });
    expect(bad(await run("notifications", "list", {}, readerToken))).toMatchObject({ code: "not_found" });
    expect(bad(await run("notifications", "list", { per_page: 51 }))).toMatchObject({ status: 422 });
    expect((await described("GET", "/notifications", "/notifications")).status).toBe(200);
  });
});

describe("gists", () => {
  it("are made, changed and removed", async () => {
    const made = good(await run("gists", "create", { files: { "a.md": { content: "A" } }, description: "Mine" }));
    const gist_id = made["data"]?.["id"];
    expect(made["data"]).toMatchObject({ public: false, files: { "a.md": { content: "A", size: 1 } } });
    const change = { gist_id, files: { "a.md": { filename: "b.md" }, "c.md": { content: "C" } } };
    const changed = good(await run("gists", "update", change));
    expect(Object.keys(Object(changed["data"]?.["files"]))).toEqual(["b.md", "c.md"]);
    good(await run("gists", "update", { gist_id, files: { "c.md": null } }));
    const read = good(await run("gists", "get", { gist_id, fields: ["files"] }));
    expect(Object.keys(Object(read["data"]?.["files"]))).toEqual(["b.md"]);
    expect(bad(await run("gists", "update", { gist_id }))).toMatchObject({ status: 422 });
    expect(bad(await run("gists", "update", { gist_id, description: "No" }, limitedToken))).toMatchObject({ code: "not_found" });
    expect(bad(await run("gists", "create", { files: { "a.md": {} } }))).toMatchObject({ code: "platform_rejected" });
    good(await run("gists", "delete", { gist_id }));
    expect(bad(await run("gists", "get", { gist_id }))).toMatchObject({ code: "not_found" });
    expect((await described("GET", "/gists", "/gists")).status).toBe(200);
    const body = { files: { "x.md": { content: "X" } } };
    expect((await described("POST", "/gists", "/gists", body)).status).toBe(201);
  });

  it("that are secret are listed only for a token that may", async () => {
    const ids = async (token: string) => list(good(await run("gists", "list", { fields: ["id"] }, token))["data"]);
    expect(await ids(limitedToken)).toEqual([{ id: "aa5a315d61ae9438b18d" }]);
    expect(await ids(bareToken)).toEqual([]);
  });
});

describe("the mark of an addition", () => {
  /** The interface document's table, without what every connector has for its cache. */
  const interfaceActions: Readonly<Record<string, string>> = {
    repositories: "get list api_search",
    org_repositories: "list",
    branches: "list get",
    commits: "list get",
    releases: "list get",
    issues: "list get api_search create update",
    comments: "create list get",
    pull_requests: "create list get api_search",
    reviews: "list",
    pr_comments: "list get",
    labels: "list get",
    milestones: "list get",
    organizations: "get list",
    users: "get list api_search",
    teams: "list get",
    tags: "list get",
    stargazers: "list",
    viewer: "get",
    viewer_repositories: "list",
    projects: "list get",
    project_items: "list",
    discussions: "list get api_search",
    file_content: "get",
    directory_content: "list",
  };

  it("is on all that the interface does not have, and on nothing else", async () => {
    const { entities } = await manualOf(github);
    const marked = entities.flatMap(({ name, actions }) =>
      actions.flatMap((one) => (one.addition === true ? [`${name}.${one.name}`] : [])),
    );
    const beyond = Object.entries(github.entities).flatMap(([name, { actions }]) => {
      const known = interfaceActions[name]?.split(" ") ?? [];
      return Object.keys(actions).flatMap((action) => (known.includes(action) ? [] : [`${name}.${action}`]));
    });
    expect(marked.sort()).toEqual(beyond.sort());
    expect(entities.filter(({ addition }) => addition).map(({ name }) => name)).toEqual(
      entities.map(({ name }) => name).filter((name) => !Object.hasOwn(interfaceActions, name)),
    );
  });
});
