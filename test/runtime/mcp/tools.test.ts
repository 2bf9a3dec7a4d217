import { describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { nextStep } from "../../../runtime/mcp/advice.ts";
import { responseBytes } from "../../../runtime/mcp/budget.ts";
import { readTool } from "../../../runtime/mcp/read-tool.ts";
import { callTool } from "../../../runtime/mcp/server.ts";
import { call, type Execute, host, list } from "./tool-call.ts";

describe("what to do after an error", () => {
  it("is not to wait where nothing was synced", () => {
    const next = (retryAfter?: number) =>
      nextStep(
        "semantic_search",
        { entity: "issues" },
        new TenonError("semantic_index_not_ready", "text", retryAfter === undefined ? {} : { retryAfter }),
      );
    expect(next()).toMatch(/^Do not wait/);
    expect(next(2)).toMatch(/^Wait as long as `retry_after` says/);
  });
});

describe("a name that is too long to repeat", () => {
  const long = "n".repeat(100_000);
  it.each([
    ["a connector", "read", { ...list, connector: long }],
    ["an entity", "read", { ...list, entity: long }],
    ["an action", "read", { ...list, action: long }],
    ["an argument", "read", { ...list, [long]: 1 }],
    ["a table", "sql", { tables: [long] }],
  ])("is cut in the message: %s", async (_, tool, args) => {
    const { isError, text } = await call(async () => ({ data: {}, meta: {} }), tool, args);
    expect(isError).toBe(true);
    expect(text).toContain(`"${"n".repeat(64)}…`);
    expect(text.length).toBeLessThan(5_000);
  });
});

describe("what a tool returns", () => {
  it("has only visible characters in records, names, metadata and errors", async () => {
    const hidden = "a\u202E\u034F\u{E0041}b";
    const page = async () => ({ data: [{ [hidden]: [hidden] }], meta: { warnings: [{ message: hidden }] } });
    const { text, structuredContent } = await call(page, "read", list);
    expect(JSON.parse(text)).toEqual({ data: [{ ab: ["ab"] }], meta: { warnings: [{ message: "ab" }] } });
    expect(structuredContent).toEqual(JSON.parse(text));
    const failed = await call(() => Promise.reject(new TenonError("platform_failed", `${hidden} sec\u200Bret-1`)), "read", list);
    expect([failed.isError, failed.value.error.message]).toEqual([true, "ab [redacted]"]);
  });
});

describe("a tool that reads long texts", () => {
  it("lets a cached search read few bytes, and cleans only what it shows", async () => {
    const calls: number[] = [];
    const row = (number: number) => ({ number, body: "\u{1F600}\u200B".repeat(100_000) });
    const execute: Execute = async (_id, _triple, { answerBytes }) => {
      calls.push(answerBytes);
      return { data: Array.from({ length: 40 }, (_, at) => row(at)), meta: { has_more: true, cursor: "next" } };
    };
    const { text, value } = await call(execute, "search", { entity: "issues" });
    expect(calls).toEqual([512 * 1024]);
    // The length of the text before it was cleaned: what is cut off was never looked at.
    const [cut] = value.meta.cuts.filter(({ path }: { path: string }) => path === "data.0.body");
    expect(cut.left_out).toBeGreaterThan(200_000);
    expect(text).not.toContain("\u200B");
  });
});

const body = "b".repeat(240);
const rowsFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => ({ id: first + at, body }));

