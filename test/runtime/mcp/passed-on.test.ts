import { beforeAll, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import { StoreResult } from "../../../runtime/execute/index.ts";
import { manualOf } from "../../../runtime/manual/manual.ts";
import type { ToolHost } from "../../../runtime/mcp/host.ts";
import { callTool } from "../../../runtime/mcp/server.ts";
import { endOf } from "../../../runtime/mcp/task.ts";
import { tools } from "../../../runtime/mcp/tools.ts";
import { jsonWork } from "../../support/parsed-here.ts";

// What is JSON already goes to a model as it is.

// The manual is made once, of a large text.
beforeAll(async () => void (await manualOf(github)));

const hostOf = (execute: ToolHost["execute"]): ToolHost => ({
  writes: true,
  instances: async () => [{ id: "github", manual: () => manualOf(github), page: async () => undefined }],
  execute,
  changes: () => Promise.reject(new Error()),
  watch: () => Promise.reject(new Error()),
});

async function call(execute: ToolHost["execute"], name: string, args: object, isStructured = false) {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const { content, structuredContent } = await callTool(tool, hostOf(execute), { ...args }, undefined, isStructured);
  const [first] = content;
  return { text: first?.type === "text" ? first.text : "", structuredContent };
}

/** Records in a form that nobody would give them again. */
const records = (title: string) => `[ ${Array.from({ length: 200 }, (_, at) => `{ "number" : ${at}.0, "title":"${title}" }`)} ]`;
const meta = { has_more: false };
const search = { entity: "issues", format: "json" };

it.each([
  ["search", search],
  ["sql", { sql: "SELECT 1", format: "json" }],
])("records of %s as JSON are neither parsed nor made again", async (name, args) => {
  const json = records('quoted \\" \\\\ 😀');
  let text = "";
  const work = await jsonWork(async () => {
    text = (await call(async () => new StoreResult(Buffer.from(json), meta), name, args)).text;
  });
  expect(text).toBe(`{"data":${json},"meta":${JSON.stringify(meta)}}`);
  expect(Math.max(work.parsed, work.made)).toBeLessThan(1000);
});

it.each(["\u200B", "\\u200b", "\\u0007"])(
  "records with an invisible character (%#) are made anew without it",
  async (invisible) => {
    const { text } = await call(async () => new StoreResult(Buffer.from(records(`a${invisible}b`)), meta), "search", search);
    expect(JSON.parse(text).data[199]).toEqual({ number: 199, title: "ab" });
  },
);

it("a client that wants values gets those of the text", async () => {
  const given = new StoreResult(Buffer.from(records("a")), meta);
  const { text, structuredContent } = await call(async () => given, "search", search, true);
  expect(structuredContent).toEqual(JSON.parse(text));
});

it("a record that was read live is made JSON once", async () => {
  const data = { title: "t".repeat(10_000) };
  let text = "";
  const { parsed, made } = await jsonWork(async () => {
    text = (await call(async () => ({ data, meta: {} }), "read", { entity: "issues", action: "get", params: { number: 1 } }))
      .text;
  });
  expect(JSON.parse(text)).toEqual({ data, meta: {} });
  // One text of this length, and none that has it within.
  expect([parsed, made]).toEqual([0, text.length]);
});

it("the result of a task is passed on as it was stored, and its error is made JSON once", async () => {
  const task = {
    id: "t",
    tool: "sync",
    status: "completed",
    message: "",
    createdAt: 0,
    updatedAt: 0,
    ttl: 0,
    pollInterval: 0,
  } as const;
  const host = hostOf(() => Promise.reject(new Error()));
  const result = `{"data":${records("a")},"meta":{}}`;
  const texts: string[] = [];
  const { parsed } = await jsonWork(async () => {
    texts.push(endOf(host, { ...task, result }).text);
    const error = new TenonError("sync_running", "Another sync is running.");
    texts.push(endOf(host, { ...task, error }).text);
  });
  expect([texts[0], parsed]).toEqual([result, 0]);
  expect(JSON.parse(texts[1] ?? "")).toMatchObject({ error: { code: "sync_running" } });
});

it("the errors of several reads are not parsed", async () => {
  const refuse = () => Promise.reject(new TenonError("not_found", "There is none."));
  const read = { entity: "issues", action: "get", params: { number: 1 } };
  const { parsed } = await jsonWork(async () => {
    const { text } = await call(refuse, "read", { reads: [read, read] });
    expect(text).toMatch(/^\[1\] \{"error":\{"code":"not_found".*\n\n\[2\] \{"error"/);
  });
  expect(parsed).toBe(0);
});
