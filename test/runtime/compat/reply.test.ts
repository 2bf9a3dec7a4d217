import { expect, it } from "vitest";
import { replyOf } from "../../../runtime/compat/reply.ts";
import { StoreResult } from "../../../runtime/execute/index.ts";
import { jsonWork } from "../../support/parsed-here.ts";

/** Rows in a form that nobody would give them again. */
const rows = `[ ${Array.from({ length: 1_000 }, (_, at) => `{ "number" : ${at}.0, "Title":"t" }`)} ]`;
const whole = { select: [], exclude: [], truncate: true };
const reply = (shape: typeof whole | { readonly select: string[]; readonly exclude: string[]; readonly truncate: boolean }) =>
  replyOf(
    { action: "context_store_sql_query", isSearchByMeaning: false },
    new StoreResult(Buffer.from(rows), { has_more: false, took_ms: 1.5 }),
    shape,
  );

it("rows of SQL that nobody wants otherwise are neither parsed nor made again", async () => {
  let text = "";
  const { parsed, made } = await jsonWork(async () => {
    text = await reply(whole);
  });
  const result = `{"data":${rows},"meta":{"has_more":false,"took_ms":2}}`;
  expect(text).toBe(`{"status":"success","result":${result},"connector_metadata":null}`);
  expect(Math.max(parsed, made)).toBeLessThan(1000);
});

it.each([
  { ...whole, select: ["Title"] },
  { ...whole, exclude: ["number"] },
])("rows of SQL have the wanted columns: %j", async (shape) => {
  const { result } = JSON.parse(await reply(shape));
  expect([result.data.length, result.data[7]]).toEqual([1_000, { Title: "t" }]);
});