describe("a list that comes as a whole", () => {
  const folders = { entity: "folders", action: "list", params: { project_id: "1" } };
  const place = { connectors: [figma] };

  it("goes on with what was cut, with the cursor of the response", async () => {
    const all = rowsFrom(1, 500);
    const asked: object[] = [];
    const execute: Execute = async (_id, { params }) => {
      asked.push(params);
      const warnings = [
        { path: "data.0.body", code: "value_cut" },
        { path: "data.499", code: "value_cut" },
        { path: "data", code: "x" },
      ];
      return { data: all, meta: { has_next_page: false, end_cursor: null, warnings } };
    };
    const seen: number[] = [];
    const warned: unknown[][] = [];
    for (let cursor: string | undefined; ; ) {
      const { value } = await call(execute, "read", { ...folders, ...(cursor === undefined ? {} : { cursor }) }, place);
      seen.push(...value.data.map(({ id }: { id: number }) => id));
      warned.push(value.meta.warnings.map(({ path }: { path: string }) => path));
      if (!value.meta.has_next_page) break;
      expect(value.meta.cuts[0]).toMatchObject({ path: "data", unit: "records" });
      cursor = value.meta.end_cursor;
    }
    expect(seen).toEqual(all.map(({ id }) => id));
    expect(warned.length).toBeGreaterThan(2);
    expect([warned[0], warned[1]]).toEqual([["data.0.body", "data"], ["data"]]);
    expect(warned.at(-1)?.[0]).toMatch(/^data\.\d+$/);
    expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(new Set(['{"project_id":"1"}']));
  });

  it("does not go on in a list that has changed, nor with a cursor of another kind", async () => {
    let all = rowsFrom(1, 500);
    const execute: Execute = async () => ({ data: all, meta: { has_next_page: false, end_cursor: null } });
    const { value } = await call(execute, "read", folders, place);
    all = all.slice(1);
    const changed = await call(execute, "read", { ...folders, cursor: value.meta.end_cursor }, place);
    expect(changed.value.error).toMatchObject({
      code: "bad_cursor",
      message: expect.stringContaining("has changed"),
      errors: [{ pointer: "/cursor" }],
    });
    const wrong = ["cut-page.x", `cut-page.${Buffer.from('[null,null,-1,""]').toString("base64url")}`, "c1"];
    for (const cursor of wrong)
      expect((await call(execute, "read", { ...folders, cursor }, place)).value.error, cursor).toMatchObject({
        code: "bad_cursor",
      });
  });
});

describe("changes", () => {
  it("go on behind those that have room in the response", async () => {
    const data = Array.from({ length: 400 }, (_, at) => ({
      kind: "updated",
      cursor: `c${at}`,
      record: { body: "x".repeat(4000) },
    }));
    const execute: Execute = async () => ({ data, meta: { cursor: "end", has_more: false, truncated: false } });
    const { value } = await call(execute, "read", { entity: "issues", action: "changes" });
    expect(value.data.length).toBeLessThan(400);
    expect(value.meta).toMatchObject({ cursor: `c${value.data.length - 1}`, has_more: true });
  });
});

describe("a list in pages that may not change their size", () => {
  it.each([{ per_page: 30 }, {}])("reads the same page again, and then the next one: %j", async (size) => {
    const versions = { entity: "versions", action: "list", params: { file_key: "k", ...size } };
    const asked: object[] = [];
    const long = "c".repeat(250);
    const execute: Execute = async (_id, { params }) => {
      asked.push(params);
      const page = Number((params as { after?: string }).after ?? "1");
      const data = rowsFrom(page * 1000, 30).map((row) => ({ ...row, texts: Array.from({ length: 10 }, () => long) }));
      return { data, meta: page === 1 ? { has_next_page: true, end_cursor: "2" } : { has_next_page: false, end_cursor: null } };
    };
    const seen: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const args = cursor === undefined ? versions : { ...versions, params: { ...versions.params, per_page: 7, after: cursor } };
      const { value } = await call(execute, "read", args, { connectors: [figma] });
      seen.push(...value.data.map(({ id }: { id: number }) => id));
      if (!value.meta.has_next_page) break;
      cursor = value.meta.end_cursor;
    }
    expect(seen).toEqual([1000, 2000].flatMap((first) => rowsFrom(first, 30).map(({ id }) => id)));
    // What is asked for with a cursor into a page is that page, whatever size is asked for then.
    expect(asked[1]).toEqual({ file_key: "k", ...size });
  });
});

