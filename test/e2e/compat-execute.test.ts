import { describe, expect, it } from "vitest";
import { shaped } from "../support/shaped.ts";
import { withAccounts } from "./support/accounts.ts";
import { compat, connected, hello, shownText } from "./support/compat.ts";
import { alone, bad, list, useTenon } from "./support/service.ts";

// Live reads, writes and errors under /compat.

const at = useTenon(compat);
const run = async (entity: string, action: string, params?: unknown, more?: object) =>
  (await connected(at.tenon.url)).run(entity, action, params, more);

describe("an envelope", () => {
  it.each([
    ["without params", { entity: "viewer", action: "get" }],
    [
      "with null for what is absent",
      { entity: "viewer", action: "get", params: null, select_fields: null, intent: null, nothing: null },
    ],
    [
      "with all that the client sends",
      { entity: "viewer", action: "get", params: {}, skip_truncation: true, intent: "🌍".repeat(512) },
    ],
    [
      "with the longest name of a field",
      { entity: "viewer", action: "get", exclude_fields: [Array(10).fill("a".repeat(256)).join(".")] },
    ],
  ])("%s is taken", async (_what, body) => {
    const { send } = await connected(at.tenon.url);
    const got = await send(body);
    expect(got.status).toBe(200);
    expect(got.body).toMatchObject({ status: "success", result: { login: "octocat" }, connector_metadata: null });
  });

  it.each([
    [{ skip_truncation: "yes" }, "/skip_truncation: skip_truncation must be true or false."],
    [{ intent: "x".repeat(513) }, "/intent: intent must be a text of at most 512 characters."],
    [{ select_fields: "id" }, "/select_fields: select_fields must be a list of at most 200 names of fields."],
    [
      { select_fields: ["id", `${"a.".repeat(32_000)}b`] },
      "/select_fields/1: A field must be a name or a dotted path, with at most 10 keys of at most 256 characters.",
    ],
    [
      { exclude_fields: ["a.b.c.d.e.f.g.h.i.j.k"] },
      "/exclude_fields/0: A field must be a name or a dotted path, with at most 10 keys of at most 256 characters.",
    ],
    [
      { exclude_fields: ["a".repeat(257)] },
      "/exclude_fields/0: A field must be a name or a dotted path, with at most 10 keys of at most 256 characters.",
    ],
    [{ exclude_fields: [5] }, "/exclude_fields: exclude_fields must be a list of at most 200 names of fields."],
    [
      { select_field: [] },
      '/select_field: A request may have only entity, action, params, skip_truncation, select_fields, exclude_fields, intent. Did you mean "select_fields"?',
    ],
  ])("with %j is refused in words", async (more, text) => {
    const { status, body } = await run("viewer", "get", {}, more);
    expect([status, shownText(body)]).toEqual([422, text]);
  });

  it("that is no object is refused", async () => {
    const { send } = await connected(at.tenon.url);
    expect([(await send([])).status, (await send("{")).status]).toEqual([422, 400]);
  });
});

