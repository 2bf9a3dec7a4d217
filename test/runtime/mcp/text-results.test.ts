import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { type Manual, manualOf } from "../../../runtime/manual/manual.ts";
import type { ToolHost } from "../../../runtime/mcp/host.ts";
import { callTool } from "../../../runtime/mcp/server.ts";
import { tools } from "../../../runtime/mcp/tools.ts";
import { shaped, standIn } from "../../support/shaped.ts";

// What tools return as text that is not JSON, and what they say where there is nothing to return.

const records = [
  { id: "I_1", number: 1, title: "First", state: "OPEN" },
  { id: "I_2", number: 2, title: "Second", state: "CLOSED" },
];

interface Place extends Partial<ToolHost> {
  readonly manual?: () => Promise<Manual>;
}

async function call(name: string, args: Record<string, unknown>, { manual = () => manualOf(github), ...more }: Place = {}) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const host = standIn<ToolHost>({
    writes: true,
    instances: async () => [{ id: "github", manual, page: async () => undefined }],
    execute: async () => ({ data: records, meta: { has_next_page: false, end_cursor: null } }),
    ...more,
  });
  const { content, isError = false, structuredContent } = await callTool(tool, host, args, undefined, true);
  const [first] = content;
  return { isError, text: first?.type === "text" ? first.text : "", structuredContent };
}

describe("the table of a list", () => {
  const list = { entity: "issues", action: "list", params: { owner: "octocat", repo: "hello-world" } };
  const lines = async (args: object, place?: Place) => (await call("read", { ...list, ...args }, place)).text.split("\n");

  it("has the requested fields for its columns, whether they are an argument or a parameter", async () => {
    const expected = await lines({ fields: ["number", "title"] });
    expect(expected[0]).toBe("issues: all 2");
    expect(expected.join("\n")).toMatch(/First[\s\S]*Second/);
    expect(expected.join("\n")).not.toMatch(/I_1|OPEN/);
    expect(await lines({ params: { ...list.params, fields: ["number", "title"] } })).toEqual(expected);
    expect(await lines({ fields: ["number"] })).not.toEqual(expected);
  });

  it("has the values of fields that are named in snake_case, which come in camelCase", async () => {
    const data = [{ number: 1, updatedAt: "2026-01-01T12:00:00Z", milestone: { dueOn: "2026-02-03" } }];
    const place: Place = { execute: async () => ({ data, meta: { has_next_page: false, end_cursor: null } }) };
    const fields = ["number", "updated_at", "milestone.due_on", "closed_at"];
    expect((await lines({ fields }, place)).slice(1)).toEqual([fields.join("|"), "1|2026-01-01T12:00:00Z|2026-02-03|"]);
    const hits = async () => ({ data: [{ entity: data[0], metadata: { score: 0.5, context: "c" } }], meta: {} });
    const { text } = await call("semantic_search", { entity: "issues", prompt: "p", fields: ["updated_at"] }, { execute: hits });
    expect(text.split("\n").at(-1)).toBe("0.5|2026-01-01T12:00:00Z|c");
  });

  it("shows requested fields whole, and cuts those that are only usual", async () => {
    const title = "t".repeat(81);
    const data = [{ ...records[0], title, updatedAt: "2026-01-01T12:00:00Z" }];
    const place: Place = { execute: async () => ({ data, meta: { has_next_page: false, end_cursor: null } }) };
    const requested = await lines({ fields: ["title", "updatedAt"] }, place);
    expect(requested.slice(-2)).toEqual(["title|updatedAt", `${title}|2026-01-01T12:00:00Z`]);
    expect((await lines({}, place)).at(-1)).toContain(`${title.slice(1)}…(+1 characters)`);
  });

  it("cuts no character in two", async () => {
    const data = [{ ...records[0], title: `${"t".repeat(79)}😀 and so on` }];
    const place: Place = { execute: async () => ({ data, meta: { has_next_page: false, end_cursor: null } }) };
    expect((await lines({}, place)).at(-1)).toContain(`${"t".repeat(79)}…(+12 characters)`);
  });

  it("leaves a field that is not a string for the action to refuse", async () => {
    const fields = ["number", 5];
    const asked: object[] = [];
    const execute: ToolHost["execute"] = async (_id, { params }) => {
      asked.push(params);
      return { data: records, meta: {} };
    };
    await lines({ params: { ...list.params, fields } }, { execute });
    expect(asked).toEqual([{ ...list.params, fields }]);
  });

  it("says of a record that fits in no form that it is too long", async () => {
    const body = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`property ${index}`, "語".repeat(100)]));
    const execute = async () => ({ data: [{ body }], meta: { has_next_page: false, end_cursor: null } });
    expect(await lines({ fields: ["body"] }, { execute })).toEqual([
      "issues: all 1",
      "cut: 1 records of data.0",
      "body",
      "(too long to show: choose fewer fields)",
    ]);
    const wide = await call("sql", { sql: "SELECT 1" }, { execute: async () => ({ data: [body], meta: {} }) });
    expect(wide.text.split("\n")).toEqual(["rows: all 1", "cut: 1 records of data.0", "(too long to show: choose fewer fields)"]);
  });

  it.each([
    [{ format: "json" }],
    [{ fields: [] }],
    [{ format: "json", fields: ["number"] }],
    [{ fields: ["number", ["author", "login"]] }],
  ])("is JSON where there are no columns, or JSON is wanted: %j", async (args) => {
    expect(JSON.parse((await call("read", { ...list, ...args })).text)).toMatchObject({ data: expect.any(Array) });
  });
});

