import { typeNameProblem } from "../model/names.ts";

// A draft of a connector's spec: plain values in the shape of the YAML files, which are written and checked like any spec.

export type Draft = { [key: string]: unknown };

export interface DraftConnector {
  readonly connector: Draft;
  /** Entities by their name. */
  readonly entities: Map<string, Draft>;
  /** Lists of the description that became no entity, each with the reason. */
  readonly omitted: readonly string[];
  /** What the author has to decide or check, each with what the description has. */
  readonly open: readonly string[];
}

/** Characters that a name of a draft has at most: a number may follow, and the language allows 64. */
export const longestName = 60;

/** Characters of the names and ids of records, where the description has no bound. */
export const longestId = 255;

/** Names of the parameter with the text that a search looks for. */
export const searchText = /^(q|query|search|jql|term)$/;

/** What stands where the description says nothing. */
export const todo = "TODO";

/** The first sentence of a platform's text, or `TODO`: whole texts are the platform's own. */
export function docOf(text: unknown): string {
  if (typeof text !== "string") return todo;
  const line = text
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]*>/g, "")
    .replace(/\s+/g, " ")
    .trim();
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line;
  // A character outside the basic plane has two units of UTF-16, and no half of it is left.
  const characters = [...sentence];
  return sentence === "" ? todo : characters.length > 200 ? `${characters.slice(0, 199).join("")}…` : sentence;
}

/** `fooBars`, `foo-bars`, `FooBars` → `foo_bars`. */
export function snake(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_");
  const text = words.replace(/^_+|_+$/g, "").toLowerCase();
  return /^[a-z]/.test(text) ? text : `x_${text}`;
}

/** `foo_bar` → `fooBar`. */
export function camel(name: string): string {
  const text = name.replace(/[^A-Za-z0-9]+([A-Za-z0-9])?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? "");
  const lower = text.charAt(0).toLowerCase() + text.slice(1);
  return /^[a-z]/.test(lower) ? lower : `x${lower}`;
}

