import type { Issue } from "../../generated/github/issues.ts";
import type { Column } from "../../runtime/store/sqlite/tables/layout.ts";
import { layout } from "./search-file.ts";
import { misspelt, Random, type Records } from "./search-records.ts";

/** Parameters of `context_store_search`. */
export interface Search {
  readonly filter?: object;
  readonly sort?: readonly Readonly<Record<string, "asc" | "desc">>[];
  readonly limit: number;
  readonly cursor?: string;
  readonly count?: true;
  readonly groupBy?: readonly string[];
}

/** What a person would write for this file: everything behind `SELECT found, body`. */
export interface HandWritten {
  readonly text: string;
  readonly params: readonly (string | number | null)[];
}

/** For scans of all records in memory, in MongoDB's words. */
export interface Scan {
  readonly filter: Readonly<Record<string, unknown>>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
}

export interface Case {
  readonly search: Search;
  /** The best of them counts. */
  readonly byHand: readonly HandWritten[];
  readonly scan?: Scan;
  /** Page to begin at, which the cursor of the row before gives. */
  readonly behind?: { readonly rows: number };
}

export interface Class {
  readonly name: string;
  /** What each point has to stay under, in milliseconds, at 1,000,000 records. */
  readonly aims: { readonly p50?: number; readonly p95?: number };
  /** Its p95 may be no slower at 1,000,000 than 1.3 times the same at 100,000. */
  readonly flat?: true;
  readonly make: (records: Records, random: Random) => Case;
}

const day = 86_400_000;
const begin = Date.UTC(2016, 0, 1);
const n = `${layout.narrow} n`;
const w = `CROSS JOIN ${layout.wide} w ON w.id = n.id`;
const first = 20;
const many = 1_000;

function column(field: string): Column {
  const found = layout.columns.get(field);
  if (found === undefined) throw new Error(`no field ${field}`);
  return found;
}

const sqlOf = (field: string) => column(field).sql;
const by = (index: string | undefined) => `${n} INDEXED BY ${index}`;
const byField = (field: string) => by(column(field).index);
const words = (field: string) => column(field).words ?? { index: "", vocabulary: "" };

/** Driven by an index, the rest tested; in the order of the key. */
function driven(from: string, where: string, params: HandWritten["params"], limit: number, order = "n.k"): HandWritten {
  return { text: `FROM ${from} ${w} WHERE n.inst = 1 AND ${where} ORDER BY ${order} LIMIT ${limit}`, params };
}

function matching(
  field: string,
  match: string,
  where: string,
  params: HandWritten["params"],
  limit: number,
  order = "n.k",
): HandWritten {
  const { index } = words(field);
  return {
    text: `FROM ${index} CROSS JOIN ${n} ON n.id = ${index}.rowid ${w} WHERE ${index} MATCH ? AND n.inst = 1 AND ${where} ORDER BY ${order} LIMIT ${limit}`,
    params: [match, ...params],
  };
}

/** In the order of an index, words tested against a list of ids. */
function walking(
  from: string,
  field: string,
  match: string,
  where: string,
  params: HandWritten["params"],
  limit: number,
  order = "n.k",
): HandWritten {
  const { index } = words(field);
  return driven(
    from,
    `n.id IN (SELECT rowid FROM ${index} WHERE ${index} MATCH ?) AND ${where}`,
    [match, ...params],
    limit,
    order,
  );
}

const wordOf = (text: string) => new RegExp(`(?<![\\p{L}\\p{M}\\p{N}])${text}(?![\\p{L}\\p{M}\\p{N}])`, "iu");
const inOrder = { id: 1 } as const;
const newest = [{ updatedAt: "desc" }] as const;
const newestOrder = `${sqlOf("updatedAt")} DESC, n.k`;

function aRecord(records: Records, random: Random): Issue {
  return records.record(random.int(0, records.size - 1));
}

/** Ranks from a range, each order of magnitude as likely as the next. */
function rank(random: Random, low: number, high: number): number {
  return Math.min(high, Math.floor(low * (high / low) ** random.next()));
}

