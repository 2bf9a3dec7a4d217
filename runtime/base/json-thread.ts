import { parseExact } from "./exact-json.ts";
import { type CutPiece, cut, type PieceApi, type PieceLimits, type PieceReply, type TimedReply } from "./json-pieces.ts";
import { JsonScanner } from "./json-scanner.ts";
import { type Mask, maskedBytes } from "./redact.ts";
import { serveCalls } from "./serve-calls.ts";

// Decision 11 in runtime/site/text/decisions-service.md says why: large JSON is parsed in a thread.

/** A text that was parsed, with its remaining pieces. */
interface Open {
  readonly bytes: number;
  readonly values: number;
  readonly pieces: Iterator<CutPiece, undefined>;
}

/** A text that waits until there is room for it. */
interface Waiting {
  readonly id: number;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly values: number;
  readonly mask: Mask | undefined;
  /** Milliseconds that counting the values took. */
  readonly counted: number;
  readonly reply: (reply: TimedReply) => void;
}

/** Bytes of the texts that are open at the same time. A larger text is open alone. */
const mostBytes = 16 * 1024 * 1024;

/** Parses texts and gives them in pieces. */
class PieceServer implements PieceApi {
  readonly #mostValues: number;
  readonly #decoder = new TextDecoder();
  readonly #open = new Map<number, Open>();
  #waiting: Waiting[] = [];

  constructor({ values }: PieceLimits) {
    this.#mostValues = values;
  }

  async begin(id: number, given: Uint8Array<ArrayBuffer>, mask: Mask | undefined): Promise<TimedReply> {
    const began = performance.now();
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    const values = this.#valuesIn(bytes);
    const counted = performance.now() - began;
    if (values > this.#mostValues) return { kind: "too-many", ms: counted };
    return new Promise((reply) => {
      this.#waiting.push({ id, bytes, values, mask, counted, reply });
      this.#admit();
    });
  }

  next(id: number): TimedReply {
    const reply = timed(() => this.#piece(id));
    if (reply.kind === "end") this.#close(id);
    return reply;
  }

  forget(id: number): void {
    for (const one of this.#waiting) if (one.id === id) one.reply({ kind: "end", ms: one.counted });
    this.#waiting = this.#waiting.filter((one) => one.id !== id);
    this.#close(id);
  }

  #piece(id: number): PieceReply {
    const piece = this.#open.get(id)?.pieces.next();
    return piece?.value === undefined ? { kind: "end" } : { kind: "piece", ...piece.value };
  }

  #close(id: number): void {
    this.#open.delete(id);
    this.#admit();
  }

  /** Parses the texts for which there is room, in the order in which they came. */
  #admit(): void {
    for (let first = this.#waiting[0]; first !== undefined && this.#hasRoom(first); first = this.#waiting[0]) {
      this.#waiting.shift();
      const { ms, ...reply } = timed(() => this.#parse(first));
      first.reply({ ...reply, ms: ms + first.counted });
    }
  }

  #parse({ id, bytes, values, mask }: Waiting): PieceReply {
    try {
      const text = this.#decoder.decode(mask === undefined ? bytes : maskedBytes(bytes, mask));
      this.#open.set(id, { bytes: bytes.length, values, pieces: cut(parseExact(text)) });
      return this.#piece(id);
    } catch {
      this.#open.delete(id);
      return { kind: "unreadable" };
    }
  }

  /** How many values a text has; infinitely many where they are too many. */
  #valuesIn(bytes: Buffer<ArrayBuffer>): number {
    const scanner = new JsonScanner("The text", {
      depth: Number.POSITIVE_INFINITY,
      values: this.#mostValues,
      unique: false,
    });
    try {
      scanner.scan(bytes);
      return scanner.values;
    } catch {
      return Number.POSITIVE_INFINITY;
    }
  }

  /** Whether a text may be open beside those that are, so that few large ones do not fill the memory together. */
  #hasRoom({ bytes, values }: Waiting): boolean {
    let [allBytes, allValues] = [bytes.length, values];
    for (const one of this.#open.values()) {
      allBytes += one.bytes;
      allValues += one.values;
    }
    return this.#open.size === 0 || (allBytes <= mostBytes && allValues <= this.#mostValues);
  }
}

function timed(work: () => PieceReply): TimedReply {
  const began = performance.now();
  return { ...work(), ms: performance.now() - began };
}

serveCalls<PieceApi, PieceLimits>((limits) => ({ methods: new PieceServer(limits) }));
