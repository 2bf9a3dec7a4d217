/** Something that was left out of an answer so that it fits. */
export interface Cut {
  /** Place in the answer, such as `data.3.body`. */
  readonly path: string;
  /** How many characters of a text, or how many records of a list, were left out. */
  readonly left_out: number;
  readonly unit: "characters" | "records";
}

/** Bytes of JSON that an answer may have. A model reads about a token for every four. */
export const answerBytes = 48 * 1024;

/** Lengths of texts that are tried one after the other, until the answer fits. */
const lengths = [4000, 1000, 250];
/** The most cuts that are listed. */
const mostCuts = 40;

/**
 * Shortens an answer until its JSON has at most so many bytes: first its long texts, then the list of its records from the end. Each cut is
 * marked in its text or told in `cuts`.
 */
export function withinBudget(
  data: unknown,
  most: number = answerBytes,
): { readonly data: unknown; readonly cuts: readonly Cut[] } {
  if (bytesOf(data) <= most) return { data, cuts: [] };
  let cuts: Cut[] = [];
  let short: unknown = data;
  for (const length of lengths) {
    cuts = [];
    short = shortened(data, length, "data", cuts);
    if (bytesOf(short) <= most) return { data: short, cuts: listed(cuts) };
  }
  if (!Array.isArray(short)) return { data: null, cuts: [{ path: "data", left_out: 1, unit: "records" }] };
  const kept = fitting(short, most);
  const left = short.length - kept;
  const own = cuts.filter(({ path }) => Number(path.split(".")[1]) < kept);
  const cut: Cut = { path: "data", left_out: left, unit: "records" };
  return { data: short.slice(0, kept), cuts: listed([cut, ...own]) };
}

/** How many elements from the beginning fit. */
function fitting(list: readonly unknown[], most: number): number {
  let size = 2;
  for (const [index, one] of list.entries()) {
    size += bytesOf(one) + 1;
    if (size > most) return index;
  }
  return list.length;
}

function shortened(value: unknown, length: number, path: string, cuts: Cut[]): unknown {
  if (typeof value === "string") {
    if (value.length <= length) return value;
    const left = value.length - length;
    cuts.push({ path, left_out: left, unit: "characters" });
    return `${value.slice(0, length).toWellFormed()}… [cut: ${left} more characters]`;
  }
  if (Array.isArray(value)) return value.map((one, index) => shortened(one, length, `${path}.${index}`, cuts));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, shortened(inner, length, `${path}.${name}`, cuts)]),
  );
}

function listed(cuts: readonly Cut[]): readonly Cut[] {
  return cuts.slice(0, mostCuts);
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}