function iso(instant: number): string {
  return new Date(instant).toISOString();
}

/** Part of a word that is neither its beginning nor its end. */
function inside(word: string, random: Random): string {
  const length = Math.min(random.int(4, 6), word.length);
  const at = random.int(0, word.length - length);
  return word.slice(at, at + length);
}

function rangeOf(field: "createdAt" | "updatedAt", days: number, limit: number, sorted: "asc" | "desc" | undefined) {
  return (_records: Records, random: Random): Case => {
    const from = begin + random.int(0, 3_600) * day;
    const to = from + days * day;
    const [start, end] = [iso(from), iso(to)];
    return {
      search: {
        filter: { gte: { [field]: start }, lt: { [field]: end } },
        limit,
        ...(sorted === undefined ? {} : { sort: [{ [field]: sorted }] }),
      },
      byHand: [
        driven(
          byField(field),
          `${sqlOf(field)} >= ? AND ${sqlOf(field)} < ?`,
          [from, to],
          limit,
          sorted === undefined ? "n.k" : `${sqlOf(field)} ${sorted}, n.k`,
        ),
      ],
      scan: {
        filter: { [field]: { $gte: start.slice(0, 19), $lt: end.slice(0, 19) } },
        sort: sorted === undefined ? inOrder : { [field]: sorted === "asc" ? 1 : -1, id: 1 },
      },
    };
  };
}

function inOf(field: "id" | "databaseId" | "number", limit: number) {
  return (records: Records, random: Random): Case => {
    const values = Array.from({ length: 50 }, () => aRecord(records, random)[field] ?? 0);
    const list = values.map(() => "?").join(", ");
    return {
      search: { filter: { in: { [field]: values } }, limit },
      byHand: [
        driven(byField(field), `${sqlOf(field)} IN (${list})`, values, limit),
        driven(by(layout.keyIndex), `+${sqlOf(field)} IN (${list})`, values, limit),
      ],
      scan: { filter: { [field]: { $in: values } }, sort: inOrder },
    };
  };
}

function infix(field: "title" | "body") {
  return (records: Records, random: Random): Case => {
    const part = inside(records.word(rank(random, 1_000, 49_999)), random);
    const folded = field === "title" ? `n."~title"` : `lower(${sqlOf("body")})`;
    const { index, vocabulary } = words(field);
    const listed = `(SELECT coalesce(group_concat('"' || word || '"', ' OR '), '""') FROM ${vocabulary} WHERE instr(word, ?) > 0)`;
    return {
      search: { filter: { like: { [field]: `%${part}%` } }, limit: first },
      byHand: [
        {
          text: `FROM ${index} CROSS JOIN ${n} ON n.id = ${index}.rowid ${w} WHERE ${index} MATCH ${listed} AND n.inst = 1 ORDER BY n.k LIMIT ${first}`,
          params: [part],
        },
        driven(by(layout.keyIndex), `instr(${folded}, ?) > 0`, [part], first),
      ],
      scan: { filter: { [field]: new RegExp(part, "i") }, sort: inOrder },
    };
  };
}

function keyword(low: number, high: number, limit: number, sorted: boolean) {
  return (records: Records, random: Random): Case => {
    const word = records.word(rank(random, low, high));
    const sort = sorted ? { sort: newest } : {};
    const order = sorted ? newestOrder : "n.k";
    return {
      search: { filter: { keyword: { body: word } }, limit, ...sort },
      byHand: [
        matching("body", `"${word}"`, "TRUE", [], limit, order),
        walking(sorted ? byField("updatedAt") : by(layout.keyIndex), "body", `"${word}"`, "TRUE", [], limit, order),
      ],
      scan: { filter: { body: wordOf(word) }, sort: sorted ? { updatedAt: -1, id: 1 } : inOrder },
    };
  };
}

