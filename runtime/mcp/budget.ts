import { type Cut, shortened } from "./shorten.ts";

export type Meta = Readonly<Record<string, unknown>>;

export interface Response {
  readonly data: unknown;
  readonly meta: Meta;
  /** Both as JSON, where that exists already. It is passed on, and `data` is parsed only where somebody needs the values. */
  readonly text?: string;
}

/** A response whose records are bytes of JSON, which are parsed only on demand. */
export function asText(response: Response & { readonly json?: Uint8Array | undefined }): Response {
  const { json, meta } = response;
  if (json === undefined) return response;
  return {
    get data() {
      return response.data;
    },
    meta,
    text: `{"data":${Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString()},"meta":${JSON.stringify(meta)}}`,
  };
}

export interface Fitted {
  readonly response: Response;
  /** How many records of the list were kept, and how many were left out at its end. To count those that were kept may take parsing. */
  readonly kept: number;
  readonly left: number;
}

/** The most bytes of the text of a tool's result. A model reads about a token for every four of them. */
export const responseBytes = 48 * 1024;

/**
 * The most bytes of records that a cached search reads for one result: more than fit, so that long texts can be shortened to show more
 * records.
 */
export const searchedBytes = 512 * 1024;

/** Limits for texts (characters) and for lists inside records (elements) that are tried one after the other, until the response fits. */
const forList = [{ text: 4000 }, { text: 1000 }, { text: 250 }] as const;
const forRecord = [...forList, { text: 250, list: 20 }, { text: 100, list: 5 }] as const;
/** The most cuts that are listed. */
const mostCuts = 40;

export interface FitOptions {
  readonly most?: number | undefined;
  /** Members of `meta` for a list of which only so many records were kept. */
  readonly ended?: (kept: number) => Meta;
  /** What was left out before. */
  readonly cuts?: readonly Cut[];
}

/**
 * Shortens a response until the result of the tool has at most so many bytes: first its long texts, then its list of records from the end,
 * of which at least one record stays. `meta.cuts` lists what was left out, and long texts are marked.
 */
export function fitted(
  given: Response,
  { most = responseBytes, ended = () => ({}), cuts: earlier = [] }: FitOptions = {},
): Fitted {
  const whole = earlier.length > 0 ? undefined : wholeText(given, most);
  if (whole !== undefined)
    return {
      response: whole,
      get kept() {
        return countOf(whole.data);
      },
      left: 0,
    };
  const { data } = given;
  const { meta, cuts: metaCuts } = fittedMeta(given.meta, most / 4);
  const response = (some: unknown, cuts: readonly Cut[], more: Meta = {}): Response => ({
    data: some,
    meta: { ...meta, ...more, ...noted([...earlier, ...metaCuts, ...cuts], all !== undefined) },
  });
  const all: readonly unknown[] | undefined = Array.isArray(data) ? data : undefined;
  const count = countOf(data);
  let cuts: Cut[] = [];
  let short: unknown = data;
  for (const limits of [{}, ...(all === undefined ? forRecord : forList)]) {
    cuts = [];
    short = shortened(data, limits, "data", cuts);
    const shorter = response(short, cuts);
    if (fits(shorter, most)) return { response: shorter, kept: count, left: 0 };
  }
  if (all === undefined || !Array.isArray(short))
    return { response: response(null, [{ path: "data", left_out: 1, unit: "records" }]), kept: 0, left: 0 };
  const list: readonly unknown[] = short;
  const part = (kept: number): Response => {
    const own = cuts.filter(({ path }) => Number(path.split(".")[1]) < kept);
    const left: Cut = { path: "data", left_out: count - kept, unit: "records" };
    return response(list.slice(0, kept), [left, ...own], ended(kept));
  };
  for (let kept = fitting(list, most - sentBytes(part(0))); kept > 0; kept--) {
    const first = part(kept);
    if (fits(first, most)) return { response: first, kept, left: count - kept };
  }
  return { response: oneOf(all, { most, response, more: ended(1) }), kept: 1, left: count - 1 };
}

/** The response with its JSON, which is made once; undefined where it does not fit. */
function wholeText(given: Response, most: number): Response | undefined {
  if (given.text !== undefined) return sentLength(given.text) + frame <= most ? given : undefined;
  const { data, meta } = given;
  if (leastBytes({ data, meta }, most) > most) return undefined;
  const text = JSON.stringify({ data, meta });
  return sentLength(text) + frame <= most ? { data, meta, text } : undefined;
}

