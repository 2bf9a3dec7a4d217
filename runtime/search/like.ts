/** A part of a pattern between two `%`. It consists of texts and of null, which stands for any single character. */
export type Segment = readonly (string | null)[];

/** A folded `like` pattern. It has one segment more than it has runs of `%`. */
export interface Pattern {
  readonly segments: readonly Segment[];
}

/**
 * Case folding of `like` and of words: Unicode lower case, but a final sigma becomes an ordinary sigma. Whether a sigma is final depends
 * on its neighbours, so without this rule a part of a text might not match the same part of the whole text.
 */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** Reads a pattern: `%` is any text, `_` is one character, `\` takes the next character as it is, and a `\` at the end means itself. */
export function likePattern(pattern: string): Pattern {
  const segments: (string | null)[][] = [[]];
  const folded = fold(pattern);
  let text = "";
  const end = () => {
    if (text !== "") segments.at(-1)?.push(text);
    text = "";
  };
  for (let at = 0; at < folded.length; at++) {
    const char = folded.charAt(at);
    if (char === "%") {
      end();
      if (segments.at(-1)?.length !== 0 || segments.length === 1) segments.push([]);
    } else if (char === "_") {
      end();
      segments.at(-1)?.push(null);
    } else if (char === "\\" && at + 1 < folded.length) text += folded.charAt(++at);
    else text += char;
  }
  end();
  return { segments };
}

/**
 * Makes the test of a pattern. The test goes through a value once and never back, so that no pattern can make it slow. It need not go
 * back, because the first place where a segment fits leaves the most text for the other segments.
 */
export function likeTest({ segments }: Pattern): (value: string) => boolean {
  const [first = [], ...others] = segments;
  const last = others.pop();
  const finders = others.map(finder);
  const counted = segments.some((segment) => segment.includes(null));
  return (value) => {
    const text = fold(value);
    // `_` is one code point, so a text with surrogates is split into its code points.
    const subject: Subject = counted && /[\ud800-\udfff]/.test(text) ? [...text] : text;
    const begin = matchAt(first, subject, 0);
    if (begin === undefined) return false;
    if (last === undefined) return begin === subject.length;
    let at: number | undefined = begin;
    for (const find of finders) {
      at = find(subject, at);
      if (at === undefined) return false;
    }
    const start = subject.length - lengthIn(last, subject);
    return start >= at && matchAt(last, subject, start) !== undefined;
  };
}

type Subject = string | readonly string[];

/** The position after a segment that fits at a given position; undefined when it does not fit there. */
function matchAt(segment: Segment, subject: Subject, start: number): number | undefined {
  let at = start;
  for (const part of segment) {
    if (part === null) {
      if (at >= subject.length) return undefined;
      at++;
    } else if (typeof subject === "string") {
      if (!subject.startsWith(part, at)) return undefined;
      at += part.length;
    } else {
      for (const point of part) if (subject[at++] !== point) return undefined;
    }
  }
  return at;
}

/** Finds the first place where a segment fits, and gives the position after it. */
function finder(segment: Segment): (subject: Subject, from: number) => number | undefined {
  const [only] = segment;
  const byPoints = pointFinder(segment.flatMap((part) => (part === null ? [part] : [...part])));
  return (subject, from) => {
    if (segment.length > 1 || typeof only !== "string" || typeof subject !== "string") return byPoints(subject, from);
    const found = subject.indexOf(only, from);
    return found < 0 ? undefined : found + only.length;
  };
}

/** The algorithm "shift-and" tries all beginnings in one pass. A bit is set when the code points up to its own were just read. */
function pointFinder(points: readonly (string | null)[]): (subject: Subject, from: number) => number | undefined {
  const any = new Uint32Array(Math.ceil(points.length / 32));
  const set = (mask: Uint32Array, index: number) => {
    mask[index >> 5] = (mask[index >> 5] ?? 0) | (1 << (index & 31));
  };
  for (const [index, point] of points.entries()) if (point === null) set(any, index);
  const masks = new Map(points.flatMap((point) => (point === null ? [] : [[point, any.slice()]])));
  for (const [index, point] of points.entries()) if (point !== null) set(masks.get(point) ?? any, index);
  const [last, end] = [any.length - 1, 1 << ((points.length - 1) & 31)];
  return (subject, from) => {
    const state = new Uint32Array(any.length);
    for (let at = from; at < subject.length; at++) {
      const mask = masks.get(subject[at] ?? "") ?? any;
      let carry = 1;
      for (let word = 0; word <= last; word++) {
        const bits = state[word] ?? 0;
        state[word] = ((bits << 1) | carry) & (mask[word] ?? 0);
        carry = bits >>> 31;
      }
      const read = state[last] ?? 0;
      if ((read & end) !== 0) return at + 1;
    }
    return undefined;
  };
}

function lengthIn(segment: Segment, subject: Subject): number {
  return segment.reduce(
    (sum, part) => sum + (part === null ? 1 : typeof subject === "string" ? part.length : [...part].length),
    0,
  );
}