function fuzzy(field: "title" | "body", count: number) {
  return (records: Records, random: Random): Case => {
    const given = Array.from({ length: count }, () => misspelt(records.word(rank(random, 500, 49_999)), random));
    // Without words that occur together nothing is found: the two come from one title.
    const together = aRecord(records, random)
      .title.split(" ")
      .slice(1, 1 + count);
    const text = count === 1 ? given[0] : together.map((word) => misspelt(word, random)).join(" ");
    return { search: { filter: { fuzzy: { [field]: text } }, limit: first }, byHand: [] };
  };
}

/** Five conditions of which another one is the rarest in every kind, and the others have many records. */
function compound(records: Records, random: Random): Case {
  const record = aRecord(records, random);
  const kind = random.int(0, 4);
  const rare = { word: records.word(rank(random, 3_000, 40_000)), days: 2, repository: record.repository, number: record.number };
  const created = Date.parse(record.createdAt);
  const [from, to] =
    kind === 1
      ? [created - rare.days * day, created + rare.days * day]
      : [begin + random.int(0, 900) * day, begin + random.int(2_700, 3_600) * day];
  const word = kind === 0 ? rare.word : records.word(rank(random, 1, 60));
  const repository = kind === 2 ? rare.repository : undefined;
  const number = kind === 3 ? rare.number : undefined;
  const prefix = kind === 4 ? record.title.slice(0, 6) : undefined;
  const comments = random.int(1, 4);
  const state = random.pick(["open", "closed"] as const);
  const fifth =
    repository !== undefined
      ? { eq: { repository } }
      : number !== undefined
        ? { eq: { number } }
        : prefix !== undefined
          ? { like: { title: `${prefix}%` } }
          : { neq: { stateReason: "duplicate" } };
  const [fifthSql, fifthParams]: [string, (string | number)[]] =
    repository !== undefined
      ? [`${sqlOf("repository")} = ?`, [repository]]
      : number !== undefined
        ? [`${sqlOf("number")} = ?`, [number]]
        : prefix !== undefined
          ? [`(n."~title" >= ? AND n."~title" < ?)`, [prefix.toLowerCase(), `${prefix.toLowerCase()}\u{10ffff}`]]
          : [`${sqlOf("stateReason")} IS NOT ?`, ["duplicate"]];
  const fifthIndex =
    repository !== undefined
      ? [column("repository").index]
      : number !== undefined
        ? [column("number").index]
        : prefix !== undefined
          ? [column("title").foldedIndex]
          : [];
  const fifthScan =
    repository !== undefined
      ? { repository }
      : number !== undefined
        ? { number }
        : prefix !== undefined
          ? { title: new RegExp(`^${prefix}`, "i") }
          : { stateReason: { $ne: "duplicate" } };
  const plain = `${sqlOf("state")} = ? AND ${sqlOf("createdAt")} >= ? AND ${sqlOf("createdAt")} < ? AND ${sqlOf("commentCount")} >= ? AND ${fifthSql}`;
  const params = [state, from, to, comments, ...fifthParams];
  const composite = layout.composites.find(({ fixed, by: then }) => fixed === "state" && then === "createdAt")?.name;
  return {
    search: {
      filter: {
        and: [
          { eq: { state } },
          { gte: { createdAt: iso(from) } },
          { lt: { createdAt: iso(to) } },
          { keyword: { body: word } },
          { gte: { commentCount: comments } },
          fifth,
        ],
      },
      sort: newest,
      limit: first,
    },
    byHand: [
      matching("body", `"${word}"`, plain, params, first, newestOrder),
      ...[column("createdAt").index, composite, column("commentCount").index, ...fifthIndex].map((index) =>
        walking(by(index), "body", `"${word}"`, plain, params, first, newestOrder),
      ),
      walking(byField("updatedAt"), "body", `"${word}"`, plain, params, first, newestOrder),
    ],
    scan: {
      filter: {
        state,
        createdAt: { $gte: iso(from).slice(0, 19), $lt: iso(to).slice(0, 19) },
        body: wordOf(word),
        commentCount: { $gte: comments },
        ...fifthScan,
      },
      sort: { updatedAt: -1, id: 1 },
    },
  };
}