describe("a list whose cursors are the places of records", () => {
  /** A list by id. A cursor is the id of the last record of a page. */
  const keyset =
    (all: () => readonly { id: number; body: string }[], asked: object[]): Execute =>
    async (_id, { params }) => {
      asked.push(params);
      const { after = "0", per_page: size = 30 } = params as { after?: string; per_page?: number };
      const rest = all().filter(({ id }) => id > Number(after));
      const data = rest.slice(0, size);
      const more = rest.length > data.length;
      return { data, meta: { has_next_page: more, end_cursor: more ? String(data.at(-1)?.id) : null } };
    };

  it("loses nothing and repeats nothing while what was shown leaves the list", async () => {
    let all = rowsFrom(1, 400);
    const asked: object[] = [];
    const args = { ...list, params: { ...list.params, per_page: 300 } };
    const seen: number[] = [];
    for (let cursor: string | undefined; ; ) {
      const { value } = await call(
        keyset(() => all, asked),
        "read",
        cursor === undefined ? args : { ...args, cursor },
      );
      const shown = value.data.map(({ id }: { id: number }) => id);
      seen.push(...shown);
      all = all.filter(({ id }) => !shown.includes(id));
      if (!value.meta.has_next_page) break;
      cursor = value.meta.end_cursor;
    }
    expect(seen).toEqual(rowsFrom(1, 400).map(({ id }) => id));
    expect(asked.length).toBeGreaterThan(4);
  });

  it("asks once more when its records have grown meanwhile", async () => {
    let calls = 0;
    const execute: Execute = async (_id, { params }) => {
      const { per_page: size = 30 } = params as { per_page?: number };
      const text = "x".repeat(++calls === 1 ? 240 : 249);
      const data = rowsFrom(1, size).map((row) => ({ ...row, body: text, more: text }));
      return { data, meta: { has_next_page: true, end_cursor: `after ${data.length}` } };
    };
    const { value } = await call(execute, "read", { ...list, params: { ...list.params, per_page: 300 } });
    expect([calls > 2, value.meta.end_cursor]).toEqual([true, `after ${value.data.length}`]);
    expect(value.meta.cuts).toEqual([{ path: "data", left_out: 300 - value.data.length, unit: "records" }]);
  });
});

describe("several reads in one call", () => {
  const execute: Execute = async (_id, { action, params }) => {
    const { number } = params as { number?: number };
    if (number === 404) throw new TenonError("not_found", "There is none.");
    return action === "get"
      ? { data: { number }, meta: {} }
      : { data: [{ number: 7, title: "Seven" }], meta: { has_next_page: false, end_cursor: null } };
  };
  const get = (number: number) => ({ entity: "issues", action: "get", params: { ...list.params, number } });
  const several = async (args: object, run = execute) => {
    const { content, isError, structuredContent } = await callTool(readTool, host(run), { ...args }, undefined, true);
    const [first] = content;
    return { text: first?.type === "text" ? first.text : "", isError: isError === true, structuredContent };
  };

  it("run at the same time, each with its own result or error", async () => {
    let running = 0;
    let most = 0;
    const { text, isError, structuredContent } = await several({ reads: [get(1), get(404), list] }, async (...args) => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setImmediate(resolve));
      running--;
      return execute(...args);
    });
    expect([most, isError]).toEqual([3, false]);
    expect(text.split("\n\n")).toEqual([
      '[1] {"data":{"number":1},"meta":{}}',
      expect.stringMatching(/^\[2\] \{"error":\{"code":"not_found".*"what_to_do":/),
      "[3] issues: all 1\nnumber|title|state|labels.name|updatedAt\n7|Seven|||",
    ]);
    expect(structuredContent).toMatchObject({ results: [{ data: { number: 1 } }, { error: {} }, { data: [{ number: 7 }] }] });
  });

  it("are an error when all of them fail", async () => {
    expect((await several({ reads: [get(404), { entity: "issues" }] })).isError).toBe(true);
  });

  it("share the room for a response", async () => {
    const long: Execute = async () => ({ data: { number: 1, body: "b".repeat(100_000) }, meta: {} });
    const { text } = await several({ reads: Array.from({ length: 10 }, () => get(1)) }, long);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(responseBytes);
    expect(text.match(/more characters/g)?.length).toBe(10);
  });

  it.each([
    [{ reads: Array.from({ length: 11 }, () => get(1)) }, "/reads", "out_of_range"],
    [{ reads: [] }, "/reads", "out_of_range"],
    [{ reads: [1] }, "/reads/0", "wrong_type"],
    [{ reads: [null] }, "/reads/0", "wrong_type"],
    [{ reads: [[get(1)]] }, "/reads/0", "wrong_type"],
    [{ reads: [get(1)], entity: "issues" }, "/entity", "not_allowed"],
    [{}, "/entity", "missing_param"],
  ])("are refused when they are not from one to ten objects alone: %#", async (args, pointer, code) => {
    const { isError, text } = await several(args);
    expect([isError, JSON.parse(text).error.errors[0]]).toEqual([true, expect.objectContaining({ pointer, code })]);
  });
});
