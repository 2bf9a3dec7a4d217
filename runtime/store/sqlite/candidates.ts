import type { Condition } from "../../search/index.ts";
import { VectorScorer } from "../../semantic/vector-scorer.ts";
import { signCode } from "../../semantic/vectors.ts";
import type { SemanticQuery } from "../semantic.ts";
import { expression } from "./expression.ts";
import type { PassageIndex } from "./passage-index.ts";
import type { ShelfView } from "./reader.ts";
import { sql, unplanned } from "./sql.ts";
import { TopScores } from "./top-scores.ts";

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

/** How many passages are scored with their vectors at least, and how many for each hit that is needed. */
const leastScored = 1_000;
const scoredPerHit = 8;
/** For each of them, so many passages with the nearest codes are compared by their signs with the prompt itself. */
const estimatedPerScored = 24;
/** Of at most so many passages, all are compared by their signs with the prompt itself. */
const fewSlots = 50_000;
/** Of so many candidates the records are tested, to learn how many the filter allows. */
const sample = 300;
/** Where the filter allows a smaller share, its records are found first. */
const worthMask = 0.25;
/** Passages whose vectors are read at once. */
const batch = 1_024;

/** Finds the passages that may be the nearest to a prompt, and scores them. */
export class CandidateFinder {
  readonly #view: ShelfView;
  readonly #index: PassageIndex;
  readonly #query: Pick<SemanticQuery, "vector" | "mean">;
  /** The conditions of the filter, joined by *and*. */
  readonly #conditions: readonly Condition[];
  readonly #scorer: (dims: number) => VectorScorer;

  constructor(
    view: ShelfView,
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

  /** @param hits how many hits are needed, counted from the beginning of the walk @param mask records that the filter allows, if known */
  find(hits: number, mask: () => Uint8Array): Candidates {
    const filtered = this.#conditions.length > 0;
    if (this.#index.vectors !== undefined) {
      const scores = this.#index.vectors.scores(this.#query.vector, this.#index.count, () => this.#view.watch.check());
      const allowed = filtered ? mask() : undefined;
      const scored = this.#slots(allowed).map((slot) => ({ slot, score: bounded(scores[slot]) }));
      return { scored, complete: true, filter: filtered ? "mask" : "none" };
    }
    const want = Math.max(leastScored, scoredPerHit * hits);
    if (!filtered) return { ...this.#nearest(want, undefined), filter: "none" };
    const first = this.#estimated(sample, undefined);
    const share = this.#allowed(first).length / Math.max(1, first.length);
    if (share < worthMask) return { ...this.#nearest(want, mask()), filter: "mask" };
    const tested = this.#allowed(this.#estimated(Math.ceil((want / share) * 1.2), undefined));
    return { scored: this.#score(tested.slice(0, want)), complete: false, filter: "test" };
  }

  /** Scores the passages whose signs are nearest. Where the filter leaves few, it scores all of them. */
  #nearest(want: number, mask: Uint8Array | undefined): Pick<Candidates, "scored" | "complete"> {
    if (mask !== undefined) {
      const all = this.#slots(mask);
      if (all.length <= 2 * want) return { scored: this.#score(all), complete: true };
      // A mask that leaves few passages makes the comparison of all codes needless.
      if (all.length <= fewSlots) return { scored: this.#score(this.#best(all, want)), complete: false };
    }
    const slots = this.#estimated(want, mask);
    return { scored: this.#score(slots), complete: slots.length >= this.#index.count };
  }

  /** The slots of all passages of the records that a mask allows. */
  #slots(mask: Uint8Array | undefined): number[] {
    const { records, count } = this.#index;
    const slots: number[] = [];
    for (let slot = 0; slot < count; slot++) {
      const record = records[slot] ?? 0;
      if (record !== 0 && (mask === undefined || mask[record] === 1)) slots.push(slot);
    }
    return slots;
  }

  /** The slots with the best estimates, about `want` of them, best first. */
  #estimated(want: number, mask: Uint8Array | undefined): number[] {
    const { codes, records, count } = this.#index;
    if (codes === undefined) return [];
    const { vector, mean } = this.#query;
    const { distances, counts } = codes.distances(signCode(vector, mean), () => this.#view.watch.check());
    const isOpen = (slot: number) => {
      const record = records[slot] ?? 0;
      return record !== 0 && (mask === undefined || mask[record] === 1);
    };
    if (mask !== undefined) {
      counts.fill(0);
      for (let slot = 0; slot < count; slot++)
        if (isOpen(slot)) counts[distances[slot] ?? 0] = (counts[distances[slot] ?? 0] ?? 0) + 1;
    }
    let farthest = 0;
    for (let found = counts[0] ?? 0; found < want * estimatedPerScored && farthest < counts.length - 1; farthest++)
      found += counts[farthest + 1] ?? 0;
    const near: number[] = [];
    for (let slot = 0; slot < count; slot++) if ((distances[slot] ?? 0) <= farthest && isOpen(slot)) near.push(slot);
    this.#view.watch.check();
    return this.#best(near, want);
  }

  /** Those of the slots with the best estimates, about `want` of them, best first. */
  #best(near: readonly number[], want: number): number[] {
    const estimates = this.#index.codes?.estimates(this.#query.vector, near) ?? new Float32Array(near.length);
    const top = new TopScores(want);
    for (const estimate of estimates) top.add(estimate);
    const kept: { readonly slot: number; readonly estimate: number }[] = [];
    for (const [place, slot] of near.entries()) {
      const estimate = estimates[place] ?? 0;
      if (estimate >= top.least) kept.push({ slot, estimate });
    }
    return kept.sort((a, b) => b.estimate - a.estimate).map(({ slot }) => slot);
  }

  /** The slots whose records the filter allows. */
  #allowed(slots: readonly number[]): number[] {
    const { layout, instance, statements, watch } = this.#view;
    const records = [...new Set(slots.map((slot) => this.#index.records[slot] ?? 0))];
    const tests = this.#conditions.map((one) => sql`AND (${expression(one, layout, watch.tests)})`);
    let test = sql`SELECT n.id FROM json_each(${JSON.stringify(records)}) d CROSS JOIN `;
    test = { ...test, text: `${test.text}${layout.narrow} n ON n.id = d.value` };
    let where = sql` WHERE n.inst = ${unplanned(instance ?? 0)}`;
    for (const one of tests) where = sql`${where} ${one}`;
    const all = sql`${test}${where}`;
    const found = new Set(
      statements
        .get(all.text)
        .pluck()
        .all(...all.params) as number[],
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
    for (let from = 0; from < slots.length; from += batch) {
      watch.check();
      const part = new Map(slots.slice(from, from + batch).map((slot) => [this.#index.passage(slot), slot]));
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

/** A cosine, without what rounding adds to it. */
export function bounded(score: number | undefined): number {
  return Math.max(-1, Math.min(1, score ?? 0));
}

/** The scorer for `batch` vectors. */
export function batchScorer(dims: number): VectorScorer {
  return new VectorScorer(dims, batch);
}
