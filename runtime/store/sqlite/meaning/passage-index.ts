import { CodeScanner } from "../../../semantic/code-scanner.ts";
import { VectorScorer } from "../../../semantic/vector-scorer.ts";
import type { Statements } from "../../../sqlite/index.ts";

/** An index of at most so many bytes of vectors is kept in memory whole, so that its answers are exact. */
const exactBytes = 16 * 1024 * 1024;
/** Passages that are read at once. */
const part = 8_192;
/** Share of removed passages at which an index is read anew. */
const worthReading = 0.1;

/** What identifies an index in the file. */
export interface IndexId {
  readonly model: number;
  readonly field: number;
  readonly dims: number;
}

/** State of an index in the file, as one transaction sees it. */
interface Stored {
  readonly epoch: number;
  readonly passages: number;
  /** The last passage that was removed, and the first one that is still listed as removed. */
  readonly removed: number;
  readonly listed: number;
}

/**
 * The passages of one field and model in memory: their ids, their records, and either their vectors or, when they are many, only their
 * codes. Passages keep their places ("slots"), in the order of their ids; a removed one leaves an empty slot.
 */
export class PassageIndex {
  readonly #id: IndexId;
  readonly #exactUpTo: number;
  #vectors: VectorScorer | undefined;
  #codes: CodeScanner | undefined;
  #ids = new Uint32Array(1_024);
  #records = new Uint32Array(1_024);
  #closed = new Uint8Array(1_024);
  #count = 0;
  #empty = 0;
  #epoch = -1;
  #removed = 0;
  #version = -1;

  /** @param exactUpTo how many passages are kept with their vectors; only tests set it */
  constructor(id: IndexId, exactUpTo = Math.floor(exactBytes / id.dims)) {
    this.#id = id;
    this.#exactUpTo = exactUpTo;
  }

  /** Slots, including empty ones. */
  get count(): number {
    return this.#count;
  }

  /** The vectors of all slots; undefined when there are too many. */
  get vectors(): VectorScorer | undefined {
    return this.#vectors;
  }

  get codes(): CodeScanner | undefined {
    return this.#codes;
  }

  /** The record of each slot; 0 where the slot is empty. */
  get records(): Uint32Array {
    return this.#records;
  }

  /** For each slot, 1 where it is empty. */
  get closed(): Uint8Array {
    return this.#closed;
  }

  passage(slot: number): number {
    return this.#ids[slot] ?? 0;
  }

  /** Brings the index up to date. @param check is called from time to time, and may throw; the index is read on next time */
  refresh(statements: Statements, check: () => void): void {
    // The engine counts the commits of other connections.
    const version = Number(statements.get("PRAGMA data_version").pluck().get());
    if (version === this.#version) return;
    const stored = this.#stored(statements);
    const outdated = stored.epoch !== this.#epoch || this.#removed < stored.listed - 1;
    const full = this.#vectors !== undefined && stored.passages > this.#exactUpTo;
    if (outdated || full || this.#empty > this.#count * worthReading) this.#clear(stored);
    // Empty slots may leave no room for new passages.
    if (!this.#read(statements, check)) {
      this.#clear(stored);
      this.#read(statements, check);
    }
    this.#drop(statements, stored.removed);
    this.#version = version;
  }

  #stored(statements: Statements): Stored {
    const { model, field } = this.#id;
    return statements
      .get(
        `SELECT f.epoch, coalesce(i.passages, 0) AS passages, (SELECT coalesce(max(id), 0) FROM semantic_removed) AS removed,
           (SELECT coalesce(min(id), 0) FROM semantic_removed) AS listed
         FROM semantic_fields f LEFT JOIN semantic_indexes i ON i.field = f.id AND i.model = ? WHERE f.id = ?`,
      )
      .get(model, field) as Stored;
  }

  #clear({ epoch, passages, removed }: Stored): void {
    const { dims } = this.#id;
    const exact = passages <= this.#exactUpTo;
    this.#vectors = exact ? new VectorScorer(dims, this.#exactUpTo) : undefined;
    this.#codes = exact ? undefined : new CodeScanner(dims);
    this.#count = 0;
    this.#empty = 0;
    this.#closed.fill(0);
    this.#epoch = epoch;
    this.#removed = removed;
  }

  /** Adds the passages that came after the last one. @returns whether there was room for all of them */
  #read(statements: Statements, check: () => void): boolean {
    const { model, field } = this.#id;
    const [bytes, from] =
      this.#vectors === undefined
        ? ["c.code", "semantic_codes c"]
        : ["p.vector", "semantic_codes c CROSS JOIN semantic_passages p ON p.id = c.passage"];
    // The engine joins the rows of a part, because reading them one by one takes several times as long.
    const read = statements
      .get(
        `SELECT json_group_array(passage), json_group_array(record), CAST(group_concat(bytes, x'') AS BLOB)
         FROM (SELECT c.passage, c.record, ${bytes} AS bytes FROM ${from} WHERE c.model = ? AND c.field = ? AND c.passage > ? ORDER BY c.passage LIMIT ${part})`,
      )
      .raw();
    for (;;) {
      check();
      const last = this.#count === 0 ? 0 : this.passage(this.#count - 1);
      const [passages, records, joined] = read.get(model, field, last) as [string, string, Buffer | null];
      if (joined === null) return true;
      const ids = JSON.parse(passages) as number[];
      if (this.#vectors !== undefined && this.#count + ids.length > this.#exactUpTo) return false;
      this.#add(ids, JSON.parse(records) as number[], joined);
    }
  }

  #add(ids: readonly number[], records: readonly number[], bytes: Uint8Array): void {
    while (this.#count + ids.length > this.#ids.length) this.#grow();
    this.#ids.set(ids, this.#count);
    this.#records.set(records, this.#count);
    const width = bytes.length / ids.length;
    if (this.#vectors === undefined) this.#codes?.add(bytes);
    else
      for (const place of ids.keys()) this.#vectors.set(this.#count + place, bytes.subarray(place * width, (place + 1) * width));
    this.#count += ids.length;
  }

  #grow(): void {
    const length = this.#ids.length * 2;
    const grown = <Kind extends Uint32Array | Uint8Array>(array: Kind, longer: Kind) => {
      longer.set(array);
      return longer;
    };
    this.#ids = grown(this.#ids, new Uint32Array(length));
    this.#records = grown(this.#records, new Uint32Array(length));
    this.#closed = grown(this.#closed, new Uint8Array(length));
  }

  /** Empties the slots of the passages that were removed since the last time. */
  #drop(statements: Statements, until: number): void {
    const { model, field } = this.#id;
    const gone = statements
      .get("SELECT passage FROM semantic_removed WHERE id > ? AND id <= ? AND model = ? AND field = ?")
      .pluck()
      .all(this.#removed, until, model, field) as number[];
    for (const passage of gone) {
      const slot = this.#slot(passage);
      if (slot === undefined || this.#records[slot] === 0) continue;
      this.#records[slot] = 0;
      this.#closed[slot] = 1;
      this.#empty++;
    }
    this.#removed = until;
  }

  #slot(passage: number): number | undefined {
    let low = 0;
    let high = this.#count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.passage(middle) < passage) low = middle + 1;
      else high = middle;
    }
    return low < this.#count && this.passage(low) === passage ? low : undefined;
  }
}
