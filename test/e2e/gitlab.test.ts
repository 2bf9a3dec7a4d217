import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { gitlab } from "../../generated/gitlab/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";

// A REST platform that pages by the header Link, by number and by key, names projects by id or path, and keys errors by attribute.

let platform: Simulated;
let calls: string[] = [];
let refusal: Response | undefined;
beforeAll(async () => {
  platform = await simulated(gitlab, (method, path) => {
    calls.push(`${method} ${decodeURIComponent(path)}`);
    return refusal;
  });
});
afterEach(() => {
  refusal = undefined;
});
afterAll(() => platform.close());

const ask = (entity: string, action: string, params: object) => platform.run({ entity, action, params });
const project = "shop/web";

async function all(entity: string, params: object): Promise<Record<string, unknown>[]> {
  const found: Record<string, unknown>[] = [];
  let after = "";
  do {
    const { data, meta } = await ask(entity, "list", { ...params, after });
    found.push(...(data as Record<string, unknown>[]));
    after = String(meta["end_cursor"] ?? "");
  } while (after !== "");
  return found;
}

describe("lists of GitLab", () => {
  it("are read to their end by number and by key, each record once, newest first", async () => {
    const issues = await all("issues", { project, per_page: 50, fields: ["iid", "updatedAt"] });
    expect([issues.length, new Set(issues.map(({ iid }) => iid)).size]).toEqual([132, 132]);
    const times = issues.map(({ updatedAt }) => String(updatedAt));
    expect(times).toEqual(times.toSorted().toReversed());
    expect(await all("projects", { per_page: 1, fields: ["id", "path"] })).toEqual([
      { id: 8, path: "shop/infra" },
      { id: 7, path: "shop/web" },
    ]);
    const { meta } = await ask("projects", "list", { dryRun: true });
    expect(meta["document"]).toMatch(/order_by=id&pagination=keyset&sort=desc/);
  });

  it("filter by labels, state and time", async () => {
    const found = async (params: object) => (await all("issues", { project, fields: ["iid"], ...params })).map(({ iid }) => iid);
    expect(await found({ labels: "bug,basket" })).toEqual([901]);
    expect(await found({ state: "closed" })).toEqual([902]);
    expect(await found({ updatedAfter: "2026-05-01T00:00:00Z", sort: "asc" })).toEqual([902, 901]);
  });
});

describe("refusals of GitLab", () => {
  it.each([
    ["a text", 404, { message: "404 Project Not Found" }, "not_found", "404 Project Not Found"],
    [
      "a scope",
      403,
      { error: "insufficient_scope", error_description: "It needs api.", scope: "api" },
      "platform_forbidden",
      "It needs api.",
    ],
    ["a revoked token", 401, { error: "invalid_token", error_description: "Token was revoked." }, "platform_unauthorized", ""],
    ["a missing attribute", 400, { error: "title is missing" }, "platform_rejected", "title is missing"],
  ])("are read where they say %s", async (_what, status, body, code, message) => {
    refusal = Response.json(body, { status });
    const refused = ask("issues", "get", { project, issue: 901 });
    await expect(refused).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
  });

  it("point to each attribute that is wrong", async () => {
    refusal = Response.json({ message: { title: ["is too long"], due_date: ["is not a date"] } }, { status: 400 });
    await expect(ask("issues", "create", { project, title: "A" })).rejects.toMatchObject({
      code: "platform_rejected",
      faults: [
        { pointer: "/params/title", message: expect.stringContaining("is too long") },
        { pointer: "/params/dueDate", message: expect.stringContaining("is not a date") },
      ],
    });
  });

  it("say that a merge request cannot be merged twice", async () => {
    const merge = () => ask("merge_requests", "merge", { project, mergeRequest: 31, fields: ["state", "mergedBy"] });
    expect((await merge()).data).toEqual({ state: "merged", mergedBy: "ana" });
    await expect(merge()).rejects.toMatchObject({ code: "platform_rejected" });
  });
});