/** `foo_bar` → `FooBar`. */
export function typeName(name: string): string {
  const text = camel(name);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Plurals of nouns in APIs that do not follow the rules, each with its singular. */
const irregular = new Map([
  ["caches", "cache"],
  ["children", "child"],
  ["cookies", "cookie"],
  ["halves", "half"],
  ["indices", "index"],
  ["movies", "movie"],
  ["people", "person"],
  ["series", "series"],
]);

const pluralOf = new Map([...irregular].map(([many, one]) => [one, many]));

/** The name of one of a list: `companies` → `company`, `bookShelves` → `bookShelf`. */
export function singular(name: string): string {
  const own = withLastWord(name, irregular);
  if (own !== undefined) return own;
  if (/ies$/.test(name)) return name.replace(/ies$/, "y");
  if (/elves$/i.test(name)) return name.replace(/ves$/, "f");
  if (/(ss|us|x|ch|sh)es$/.test(name)) return name.replace(/es$/, "");
  return /[^sui]s$/.test(name) ? name.slice(0, -1) : name;
}

/** The name of many: `company` → `companies`, `bookShelf` → `bookShelves`. */
export function plural(name: string): string {
  const own = withLastWord(name, pluralOf);
  if (own !== undefined) return own;
  if (/elf$/i.test(name)) return name.replace(/f$/, "ves");
  return /s$/.test(name) ? name : /[^aeiou]y$/.test(name) ? name.replace(/y$/, "ies") : `${name}s`;
}

/** A name with its last word replaced; undefined where nothing replaces it. */
function withLastWord(name: string, words: ReadonlyMap<string, string>): string | undefined {
  const [last = ""] = /[A-Za-z][a-z]*$/.exec(name) ?? [];
  const word = words.get(last.toLowerCase());
  return word === undefined ? undefined : `${name.slice(0, -last.length)}${last.charAt(0)}${word.slice(1)}`;
}

/** The name of a type of records; one that generated modules need themselves gets a word more. */
export function recordName(name: string): string {
  return typeNameProblem(name) === undefined ? name : `${name}Record`;
}

/** The fields that identify a record: the usual ones, else its first single value. Undefined where it has none. */
export function keyOfFields(fields: Draft): string | undefined {
  const single = Object.keys(fields).filter(
    (name) => !/^\[|^object|^[A-Z]/.test(String((fields[name] as Draft | null)?.["type"])),
  );
  const usual = ["id", "key", "uuid", "gid", "ts", "name"].find((name) => single.includes(name));
  // The name of somebody stands before the id: members of a group may share their names.
  return usual ?? [`${single[0]}Id`].find((name) => single.includes(name)) ?? single[0];
}

/** How cached search finds records by a field: `undefined` for values that are long or of no use to a searcher. */
export function searchOf(name: string, type: string): string | undefined {
  const bare = type.replace("?", "");
  if (bare === "[string]") return "exact";
  if (bare.startsWith("[") || bare === "object" || bare === "json") return undefined;
  if (bare !== "string") return /^[A-Z]/.test(bare) || bare !== "object" ? "exact" : undefined;
  if (/(avatar|image|thumbnail|picture|color|icon|cursor|hash|data|html)/i.test(name)) return undefined;
  if (/(body|message|content|text|description|comment|note)/i.test(name)) return "text";
  if (/(url|uri|link|href)$/i.test(name)) return undefined;
  if (/(name|title|label|subject|summary|e-?mail|login|handle)$/i.test(name)) return "name";
  return "exact";
}

/** The keys by which cached search and a search by meaning find records by a field. The latter is for texts that people write at length. */
export function foundBy(name: string, type: string): Draft {
  const search = searchOf(name, type);
  if (search === undefined) return {};
  const isProse = search === "text" && /(^|_)(body|content|description|message|text)$/i.test(name);
  return { search, ...(isProse ? { semantic: { window: 2048 } } : {}) };
}

/** What tells a hit of a search by meaning from others: its key, and what it is called. */
export function hitOf(fields: Draft, keys: readonly string[]): Draft {
  const all = Object.entries(fields) as [string, Draft][];
  if (all.every(([, { semantic }]) => semantic === undefined)) return {};
  const called = all.find(([name, { search }]) => search === "name" && /^(name|title|subject|label)$/.test(name))?.[0];
  return { hit: Object.fromEntries([...keys, called].flatMap((name) => (name === undefined ? [] : [[name, name]]))) };
}

/** The parameters that every paged list has. */
export const pageParams: Draft = {
  per_page: { type: "integer", default: 30, range: [1, 100], doc: "Records per page." },
  after: {
    type: "string",
    length: [0, 2048],
    doc: "Cursor: `end_cursor` of the previous response. An empty string means the first page.",
  },
};

/** A text of each format that JSON Schema names. */
const texts = new Map(
  Object.entries({
    uuid: "7b0d2f8e-5c1a-4f3b-9e6d-2a4c8b1f0e35",
    email: "ana@example.com",
    uri: "https://example.com",
    url: "https://example.com",
    hostname: "example.com",
    ipv4: "192.0.2.1",
    ipv6: "2001:db8::1",
    date: "2026-01-01",
    "date-time": "2026-01-01T00:00:00Z",
    time: "09:00:00Z",
  }),
);

/**
 * A value that a parameter accepts: its example, or one of its type.
 *
 * @param format of a text, as the description has it
 */
export function exampleOf({ type, example, range, length }: Draft, enums: Draft, format?: unknown): unknown {
  if (example !== undefined) return example;
  const bare = String(type).replace("?", "");
  const element = /^\[(.*)\]$/.exec(bare)?.[1];
  if (element !== undefined) return [exampleOf({ type: element, range, length }, enums, format)];
  if (bare === "object") return {};
  const [least = 1, most = 255] = (range ?? length ?? []) as number[];
  if (bare === "integer" || bare === "number") return Math.min(most, Math.max(1, least));
  if (bare === "boolean") return true;
  if (bare === "timestamp") return "2026-01-01T00:00:00Z";
  if (bare === "date") return "2026-01-01";
  const values = (enums[bare] as Draft | undefined)?.["values"];
  if (values !== undefined) return Object.keys(values as Draft)[0];
  const text = texts.get(String(format)) ?? "";
  return text.length >= Math.max(1, least) && text.length <= most ? text : "example".padEnd(least, "-").slice(0, most);
}

/** The integers of GraphQL (3.5.1), and of the format `int32`. */
export const int32 = [-2147483648, 2147483647] as const;

export interface Bounds {
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/**
 * A parameter of a scalar type with the bounds that it must have.
 *
 * @param given what the description says
 * @param usual what is drafted where it says nothing
 */
export function boundedParam(type: string, more: Draft, given: Bounds = {}, usual: Bounds = {}): Draft {
  const bare = type.replace("?", "");
  const element = bare.replace(/[[\]]/g, "");
  const items = bare.startsWith("[") ? { items: itemsOf({}) } : {};
  if (element === "integer" || element === "number") {
    const widest = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;
    const range = boundsOf(given, usual, element === "number" ? widest : int32, widest, element === "number");
    return { type, ...items, range, ...more };
  }
  if (bare === "string" || bare === "id") return { type, length: boundsOf(given, usual, [0, 4096], [0, 10_000_000]), ...more };
  return { type, ...items, ...more };
}

/** How many elements a list has. */
export const itemsOf = (given: Bounds) => boundsOf(given, {}, [0, 100], [0, 100_000]);

/**
 * Bounds that the spec language has: whole numbers within its own limits. Where one is given, the other one gives way to it.
 *
 * @param isWider for values that are not whole: the next whole bounds around the given ones
 */
function boundsOf(
  { least, most }: Bounds,
  usual: Bounds,
  [fewest, largest]: readonly [number, number],
  [lowest, highest]: readonly [number, number],
  isWider = false,
): number[] {
  const [start, end] = [usual.least ?? fewest, usual.most ?? largest];
  const from = least ?? (most !== undefined && most < start ? lowest : start);
  const to = most ?? (least !== undefined && least > end ? highest : end);
  const whole = isWider ? [Math.floor(from), Math.ceil(to)] : [Math.ceil(from), Math.floor(to)];
  // A bound of -0 is written as 0.
  return whole.map((bound) => Math.min(highest, Math.max(lowest, bound)) || 0);
}