describe("a read", () => {
  it("of a list answers records and their paging", async () => {
    const { body } = await run("issues", "list", { ...hello, per_page: 2, fields: ["number"] });
    expect(body).toEqual({
      status: "success",
      result: [{ number: expect.any(Number) }, { number: expect.any(Number) }],
      connector_metadata: { has_next_page: true, end_cursor: expect.any(String) },
    });
    const { body: next } = await run("issues", "list", {
      ...hello,
      per_page: 2,
      after: (body["connector_metadata"] as never)["end_cursor"],
    });
    expect(next["result"]).not.toEqual(body["result"]);
  });

  it.each(["search", "api_search"])("by the action %s answers the total too", async (action) => {
    const { status, body } = await run("issues", action, {
      query: "repo:octocat/hello-world is:issue",
      per_page: 1,
      fields: ["number"],
    });
    expect(status).toBe(200);
    expect(list(body["result"])).toHaveLength(1);
    expect(body["connector_metadata"]).toMatchObject({ has_next_page: expect.any(Boolean), total_count: expect.any(Number) });
  });

  it("by search of an entity without it is refused as what was sent", async () => {
    const { status, body } = await run("labels", "search", {});
    expect([status, shownText(body)]).toEqual([422, expect.stringContaining('labels has no action "search".')]);
  });

  it("of one record answers the record itself, also when its number is a text", async () => {
    const { body } = await run("issues", "get", { ...hello, number: "1", fields: ["number", "author.login"] });
    expect(body).toEqual({ status: "success", result: { number: 1, author: { login: "octocat" } }, connector_metadata: null });
    const projects = await run("projects", "get", { org: "tenon-labs", project_number: "1", fields: ["number"] });
    expect(projects.body["result"]).toEqual({ number: 1 });
  });

  it.each(["one", "1.5", "-1", "", "9".repeat(16)])("does not take %j for a number", async (number) => {
    expect((await run("issues", "get", { ...hello, number })).status).toBe(422);
  });

  it("takes no text for any other number", async () => {
    expect((await run("issues", "list", { ...hello, per_page: "2" })).status).toBe(422);
  });

  it("with which the client checks its connection answers a repository of the account", async () => {
    const { status, body } = await run("repositories", "list", { limit: 1 });
    expect([status, list(body["result"]).length]).toEqual([200, 1]);
    expect((await run("repositories", "list", { limit: 2 })).status).toBe(422);
  });

  it("that is only told about answers no records", async () => {
    const { status, body } = await run("issues", "list", { ...hello, dryRun: true });
    expect([status, body["result"]]).toEqual([200, []]);
    expect(body["connector_metadata"]).toMatchObject({ document: expect.any(String) });
  });
});

describe("fields", () => {
  const get = async (more: object) =>
    (await run("issues", "get", { ...hello, number: 1, fields: ["number", "title", "author.login", "milestone"] }, more)).body[
      "result"
    ];

  it("that are selected are the only ones, and those that are not there are left out", async () => {
    expect(await get({ select_fields: ["number", "author.login", "nothing", "title.x", "milestone.x.y"] })).toEqual({
      number: 1,
      author: { login: "octocat" },
    });
  });

  it("that are excluded are removed, and the object around them stays", async () => {
    const record = await get({ exclude_fields: ["title", "author.login", "nothing.x"] });
    expect(record).toMatchObject({ number: 1, author: {} });
    expect(Object.keys(record ?? {})).not.toContain("title");
  });

  it("that are selected win over excluded ones", async () => {
    expect(await get({ select_fields: ["number"], exclude_fields: ["number"] })).toEqual({ number: 1 });
  });
});

describe("long texts", () => {
  const long = "🌍".repeat(250);
  const issue = { ...hello, title: "with a long text", body: long };

  it("are cut in a list when asked for, and nowhere else", async () => {
    const made = await run("issues", "create", issue, { skip_truncation: false });
    const { number, body } = shaped<{ number: number; body: string }>(made.body["result"]);
    expect(body).toBe(long);
    const bodies = async (more: object) => {
      const { body } = await run("issues", "list", { ...hello, per_page: 5, fields: ["number", "body"] }, more);
      return list(body["result"]).find((one) => String(one["number"]) === String(number))?.["body"];
    };
    expect(await bodies({ skip_truncation: true })).toBe(long);
    expect(await bodies({})).toBe(long);
    const cut = String(await bodies({ skip_truncation: false }));
    expect([...cut].slice(0, 201).join("")).toBe(`${"🌍".repeat(200)}…`);
    const one = await run("issues", "get", { ...hello, number, fields: ["body"] }, { skip_truncation: false });
    expect(one.body["result"]).toEqual({ body: long });
    const search = { query: "repo:octocat/hello-world with a long text", fields: ["body"] };
    const found = await run("issues", "search", search, { skip_truncation: false });
    expect(list(found.body["result"])).toContainEqual({ body: long });
  });
});