describe("writes to GitLab", () => {
  it("create, assign, close and remove an issue of a project that is named by its path", async () => {
    const fields = ["iid", "labels", "assignees.username", "state", "project"];
    const made = await ask("issues", "create", { project, title: "New", labels: "bug,new", assignees: [12], fields });
    const { iid } = made.data as { iid: number };
    expect(made.data).toEqual({ iid, labels: ["bug", "new"], assignees: [{ username: "ben" }], state: "opened", project: 7 });
    const closed = await ask("issues", "update", { project, issue: iid, change: "close", assignees: [], fields });
    expect(closed.data).toMatchObject({ state: "closed", assignees: [], labels: ["bug", "new"] });
    calls = [];
    const { data, meta } = await ask("issues", "delete", { project, issue: iid });
    expect([data, calls]).toEqual([null, [expect.stringMatching(`^DELETE .*/projects/shop/web/issues/${iid}$`)]]);
    expect(meta["warnings"]).toMatchObject([{ code: "no_content" }]);
    await expect(ask("issues", "get", { project, issue: iid })).rejects.toMatchObject({ code: "not_found" });
  });

  it("comment, and run a pipeline again", async () => {
    const { data } = await ask("merge_request_notes", "create", {
      project,
      mergeRequest: 32,
      body: "Good.",
      fields: ["body", "on"],
    });
    expect(data).toEqual({ body: "Good.", on: 32 });
    expect((await ask("pipelines", "retry", { project, pipeline: 501, fields: ["status"] })).data).toEqual({ status: "running" });
  });
});

describe("a sync of GitLab", () => {
  it("reads the notes of each issue once while it does not change, and the changed issues alone", async () => {
    const first = await platform.syncExamples();
    expect(first.entities.map(({ entity, outcome }) => [entity, outcome]).toSorted()).toEqual(
      ["issue_notes", "issues", "merge_request_notes", "merge_requests", "pipelines", "projects", "users"].map((entity) => [
        entity,
        "complete",
      ]),
    );
    const query = { filter: { fuzzy: { body: "storage is full" } } };
    expect((await ask("issue_notes", "context_store_search", { query, fields: ["id", "on"] })).data).toEqual([
      { id: 7001, on: 901 },
    ]);
    const author = { filter: { eq: { author: "ana", state: "merged" } } };
    expect((await ask("merge_requests", "context_store_search", { query: author, fields: ["iid"] })).data).toHaveLength(2);
    await ask("issues", "update", { project, issue: 902, title: "Invoices arrive three times" });
    calls = [];
    await platform.syncExamples();
    expect(calls.filter((call) => call.includes("/issues/"))).toEqual([expect.stringContaining("/issues/902/notes")]);
    expect(calls.filter((call) => call.endsWith("/issues"))).toHaveLength(1);
  });
});

describe("a job of GitLab", () => {
  it("is waited for until it has ended", async () => {
    const branches = { sourceBranch: "old-branch", targetBranch: "main", title: "Old" };
    const { data: made } = await ask("merge_requests", "create", { project, ...branches, fields: ["iid"] });
    const { iid: number } = made as { readonly iid: number };
    calls = [];
    const { data, meta } = await ask("merge_requests", "rebase", { project, mergeRequest: number, fields: ["iid", "state"] });
    expect([data, meta["warnings"]]).toEqual([{ iid: number, state: "opened" }, undefined]);
    expect(calls.map((call) => call.split(" ")[0])).toEqual(["PUT", "GET", "GET"]);
  });

  it("that failed is an error with its reason", async () => {
    const failed = await simulated(gitlab, (method) =>
      method === "GET" ? { iid: 31, rebase_in_progress: false, merge_error: "Rebase failed: conflict" } : undefined,
    );
    await expect(
      failed.run({ entity: "merge_requests", action: "rebase", params: { project, mergeRequest: 31 } }),
    ).rejects.toMatchObject({
      code: "platform_rejected",
      message: expect.stringContaining("Rebase failed: conflict"),
    });
    await failed.close();
  });

  it("that takes longer than the request goes on, and the response says so", async () => {
    const slow = await simulated(
      gitlab,
      (method) => (method === "GET" ? { id: 1, iid: 31, rebase_in_progress: true } : undefined),
      1600,
    );
    const { data, meta } = await slow.run({
      entity: "merge_requests",
      action: "rebase",
      params: { project, mergeRequest: 31, fields: ["iid"] },
    });
    expect([data, meta["warnings"]]).toMatchObject([{ iid: 31 }, [{ code: "job_running" }]]);
    await slow.close();
  });
});

describe("a call with a limit of its own", () => {
  it("is refused by GitLab after 60 in a minute, and only notes wait then", async () => {
    const hurried = await simulated({
      ...gitlab,
      platform: {
        ...gitlab.platform,
        rateLimit: { concurrent: 10, calls: { "POST /projects/{id}/issues/{issue_iid}/notes": 1000 } },
      },
    });
    const note = () => hurried.run({ entity: "issue_notes", action: "create", params: { project, issue: 901, body: "Again" } });
    for (let count = 0; count < 60; count++) await note();
    await expect(note()).rejects.toMatchObject({ code: "rate_limited" });
    await expect(hurried.run({ entity: "issues", action: "get", params: { project, issue: 901 } })).resolves.toMatchObject({
      data: { iid: 901 },
    });
    await hurried.close();
  });
});
