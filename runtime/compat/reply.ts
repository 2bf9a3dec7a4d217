import { setImmediate } from "node:timers/promises";
import { isObject } from "../base/is-object.ts";
import { snakeCase } from "../base/text.ts";
import { actionTraits, sqlAction, storeAction } from "../contract/index.ts";
import type { ExecuteResult } from "../execute/index.ts";
import type { Shape } from "./envelope.ts";
import { shaper } from "./shape.ts";
import { SnakeNames } from "./snake-names.ts";

/** Records that are shaped at a stretch. Other requests have their turn between two stretches. */
const stretch = 200;

/**
 * Makes the body of an answer in the client's envelope, as JSON.
 *
 * @param action the name of our action
 * @param isSearchByMeaning whether the records are hits
 */
export async function replyOf(
  { action, isSearchByMeaning }: { readonly action: string; readonly isSearchByMeaning: boolean },
  result: ExecuteResult,
  shape: Shape,
): Promise<string> {
  const { json, meta } = result;
  // The columns of a row have the names that the statement gives them.
  if (action === sqlAction) {
    const isWhole = json !== undefined && shape.select.length === 0 && shape.exclude.length === 0;
    const rows = isWhole ? Buffer.from(json).toString() : await jsonOf(result.data, shaper(shape, false));
    return envelope(`{"data":${rows},"meta":${JSON.stringify(wholeTime(meta))}}`, null);
  }
  const { data } = result;
  if (action === storeAction) {
    const names = new SnakeNames();
    const shaped = shaper({ ...shape, select: shape.select.map(snakeCase), exclude: shape.exclude.map(snakeCase) }, true);
    const own = isSearchByMeaning ? hitOf : (record: unknown) => record;
    const records = await jsonOf(data, (record) => shaped(names.of(own(record))));
    return envelope(`{"data":${records},"meta":${JSON.stringify(wholeTime(meta))}}`, null);
  }
  const isList = Object.entries(actionTraits).some(([name, { list }]) => name === action && list);
  // A dry run has no records. Everything that it tells stands in its `meta`.
  if (data === null) return envelope(isList ? "[]" : "null", meta);
  // Long texts are cut in the answers of `list`, and not in those of the platform's own search.
  return envelope(await jsonOf(data, shaper(shape, action === "list")), isList ? meta : null);
}

/** A hit with the members that the client's own service gives. */
function hitOf(hit: unknown): unknown {
  if (!isObject(hit) || !isObject(hit["metadata"])) return hit;
  const { start: _start, end: _end, ...metadata } = hit["metadata"];
  return { ...hit, metadata };
}

function envelope(result: string, metadata: unknown): string {
  return `{"status":"success","result":${result},"connector_metadata":${JSON.stringify(metadata)}}`;
}

/** The client takes only whole milliseconds. */
function wholeTime(meta: ExecuteResult["meta"]): object {
  return typeof meta["took_ms"] === "number" ? { ...meta, took_ms: Math.round(meta["took_ms"]) } : meta;
}

/** One record or a list of records as JSON, each shaped. */
async function jsonOf(data: unknown, shaped: (record: unknown) => unknown): Promise<string> {
  if (!Array.isArray(data)) return JSON.stringify(shaped(data));
  const parts: string[] = [];
  for (let start = 0; start < data.length; start += stretch) {
    if (start > 0) await setImmediate();
    for (const record of data.slice(start, start + stretch)) parts.push(JSON.stringify(shaped(record)));
  }
  return `[${parts.join(",")}]`;
}