describe("the columns for SQL", () => {
  it("are lines, in the text and in the structured result", async () => {
    const execute: ToolHost["execute"] = async () => ({ data: [{ name: "labels", n: 3 }], meta: {} });
    const { text, structuredContent } = await call("sql", { tables: ["labels"] }, { execute });
    const [head, ...rest] = text.split("\n");
    expect(head).toBe("Columns without a type are text.");
    expect(rest).toEqual([expect.stringMatching(/^labels\[3 rows\]\(/)]);
    expect(structuredContent).toEqual({ tables: rest });
  });
});

describe("an entity that no sync reads", () => {
  it("has no table, and the rows of the others are counted", async () => {
    const execute: ToolHost["execute"] = async (_id, { params }) => {
      const tables = [...JSON.stringify(params).matchAll(/count\(\*\) AS n FROM \\"(\w+)/g)].map(([, name]) => name);
      if (tables.includes("code")) throw new TenonError("invalid_request", "There is no such table.");
      return { data: tables.map((name) => ({ name, n: 3 })), meta: {} };
    };
    const [, ...rest] = (await call("sql", {}, { execute })).text.split("\n");
    const cached = Object.entries(github.entities).filter(([, { sync }]) => sync.length > 0);
    expect(rest.map((line) => line.split("(")[0])).toEqual(cached.map(([name]) => `${name}[3 rows]`));
  });

  it("is refused as a table", async () => {
    const { text } = await call("sql", { tables: ["code"] });
    expect(JSON.parse(text).error.errors).toMatchObject([{ message: 'There is no table "code".' }]);
  });

  it("alone leaves nothing to query", async () => {
    const manual = async () => {
      const whole = await manualOf(github);
      return { ...whole, entities: whole.entities.filter(({ name }) => name === "code") };
    };
    const { isError, text } = await call("sql", { sql: "SELECT 1" }, { manual });
    expect([isError, text]).toEqual([true, expect.stringContaining("There is no table here that you may query.")]);
  });
});

describe("a sync that has not ended", () => {
  it.each(["working", "cancelled"] as const)("is shown with what became of it: %s", async (status) => {
    const task = { id: "t1", tool: "sync", status, message: "4 of 7 entities are synced.", createdAt: 0, updatedAt: 0, ttl: 1 };
    const tasks: ToolHost["tasks"] = { find: async () => ({ ...task, pollInterval: 1 }), cancel: async () => true };
    const { text } = await call("sync", { task: "t1" }, { tasks });
    expect(JSON.parse(text)).toEqual({ status, message: "4 of 7 entities are synced." });
  });
});

describe("an error", () => {
  it.each([
    ["sql", { sql: "SELECT 1", limit: 5000 }, "/limit", "limit must be from 1 to 1000."],
    ["sql", { tables: ["issues", 5] }, "/tables/1", "A table must be named by a string."],
    [
      "read",
      { entity: "issues", action: "changes", cursor: "", params: { cursor: "latest" } },
      "/params/cursor",
      "cursor and params.cursor exclude each other: give only cursor.",
    ],
    [
      "read",
      { entity: "issues", action: "changes", params: { entity: "labels" } },
      "/params/entity",
      "entity and params.entity exclude each other: give only entity.",
    ],
    ["read", { entity: "issues", reads: [{}] }, "/entity", "entity and reads exclude each other: give it in each read."],
    ["sync", { connector: "github", task: "sync_1" }, "/connector", "connector and task exclude each other."],
  ])("of %s for %j is about the argument that is to be corrected", async (tool, args, pointer, message) => {
    const { isError, text } = await call(tool, args);
    const { error, what_to_do: next } = JSON.parse(text);
    expect([isError, error.errors]).toMatchObject([true, [{ pointer, message }]]);
    expect(next).toBe(`Correct the arguments that errors names, and call ${tool} again.`);
  });

  it("with a proposal has its long texts cut, so that a model sees what to do", async () => {
    const body = 'a "quoted" text '.repeat(4000);
    const proposal = { id: "prop_1", idempotency_key: "key", params: { body }, changes: [{ field: "body", to: body }] };
    const waiting = new TenonError("approval_required", "A person has to approve this.", { proposal: shaped(proposal) });
    const { isError, text } = await call(
      "write",
      { entity: "issues", action: "create", params: {} },
      { execute: () => Promise.reject(waiting) },
    );
    expect([isError, text.length < 16_384]).toEqual([true, true]);
    expect(JSON.parse(text)).toMatchObject({
      proposal: { id: "prop_1", params: { body: expect.stringMatching(/… \[cut: \d+ more characters\]$/) } },
      what_to_do: expect.stringContaining('"idempotency_key":"key"'),
    });
  });

  it("about the description of SQL, which belongs to no entity, names its tool", async () => {
    const { isError, text } = await call("describe_entity", { entity: "issues", action: "context_store_sql_query" });
    expect([isError, text]).toEqual([true, expect.stringContaining("has a tool of its own: use the tool sql.")]);
  });

  it("of an action that does not exist names those that write", async () => {
    const { isError, text } = await call("write", { entity: "issues", action: "creat", params: {} });
    expect(isError).toBe(true);
    const error = { pointer: "/action", code: "unknown_action", message: 'issues has no action "creat".' };
    expect(JSON.parse(text).error.errors).toEqual([{ ...error, allowed: ["create", "update"], suggestion: "create" }]);
  });

  it("says when to try again also where its faults are about arguments", async () => {
    const fault = { pointer: "/params/query/filter", code: "out_of_range", message: "Too long." };
    const error = new TenonError("overloaded", "/params/query/filter: Too long.", { faults: [fault], retryAfter: 9 });
    const { isError, text } = await call("search", { entity: "issues" }, { execute: () => Promise.reject(error) });
    expect(isError).toBe(true);
    expect(JSON.parse(text).error).toMatchObject({ code: "overloaded", retry_after: 9, errors: [{ pointer: "/filter" }] });
  });
});