function countOf(data: unknown): number {
  return Array.isArray(data) ? data.length : 1;
}

interface One {
  readonly most: number;
  readonly response: (data: unknown, cuts: readonly Cut[], more: Meta) => Response;
  readonly more: Meta;
}

/** The first record of a list, which alone is too long: with its inner lists cut too, or null in its place. */
function oneOf(data: readonly unknown[], { most, response, more }: One): Response {
  const others: readonly Cut[] = data.length === 1 ? [] : [{ path: "data", left_out: data.length - 1, unit: "records" }];
  const meta = data.length === 1 ? {} : more;
  for (const limits of forRecord) {
    const cuts: Cut[] = [];
    const short = [shortened(data[0], limits, "data.0", cuts)];
    const whole = response(short, [...others, ...cuts], meta);
    if (fits(whole, most)) return whole;
  }
  return response([null], [...others, { path: "data.0", left_out: 1, unit: "records" }], meta);
}

/** How many elements from the beginning fit, probably. */
function fitting(list: readonly unknown[], most: number): number {
  let size = 0;
  for (const [index, one] of list.entries()) {
    size += sentBytes(one);
    if (size > most) return index;
  }
  return list.length;
}

/** Cursors must stay whole. */
const cursors: readonly string[] = ["end_cursor", "cursor"];

/** Metadata in so many bytes, such as that of a response with hundreds of warnings. */
function fittedMeta(given: Meta, most: number): { readonly meta: Meta; readonly cuts: readonly Cut[] } {
  if (fits(given, most)) return { meta: given, cuts: [] };
  const isCursor = ([name]: [string, unknown]) => cursors.includes(name);
  const whole = Object.fromEntries(Object.entries(given).filter(isCursor));
  const rest = Object.fromEntries(Object.entries(given).filter((one) => !isCursor(one)));
  for (const limits of forRecord) {
    const cuts: Cut[] = [];
    const short = shortened(rest, limits, "meta", cuts) as Meta;
    if (fits(short, most)) return { meta: { ...short, ...whole }, cuts };
  }
  const flat = Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value !== "object"));
  return { meta: { ...flat, ...whole }, cuts: [{ path: "meta", left_out: 1, unit: "elements" }] };
}

/** The members of `meta` that say what was left out. @param isList the data is a list, so that a cursor leads to the rest */
function noted(cuts: readonly Cut[], isList: boolean): Meta {
  if (cuts.length === 0) return {};
  const records = cuts.filter(({ unit }) => unit === "records");
  const advice = isList && records.some(({ path }) => path === "data") ? pageAdvice : recordAdvice;
  return { cuts: cuts.slice(0, mostCuts), advice: records.length === 0 ? textAdvice : advice };
}

const textAdvice = "Long texts or lists were cut. Read a single record, or only the fields that you need, to see more.";
const recordAdvice = "The record is too long to show. Read it with only the fields that you need.";
const pageAdvice =
  "Not all records of this page fit. The others begin the next page: call again with the same arguments and the cursor in meta. Fewer fields or smaller pages fit at once.";

/** Bytes of a result around its text. */
const frame = 100;

/** Most values that do not fit are far too long, which is seen without making all of their JSON. */
function fits(value: unknown, most: number): boolean {
  return leastBytes(value, most) <= most && sentBytes(value) + frame <= most;
}

/** A lower bound of {@link sentBytes}; the count ends when it is over `most`. */
function leastBytes(value: unknown, most: number): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 1;
  let bytes = 0;
  for (const [name, inner] of Object.entries(value)) {
    bytes += (Array.isArray(value) ? 0 : name.length) + leastBytes(inner, most - bytes);
    if (bytes > most) break;
  }
  return bytes;
}

/** Bytes that a value takes in the result of a tool, whose text is JSON within JSON. */
function sentBytes(value: unknown): number {
  return sentLength(JSON.stringify(value) ?? "");
}

const escaped = /["\\]/g;

/** Bytes that a JSON text takes within JSON. It has no line breaks, and nothing but quotes and backslashes is escaped. */
function sentLength(json: string): number {
  return Buffer.byteLength(json) + (json.match(escaped)?.length ?? 0) + 2;
}