describe("a write", () => {
  it("is done once, with its text as it is, and answers the record", async () => {
    const before = at.platform.requests.length;
    const { status, body } = await run("issues", "create", { ...hello, title: "Ünïcode 🌍 שלום" });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "success", result: { title: "Ünïcode 🌍 שלום" }, connector_metadata: null });
    expect(
      at.platform.requests.slice(before).filter(({ method, path }) => method === "POST" && path.endsWith("/issues")),
    ).toHaveLength(1);
  });

  it("takes the number of an issue as a text", async () => {
    const { body } = await run("issues", "create", { ...hello, title: "to be closed" });
    const issue_number = String((body["result"] as never)["number"]);
    const closed = await run("issues", "update", { ...hello, issue_number, state: "closed", state_reason: "completed" });
    expect(closed.body["result"]).toMatchObject({ state: "closed" });
    const comment = await run("comments", "create", { ...hello, issue_number, body: "with a text" });
    expect(comment.body["result"]).toMatchObject({ body: "with a text" });
  });

  it.each([
    ["502 after", { kind: "gateway", status: 502, effect: true } as const, {}, 502, "write_in_doubt"],
    ["a reset", { kind: "drop", when: "after" } as const, {}, 502, "write_in_doubt"],
    ["no answer in time", { kind: "slow", ms: 100_000 } as const, { timeoutMs: 3000 }, 504, "write_deadline_exceeded"],
  ])("of unknown fate (%s) is 409, and as ever natively", (_what, fault, settings, native, code) =>
    alone({ ...compat, ...settings }, async ({ platform, tenon }) => {
      const { run } = await connected(tenon.url);
      platform.fail(fault);
      const { status, body } = await run("issues", "create", { ...hello, title: "in doubt" });
      expect([status, body["status"], body["code"], body["retryable"]]).toEqual([409, 409, code, false]);
      expect(shownText(body)).toMatch(/unknown whether/);
      platform.fail(fault);
      bad(await tenon.run("issues", "create", { ...hello, title: "in doubt" }), native, code);
    }),
  );

  it("is noted in the audit log with the first 512 code units of its intent", async () => {
    const { status } = await run("issues", "create", { ...hello, title: "noted" }, { intent: `I${"🌍".repeat(256)}` });
    expect(status).toBe(200);
    const entries = await withAccounts(at.tenon.dataDir, (store) => store.lastAudited(100));
    expect(entries.map(({ intent }) => intent)).toContain(`I${"🌍".repeat(255)}\ufffd`);
  });
});

describe("an error", () => {
  it.each([
    ["issue", "list", {}, '/entity: This connector has no entity "issue". Did you mean "issues"?'],
    ["issues", "lst", {}, '/action: issues has no action "lst". Did you mean "list"?'],
    [
      "issues",
      "list",
      { owner: "octocat", rep: "x" },
      '/params/repo: repo is required., /params/rep: issues.list has no parameter "rep". Did you mean "repo"?',
    ],
  ])("in the request %s.%s is 422 and says where it is and what may be meant", async (entity, action, params, text) => {
    const { status, body } = await run(entity, action, params);
    expect([status, shownText(body)]).toEqual([422, text]);
  });

  it("for a record that is not there is 404", async () => {
    const { status, body } = await run("issues", "get", { ...hello, number: 99_999 });
    expect([status, shownText(body)]).toEqual([404, expect.stringContaining("99999")]);
  });

  it("of a rate limit says in whole seconds when to come again", () =>
    alone({ ...compat, timeoutMs: 1500 }, async ({ platform, tenon }) => {
      const { run } = await connected(tenon.url);
      platform.fail({ kind: "quota", remaining: 0, resetIn: 600 });
      const { status, headers, body } = await run("viewer", "get");
      expect([status, body["code"]]).toEqual([429, "rate_limited"]);
      expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }));

  it("of the platform keeps its status for a read", () =>
    alone({ ...compat, timeoutMs: 1500 }, async ({ platform, tenon }) => {
      const { run } = await connected(tenon.url);
      platform.fail({ kind: "forbidden" });
      expect((await run("viewer", "get")).status).toBe(403);
    }));
});