function neq(records: Records, random: Random): Case {
  const [field, value] = random.pick([
    ["state", random.pick(["open", "closed"])],
    ["stateReason", random.pick(["completed", "not_planned", "duplicate"])],
    ["repository", random.pick(records.repositories)],
    ["number", random.int(1, 200)],
  ] as const);
  const sorted = random.pick(["updatedAt", "createdAt"] as const);
  return {
    search: { filter: { neq: { [field]: value } }, sort: [{ [sorted]: "desc" }], limit: first },
    byHand: [driven(byField(sorted), `${sqlOf(field)} IS NOT ?`, [value], first, `${sqlOf(sorted)} DESC, n.k`)],
    scan: { filter: { [field]: { $ne: value } }, sort: { [sorted]: -1, id: 1 } },
  };
}

function stateSorted(_records: Records, random: Random): Case {
  const [field, value] = random.pick([
    ["state", "open"],
    ["state", "closed"],
    ["stateReason", random.pick(["completed", "not_planned", "duplicate", "reopened"])],
  ] as const);
  const sorted = random.pick(["updatedAt", "createdAt"] as const);
  const direction = random.pick(["asc", "desc"] as const);
  const limit = random.int(15, 25);
  const index = layout.composites.find(({ fixed, by: then }) => fixed === field && then === sorted)?.name;
  return {
    search: { filter: { eq: { [field]: value } }, sort: [{ [sorted]: direction }], limit },
    byHand: [driven(by(index), `${sqlOf(field)} = ?`, [value], limit, `${sqlOf(sorted)} ${direction}, n.k`)],
    scan: { filter: { [field]: value }, sort: { [sorted]: direction === "asc" ? 1 : -1, id: 1 } },
  };
}

/** The records of the benchmark are stored without these, which a sync makes of objects: all would be without a value. */
const made = ["authorLogin", "milestoneTitle"];
const sortable = [...layout.columns.values()]
  .filter(({ field, index, type }) => index !== undefined && type !== "boolean" && !made.includes(field))
  .map(({ field }) => field);

function sortedBy(_records: Records, random: Random): Case {
  const field = random.pick(sortable);
  const direction = random.pick(["asc", "desc"] as const);
  const limit = random.int(15, 25);
  return {
    search: { sort: [{ [field]: direction }], limit },
    byHand: [
      driven(
        byField(field),
        `${sqlOf(field)} IS NOT NULL`,
        [],
        limit,
        `${sqlOf(field)} ${direction}${field === "id" ? "" : ", n.k"}`,
      ),
    ],
    // Null is last for us, first for others.
    ...(["closedAt", "stateReason"].includes(field)
      ? {}
      : { scan: { filter: {}, sort: { [field]: direction === "asc" ? 1 : -1, id: 1 } as const } }),
  };
}

function deepPage(_records: Records, random: Random): Case {
  const sorted = random.pick(["updatedAt", "createdAt"] as const);
  const state = random.pick(["open", "closed", undefined]);
  const index =
    state === undefined
      ? column(sorted).index
      : layout.composites.find(({ fixed, by: then }) => fixed === "state" && then === sorted)?.name;
  const rows = first * random.int(480, 520);
  return {
    search: { ...(state === undefined ? {} : { filter: { eq: { state } } }), sort: [{ [sorted]: "desc" }], limit: first },
    byHand: [
      driven(
        by(index),
        `${state === undefined ? "TRUE" : `${sqlOf("state")} = '${state}'`}`,
        [],
        first,
        `${sqlOf(sorted)} DESC, n.k`,
      ),
    ],
    behind: { rows },
  };
}

