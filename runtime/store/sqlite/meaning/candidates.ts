import type { Condition } from "../../../search/index.ts";
import type { Near } from "../../../semantic/code-scanner.ts";
import { bestSlots, nearSlots, refinedSlots, scoredFor } from "../../../semantic/nearest-slots.ts";
import { VectorScorer } from "../../../semantic/vector-scorer.ts";
import { join, raw, sql } from "../../../sql/index.ts";
import { sqliteText } from "../../../sqlite/index.ts";
import type { SemanticQuery } from "../../semantic.ts";
import { expression } from "../search/expression.ts";
import type { CollectionView } from "../search/reader.ts";
import { unplanned } from "../tables/unplanned.ts";
import type { Mask, MaskOfFilter } from "./filter-masks.ts";
import type { PassageIndex } from "./passage-index.ts";

/** A passage with the score of its stored vector. */
export interface Scored {
  readonly slot: number;
  readonly score: number;
}

export interface Candidates {
  /** In any order. */
  readonly scored: readonly Scored[];
  /** Whether every passage that the filter allows is there. */
  readonly complete: boolean;
  readonly filter: "none" | "mask" | "test";
}

/** Of so many candidates the records are tested, to learn how many the filter allows. */
const sample = 300;
/** Where the filter allows a smaller share, its records are found first. */
const worthMask = 0.25;
/** Passages whose vectors are read at once. */
const batch = 1_024;

/** Finds the passages that may be the nearest to a prompt, and scores them. */
export class CandidateFinder {
  readonly #view: CollectionView;
  readonly #index: PassageIndex;
  readonly #query: Pick<SemanticQuery, "vector" | "mean">;
  /** The conditions of the filter, joined by *and*. */
  readonly #conditions: readonly Condition[];
  readonly #scorer: (dims: number) => VectorScorer;

  constructor(
    view: CollectionView,
    index: PassageIndex,
    query: Pick<SemanticQuery, "vector" | "mean">,
    conditions: readonly Condition[],
    scorer: (dims: number) => VectorScorer,
  ) {
    this.#view = view;
    this.#index = index;
    this.#query = query;
    this.#conditions = conditions;
    this.#scorer = scorer;
  }

  /**
   * @param hits how many hits are needed, counted from the beginning of the walk
   * @param masks makes the mask of the filter, or has it already
   */
  find(hits: number, masks: MaskOfFilter): Candidates {
    const filtered = this.#conditions.length > 0;
    const { vectors, count, closed } = this.#index;
    if (vectors !== undefined) {
      const scores = vectors.scores(this.#query.vector, count, this.#check);
      const open = openSlots(filtered ? masks.make().closed : closed, count);
      const scored = open.map((slot) => ({ slot, score: bounded(scores[slot]) }));
      return { scored, complete: true, filter: filtered ? "mask" : "none" };
    }
    const want = scoredFor(hits);
    if (!filtered) {
      const slots = this.#best(this.#near(want, closed), want);
      return { scored: this.#score(slots), complete: slots.length >= count, filter: "none" };
    }
    const known = masks.known();
    if (known !== undefined) return this.#masked(known, want);
    const near = this.#near(want, closed);
    const first = bestSlots(near, sample);
    const share = this.#allowed(first).length / Math.max(1, first.length);
    if (share < worthMask) return this.#masked(masks.make(), want);
    const tested = this.#allowed(this.#best(near, Math.ceil((want / share) * 1.2)));
    return { scored: this.#score(tested.slice(0, want)), complete: false, filter: "test" };
  }

  readonly #check = () => this.#view.watch.check();

  /** Scores the passages whose signs are nearest, of those that a mask leaves open. Where it leaves few, it scores all of them. */
  #masked({ closed, open }: Mask, want: number): Candidates {
    const few = open <= 2 * want;
    const slots = few ? openSlots(closed, this.#index.count) : this.#best(this.#near(want, closed), want);
    return { scored: this.#score(slots), complete: few, filter: "mask" };
  }

  #best(near: Near, want: number): number[] {
    const { codes } = this.#index;
    return codes === undefined ? [] : refinedSlots(codes, near, want);
  }

  #near(want: number, closed: Uint8Array): Near {
    const { codes } = this.#index;
    if (codes === undefined) return { slots: new Int32Array(), estimates: new Float32Array() };
    return nearSlots(codes, this.#query, want, closed, this.#check);
  }

  /** The slots whose records the filter allows. */
  #allowed(slots: readonly number[]): number[] {
    const { layout, instance, statements, watch } = this.#view;
    const records = [...new Set(slots.map((slot) => this.#index.records[slot] ?? 0))];
    const tests = this.#conditions.map((one) => sql`AND (${expression(one, layout, watch.tests)})`);
    const { text, params } = sqliteText(sql`SELECT n.id FROM json_each(${JSON.stringify(records)}) d
      CROSS JOIN ${raw(layout.narrow)} n ON n.id = d.value WHERE n.inst = ${unplanned(instance ?? 0)} ${join(tests, " ")}`);
    const found = new Set(
      statements
        .get(text)
        .pluck()
        .all(...params) as number[],
    );
    return slots.filter((slot) => found.has(this.#index.records[slot] ?? 0));
  }

  /** Scores passages with their stored vectors. */
  #score(slots: readonly number[]): Scored[] {
    const { statements, watch } = this.#view;
    const { vector } = this.#query;
    const scorer = this.#scorer(vector.length);
    // The engine joins the vectors, because reading them one by one takes four times as long.
    const read = statements
      .get(
        "SELECT json_group_array(p.id), CAST(group_concat(p.vector, x'') AS BLOB) FROM json_each(?) j CROSS JOIN semantic_passages p ON p.id = j.value",
      )
      .raw();
    const scored: Scored[] = [];
    // Neighbours in the file are read together.
    const ordered = slots.toSorted((a, b) => a - b);
    for (let from = 0; from < ordered.length; from += batch) {
      watch.check();
      const part = new Map(ordered.slice(from, from + batch).map((slot) => [this.#index.passage(slot), slot]));
      const [json, vectors] = read.get(JSON.stringify([...part.keys()])) as [string, Buffer | null];
      const ids = JSON.parse(json) as number[];
      if (vectors === null) continue;
      const length = vectors.length / ids.length;
      for (const place of ids.keys()) scorer.set(place, vectors.subarray(place * length, (place + 1) * length));
      for (const [place, score] of scorer.scores(vector, ids.length).entries())
        scored.push({ slot: part.get(ids[place] ?? 0) ?? 0, score: bounded(score) });
    }
    return scored;
  }
}

/** The slots that are not closed. */
function openSlots(closed: Uint8Array, count: number): number[] {
  const open: number[] = [];
  for (let slot = 0; slot < count; slot++) if (closed[slot] === 0) open.push(slot);
  return open;
}

/** A cosine, without what rounding adds to it. */
export function bounded(score: number | undefined): number {
  return Math.max(-1, Math.min(1, score ?? 0));
}

/** The scorer for `batch` vectors. */
export function batchScorer(dims: number): VectorScorer {
  return new VectorScorer(dims, batch);
}
