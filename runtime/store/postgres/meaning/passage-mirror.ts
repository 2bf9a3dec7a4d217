import { setImmediate as pause } from "node:timers/promises";
import type { Queries } from "../../../postgres/index.ts";
import type { Prompt } from "../../../semantic/nearest-slots.ts";
import { VectorScorer } from "../../../semantic/vector-scorer.ts";
import { raw, sql } from "../../../sql/index.ts";
import { removedRevisions } from "../rows/semantic-texts.ts";
import type { CodeScans, ScannedCodes } from "./code-scans.ts";

/** An index of at most so many bytes of vectors is kept in memory whole, so that its answers are exact. */
const exactBytes = 16 * 1024 * 1024;
/** Passages that are read by one statement, and slots that are looked at before other work of this process has its turn. */
const readAtOnce = 5_000;
const lookedAtOnce = 65_536;
/** Share of removed passages at which an index is read anew. */
const worthReading = 0.1;

/** What identifies an index in the database. */
export interface IndexId {
  readonly inst: number;
  readonly model: number;
  readonly field: number;
  readonly dims: number;
}

/** State of an index in the database, as one transaction sees it. */
export interface IndexState {
  /** Number of the last transaction that has written to the entity. */
  readonly revision: number;
  readonly passages: number;
}

interface PassageRow {
  readonly id: number;
  readonly text: number;
  readonly revision: number;
  readonly bytes: Buffer;
}

/**
 * The passages of one field and model in memory: their ids, their texts, and either their vectors or, when they are many, only their codes,
 * which are in a thread. Passages keep their places ("slots"), in the order of their ids; a removed one leaves an empty slot.
 */
export class PassageMirror {
  readonly #id: IndexId;
  readonly #exactUpTo: number;
  #vectors: VectorScorer | undefined;
  readonly #scans: CodeScans;
  #codes: ScannedCodes | undefined;
  #ids: number[] = [];
  #texts: number[] = [];
  #empty = 0;
  #revision = 0;
  #reading: Promise<void> = Promise.resolve();

  /** @param exactUpTo how many passages are kept with their vectors; only tests set it */
  constructor(id: IndexId, scans: CodeScans, exactUpTo = Math.floor(exactBytes / id.dims)) {
    this.#id = id;
    this.#scans = scans;
    this.#exactUpTo = exactUpTo;
  }

  /** Slots, including empty ones. */
  get count(): number {
    return this.#ids.length;
  }

  /** The vectors of all slots; undefined when there are too many. */
  get vectors(): VectorScorer | undefined {
    return this.#vectors;
  }

  passage(slot: number): number {
    return this.#ids[slot] ?? 0;
  }

  /** The text of a slot; 0 where the slot is empty. */
  text(slot: number): number {
    return this.#texts[slot] ?? 0;
  }

  /** Brings the mirror up to date. When it fails, it goes on from there next time. */
  refresh(queries: Queries, state: IndexState): Promise<void> {
    // One after the other, so that no passage is added twice.
    const reading = this.#reading.then(() => this.#refresh(queries, state));
    this.#reading = reading.catch(() => undefined);
    return reading;
  }

  /** The slots that are not empty and whose texts are allowed. @param allowed texts; undefined for all */
  async open(allowed: ReadonlySet<number> | undefined): Promise<{ readonly slots: number[]; readonly closed: Uint8Array }> {
    const closed = new Uint8Array(this.count);
    const slots: number[] = [];
    for (let slot = 0; slot < closed.length; slot++) {
      if (slot > 0 && slot % lookedAtOnce === 0) await pause();
      const text = this.text(slot);
      if (text !== 0 && (allowed === undefined || allowed.has(text))) slots.push(slot);
      else closed[slot] = 1;
    }
    return { slots, closed };
  }

  /** The slots whose codes are nearest to a prompt, of an index without vectors. */
  async nearest(prompt: Prompt, wanted: number, closed: Uint8Array): Promise<readonly number[]> {
    return (await this.#codes?.nearest(prompt, wanted, closed)) ?? [];
  }

  /** Frees the memory of the codes. */
  drop(): void {
    this.#codes?.drop();
  }

  async #refresh(queries: Queries, state: IndexState): Promise<void> {
    if (state.revision <= this.#revision && this.#revision > 0 && this.#codes?.lost !== true) return;
    const full = this.#vectors !== undefined && state.passages > this.#exactUpTo;
    const behind = state.revision - this.#revision >= removedRevisions;
    const lost = this.#codes?.lost === true;
    if (this.#revision === 0 || full || behind || lost || this.#empty > this.count * worthReading) this.#clear(state);
    // Empty slots may leave no room for new passages.
    if (!(await this.#read(queries))) {
      this.#clear(state);
      await this.#read(queries);
    }
    await this.#drop(queries);
    this.#revision = state.revision;
  }

  #clear({ passages }: IndexState): void {
    const exact = passages <= this.#exactUpTo;
    this.#vectors = exact ? new VectorScorer(this.#id.dims, this.#exactUpTo) : undefined;
    this.drop();
    this.#codes = exact ? undefined : this.#scans.open(this.#id.dims);
    this.#ids = [];
    this.#texts = [];
    this.#empty = 0;
    this.#revision = 0;
  }

  /** Adds the passages that came after the last one. @returns whether there was room for all of them */
  async #read(queries: Queries): Promise<boolean> {
    const { inst, model, field } = this.#id;
    const bytes = raw(this.#vectors === undefined ? "code" : "vector");
    for (;;) {
      const last = this.#ids.at(-1) ?? 0;
      const rows = await queries.query<PassageRow>(
        sql`SELECT id, text, revision, ${bytes} AS bytes FROM semantic_passages
          WHERE inst = ${inst} AND model = ${model} AND field = ${field} AND revision >= ${this.#revision} AND id > ${last} ORDER BY revision, id LIMIT ${readAtOnce}`,
      );
      for (const row of rows) {
        if (this.#vectors !== undefined && this.count === this.#exactUpTo) return false;
        this.#vectors?.set(this.count, row.bytes);
        this.#ids.push(row.id);
        this.#texts.push(row.text);
      }
      if (rows.length > 0) this.#codes?.add(Buffer.concat(rows.map((row) => row.bytes)));
      if (rows.length < readAtOnce) return true;
    }
  }

  /** Empties the slots of the passages that were removed since the last time. */
  async #drop(queries: Queries): Promise<void> {
    const { inst, model, field } = this.#id;
    const gone = await queries.query<{ passage: number }>(
      sql`SELECT passage FROM semantic_removed WHERE inst = ${inst} AND model = ${model} AND field = ${field} AND revision > ${this.#revision}`,
    );
    for (const { passage } of gone) {
      const slot = this.#slot(passage);
      if (slot === undefined || this.#texts[slot] === 0) continue;
      this.#texts[slot] = 0;
      this.#empty++;
    }
  }

  #slot(passage: number): number | undefined {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.passage(middle) < passage) low = middle + 1;
      else high = middle;
    }
    return this.#ids[low] === passage ? low : undefined;
  }
}