export const classes: readonly Class[] = [
  {
    name: "eq number, 1,000 rows",
    aims: { p50: 5 },
    make: (_records, random) => {
      const number = random.int(1, 250);
      return {
        search: { filter: { eq: { number } }, limit: many },
        byHand: [driven(byField("number"), `${sqlOf("number")} = ?`, [number], many)],
        scan: { filter: { number }, sort: inOrder },
      };
    },
  },
  {
    name: "eq repository, up to 1,000 rows",
    aims: { p50: 5 },
    make: (records, random) => {
      const repository = records.repositories[random.int(0, 199)] ?? "";
      return {
        search: { filter: { eq: { repository } }, limit: many },
        byHand: [driven(byField("repository"), `${sqlOf("repository")} = ?`, [repository], many)],
        scan: { filter: { repository }, sort: inOrder },
      };
    },
  },
  { name: "date range, 1,000 rows", aims: { p50: 5 }, make: rangeOf("createdAt", 5, many, undefined) },
  { name: "date range sorted, 1,000 rows", aims: { p50: 5 }, make: rangeOf("updatedAt", 60, many, "desc") },
  { name: "date range sorted, 20 rows", aims: { p95: 1 }, flat: true, make: rangeOf("createdAt", 365, first, "desc") },
  { name: "state with sort, 20 rows", aims: { p95: 1 }, flat: true, make: stateSorted },
  { name: "in of 50 ids", aims: { p50: 5 }, make: inOf("id", many) },
  { name: "in of 50 databaseIds", aims: { p50: 5 }, make: inOf("databaseId", many) },
  { name: "in of 50 numbers, 20 rows", aims: { p50: 5 }, make: inOf("number", first) },
  {
    name: "prefix of title",
    aims: { p50: 5 },
    make: (records, random) => {
      const prefix = aRecord(records, random).title.slice(0, random.int(4, 12)).toLowerCase();
      return {
        search: { filter: { like: { title: `${prefix}%` } }, limit: first },
        byHand: [
          driven(by(column("title").foldedIndex), `n."~title" >= ? AND n."~title" < ?`, [prefix, `${prefix}\u{10ffff}`], first),
          driven(by(layout.keyIndex), `n."~title" >= ? AND n."~title" < ?`, [prefix, `${prefix}\u{10ffff}`], first),
        ],
        scan: { filter: { title: new RegExp(`^${prefix}`, "i") }, sort: inOrder },
      };
    },
  },
  { name: "infix of title", aims: { p50: 8 }, make: infix("title") },
  { name: "infix of body", aims: { p50: 8 }, make: infix("body") },
  { name: "words, rare", aims: { p50: 10 }, make: keyword(5_000, 49_999, first, false) },
  { name: "words, rare, sorted", aims: { p50: 10 }, make: keyword(5_000, 49_999, first, true) },
  { name: "words, in between", aims: { p50: 30 }, make: keyword(200, 5_000, first, false) },
  { name: "words, in between, sorted", aims: { p50: 30 }, make: keyword(200, 5_000, first, true) },
  { name: "words, common", aims: { p50: 30 }, make: keyword(1, 200, first, false) },
  { name: "words, common, sorted", aims: { p50: 30 }, make: keyword(1, 200, first, true) },
  { name: "words, common, 1,000 rows", aims: { p50: 30 }, make: keyword(1, 200, many, false) },
  { name: "fuzzy, title", aims: { p50: 5 }, make: fuzzy("title", 1) },
  { name: "fuzzy, body", aims: { p50: 5 }, make: fuzzy("body", 1) },
  { name: "fuzzy, two words of title", aims: { p50: 5, p95: 15 }, make: fuzzy("title", 2) },
  { name: "five conditions", aims: { p50: 8, p95: 12 }, make: compound },
  { name: "neq with sort, 20 rows", aims: { p95: 1 }, flat: true, make: neq },
  { name: "page 500 by cursor", aims: { p95: 1 }, flat: true, make: deepPage },
  { name: "sorted first pages", aims: { p95: 1 }, flat: true, make: sortedBy },
];

/** So many questions of a class, the same ones in every run. @param index of the class */
export function casesOf(one: Class, index: number, records: Records, count: number): Case[] {
  const random = new Random(index + 1);
  return Array.from({ length: count }, () => one.make(records, random));
}
