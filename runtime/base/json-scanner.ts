import { invalidRequest, pointer, shown, TenonError } from "./errors.ts";
import { grouped } from "./grouped.ts";
import { requestLimits } from "./request-limits.ts";

const [quote, backslash, comma, listStart, listEnd, objectStart, objectEnd] = [...'"\\,[]{}'].map((one) => one.charCodeAt(0));

/** What a text may have. */
export interface JsonLimits {
  /** Lists and objects within each other. */
  readonly depth: number;
  readonly values: number;
  /** Whether each member of an object may come only once. */
  readonly unique: boolean;
}

/** A list or an object that has not ended. */
interface Open {
  /** The members so far; undefined for a list, and where a member may come twice. */
  readonly members: Set<string> | undefined;
  /** The member or the element that is being read. */
  at: string | number;
}

/**
 * Counts what a JSON text has while its bytes come in, so that a text that is beyond a limit, or names a member twice, is refused before
 * it is parsed. It does not check that the text is JSON: of any other text the parser finds the fault later.
 */
export class JsonScanner {
  readonly #what: string;
  readonly #limits: JsonLimits;
  readonly #open: Open[] = [];
  #values = 1;
  /** A list or an object has begun, and nothing of it has come yet. */
  #fresh = false;
  /** The next text is the name of a member. */
  #nameNext = false;
  #inText = false;
  #escaped = false;
  /** What has come of the name of a member; undefined outside of one. */
  #name: Buffer[] | undefined;

  /** @param what the text, for messages: `The body` */
  constructor(what: string, limits: JsonLimits = { ...requestLimits, unique: true }) {
    this.#what = what;
    this.#limits = limits;
  }

  /** How many values have come so far. */
  get values(): number {
    return this.#values;
  }

  /** Takes the next bytes. @throws TenonError when the text is beyond a limit, or has a member twice */
  scan(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; ) at = this.#inText ? this.#readText(bytes, at) : this.#readMark(bytes, at);
  }

  /** Reads one byte outside of a text. @returns the place of the next one */
  #readMark(bytes: Buffer, at: number): number {
    const byte = bytes[at] ?? 0;
    if (byte <= 0x20) return at + 1;
    if (this.#fresh) {
      this.#fresh = false;
      if (byte !== listEnd && byte !== objectEnd) this.#count();
    }
    if (byte === quote) {
      this.#inText = true;
      if (this.#nameNext) this.#name = [];
      this.#nameNext = false;
    } else if (byte === comma) this.#next();
    else if (byte === objectStart) this.#begin({ members: this.#limits.unique ? new Set() : undefined, at: "" });
    else if (byte === listStart) this.#begin({ members: undefined, at: 0 });
    else if (byte === listEnd || byte === objectEnd) {
      this.#open.pop();
      this.#nameNext = false;
    }
    return at + 1;
  }

  /** Reads on in a text. @returns the place behind it, or behind the bytes */
  #readText(bytes: Buffer, from: number): number {
    let escaped = this.#escaped;
    let at = from;
    for (; at < bytes.length; at++) {
      if (escaped) escaped = false;
      else if (bytes[at] === backslash) escaped = true;
      else if (bytes[at] === quote) break;
    }
    this.#escaped = escaped;
    this.#name?.push(bytes.subarray(from, at));
    if (at === bytes.length) return at;
    this.#inText = false;
    if (this.#name !== undefined) this.#member(nameOf(this.#name));
    this.#name = undefined;
    return at + 1;
  }

  #begin(open: Open): void {
    this.#open.push(open);
    this.#fresh = true;
    this.#nameNext = open.members !== undefined;
    const { depth } = this.#limits;
    if (this.#open.length > depth) {
      const message = `${this.#what} may have lists and objects up to ${depth} deep.`;
      throw invalidRequest([{ pointer: this.#place(this.#open.length - 1), code: "out_of_range", message }]);
    }
  }

  /** Behind a comma. */
  #next(): void {
    this.#count();
    const open = this.#open.at(-1);
    if (open === undefined) return;
    if (typeof open.at === "number") open.at++;
    this.#nameNext = open.members !== undefined;
  }

  #count(): void {
    const { values } = this.#limits;
    if (++this.#values > values) throw new TenonError("body_too_large", `${this.#what} has more than ${grouped(values)} values.`);
  }

  #member(name: string | undefined): void {
    const open = this.#open.at(-1);
    if (open?.members === undefined || name === undefined) return;
    open.at = name;
    if (open.members.has(name)) {
      const message = `${this.#what} has the member "${shown(name)}" twice.`;
      const fault = { pointer: this.#place(this.#open.length), code: "duplicate_member", message };
      throw new TenonError("invalid_json", `${fault.pointer}: ${message}`, { faults: [fault] });
    }
    open.members.add(name);
    const { members } = requestLimits;
    if (open.members.size > members)
      throw new TenonError("body_too_large", `${this.#what} has an object of more than ${grouped(members)} members.`);
  }

  /** @param depth how many of the open lists and objects the place is in */
  #place(depth: number): string {
    return pointer(this.#open.slice(0, depth).map(({ at }) => at));
  }
}

/** Decodes a member name from the bytes between its quotes. @returns undefined for an invalid JSON string */
function nameOf(pieces: readonly Buffer[]): string | undefined {
  const [only] = pieces;
  const text = (pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces)).toString();
  if (!text.includes("\\")) return text;
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return undefined;
  }
}
