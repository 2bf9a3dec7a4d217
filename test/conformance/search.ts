import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { StorePlan } from "../../runtime/contract/index.ts";
import {
  keyText,
  positionOf,
  QueryParser,
  type RecordObject,
  readCursor,
  type SearchQuery,
  writeCursor,
} from "../../runtime/search/index.ts";

/** A search and what it must find, whatever the store. `keys`: the records' keys as `keyText` writes them, in order. */
export type Search = (
  plan: StorePlan,
  records: readonly RecordObject[],
  query: SearchQuery,
) => Promise<{ keys: string[]; more: boolean }>;

/** A key as a person writes it: the value of its only part, or the values of all parts. */
type WrittenKey = unknown;

interface Case {
  readonly name: string;
  readonly filter?: unknown;
  readonly sort?: unknown;
  readonly limit?: number;
  /** What is found, in order; all pages of a walk together. */
  readonly keys: readonly WrittenKey[];
  readonly more?: boolean;
  /** Walk with pages of this size. */
  readonly walk?: number;
  /** The records that there are on the first page of a walk, and on later ones; all when absent. */
  readonly earlier?: readonly WrittenKey[];
  readonly later?: readonly WrittenKey[];
}

interface CaseFile {
  readonly plan: StorePlan;
  readonly records: readonly RecordObject[];
  readonly cases: readonly Case[];
}

const folder = join(import.meta.dirname, "search");
const files = readdirSync(folder)
  .sort()
  .map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(join(folder, name), "utf8")) as CaseFile] as const);

/** Operators and parts of a query that have cases. */
export const conformanceFiles: readonly string[] = files.map(([name]) => name);

/** Registers the cases for one implementation. The records of one file are one and the same list in all calls without a change. */
export function conformance(name: string, search: Search): void {
  describe(`${name}, by the cases of`, () => {
    describe.each(files)("%s", (_file, { plan, records, cases }) => {
      const record = (key: WrittenKey) => recordOf(plan, records, key);
      const text = (key: WrittenKey) => keyText(plan, record(key));
      it.each(cases)("$name", async ({ limit = 1000, more = false, walk, earlier, later, keys, ...given }) => {
        const query = read(plan, given);
        const wanted = keys.map(text);
        const first = earlier?.map(record) ?? records;
        const others = later?.map(record) ?? records;
        if (earlier === undefined && later === undefined)
          expect(await search(plan, records, { ...query, limit })).toEqual({ keys: wanted, more });
        if (walk !== undefined) {
          const found = await walkThrough(search, plan, { ...query, limit: walk }, (page) => (page === 0 ? first : others));
          expect(found).toEqual(wanted);
        }
      });
    });

    describe.each(hardTexts)("%s", (_text, value) => {
      const plan: StorePlan = {
        key: ["id"],
        fields: {
          id: { type: "string", index: "exact" },
          title: { type: "string", index: "name" },
          body: { type: "string", index: "text" },
        },
      };
      const records = [{ id: "it", title: value, body: value }];
      it.each(hardOperands)("gives the right records for %s", async (_operand, condition, finds) => {
        for (const field of ["title", "body"]) {
          const filter = Object.fromEntries(
            Object.entries(condition).map(([operator, operand]) => [operator, { [field]: operand }]),
          );
          const query = read(plan, { filter });
          expect(await search(plan, records, { ...query, limit: 1 })).toEqual({ keys: finds ? ["it"] : [], more: false });
        }
      });
    });
  });
}

/** Texts and operands that are slow where a search goes back and tries again. */
const hardTexts: readonly (readonly [string, string])[] = [
  ["a text of 100,000 letters a", "a".repeat(100_000)],
  ["a text of 50,000 words a", "a ".repeat(50_000)],
  ["a text of 50,000 letters a and emoji", "a\u{1f600}".repeat(50_000)],
];

const hardOperands: readonly (readonly [string, Readonly<Record<string, string>>, boolean])[] = [
  ["like with 1,024 parts", { like: `${"%a".repeat(1023)}%` }, true],
  ["like with 1,023 parts of which the last is not there", { like: `${"%a".repeat(1023)}b` }, false],
  ["like with a long part that nearly fits everywhere", { like: `%${"a".repeat(2045)}b%` }, false],
  ["like with a long part of single characters that nearly fits everywhere", { like: `%${"_".repeat(2045)}b%` }, false],
  ["like with 70 single characters", { like: `%${"_".repeat(70)}%` }, true],
  ["like with single characters between letters", { like: `%${"_a".repeat(1022)}_b%` }, false],
  ["keyword with 800 words", { keyword: Array.from({ length: 400 }, (_, index) => `b${index % 10} c`).join(" ") }, false],
  [
    "keyword with long words that nearly fit",
    { keyword: Array.from({ length: 60 }, (_, at) => `${"a".repeat(at)}b`).join(" ") },
    false,
  ],
  ["fuzzy with 1,000 words of which the last is not there", { fuzzy: `${"a ".repeat(1000)}bbb` }, false],
  ["fuzzy with one word of 2,048 letters", { fuzzy: "ab".repeat(1024) }, false],
];

/** Filter and sort as the runtime reads them. */
function read(
  plan: StorePlan,
  given: { readonly filter?: unknown; readonly sort?: unknown },
): Pick<SearchQuery, "filter" | "sort"> {
  const parser = new QueryParser("records", plan.fields);
  const filter = given.filter === undefined ? undefined : parser.filter(given.filter, ["filter"]);
  const sort = given.sort === undefined ? [] : parser.sort(given.sort, ["sort"]);
  expect(parser.faults).toEqual([]);
  return { sort, ...(filter === undefined ? {} : { filter }) };
}

/** Goes from page to page by cursor, to the end. */
async function walkThrough(
  search: Search,
  plan: StorePlan,
  query: Omit<SearchQuery, "after">,
  recordsAt: (page: number) => readonly RecordObject[],
): Promise<string[]> {
  const found: string[] = [];
  let after: SearchQuery["after"];
  for (let page = 0; ; page++) {
    const records = recordsAt(page);
    const { keys, more } = await search(plan, records, { ...query, ...(after === undefined ? {} : { after }) });
    found.push(...keys);
    const last = records.find((one) => keyText(plan, one) === keys.at(-1));
    if (!more || last === undefined) return found;
    expect(keys.length).toBe(query.limit);
    after = readCursor("records", query, plan, writeCursor("records", query, positionOf(last, query.sort, plan)));
    expect(after).toBeDefined();
  }
}

function recordOf(plan: StorePlan, records: readonly RecordObject[], key: WrittenKey): RecordObject {
  const wanted = JSON.stringify(Array.isArray(key) ? key : [key]);
  const found = records.find((record) => JSON.stringify(plan.key.map((path) => valueAt(record, path))) === wanted);
  if (found === undefined) throw new Error(`no record has the key ${wanted}`);
  return found;
}

function valueAt(record: RecordObject, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) value = (value as RecordObject | null | undefined)?.[name];
  return value ?? null;
}
