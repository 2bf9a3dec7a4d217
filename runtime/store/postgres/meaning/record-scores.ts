import { recordScore } from "../../../semantic/record-score.ts";
import { TopScores } from "../../../semantic/top-scores.ts";
import { VectorScorer } from "../../../semantic/vector-scorer.ts";
import { type Sql, sql } from "../../../sql/index.ts";
import type { CollectionView } from "../search/search-tables.ts";
import type { Scored } from "./semantic-hits.ts";

/** Passages that are scored at once. */
export const batch = 1_024;
/** Records whose further passages are read at once. */
const recordsAtOnce = 50;

/** A record's best passage, and the score of the second best one. */
interface BestOfRecord extends Scored {
  readonly second: number | undefined;
}

/** Each record once, with its best passage and the score of `recordScore`. @param scored all passages of each of the records */
export function recordsOf(scored: readonly Scored[]): Scored[] {
  return bestOfRecords(scored).map(({ second, ...one }) => ({ ...one, score: recordScore(one.score, second) }));
}

/**
 * As {@link recordsOf}, of records that may have further passages, which are read. The score of a record is never above that of its best
 * passage.
 *
 * @param needed how many of the best records are needed at least
 */
export async function readRecordsOf(
  view: CollectionView,
  scored: readonly Scored[],
  { vector, model, needed }: { readonly vector: Float32Array; readonly model: number; readonly needed: number },
): Promise<Scored[]> {
  const sorted = bestOfRecords(scored).sort((a, b) => b.score - a.score);
  const top = new TopScores(needed);
  const records: Scored[] = [];
  for (let from = 0; (sorted[from]?.score ?? Number.NEGATIVE_INFINITY) >= top.least; from += recordsAtOnce) {
    const part = sorted.slice(from, from + recordsAtOnce);
    if (part.length === 0) break;
    const texts = part.map(({ text }) => text);
    const own = await scoredPassages(view, vector, sql`model = ${model} AND text = ANY (${texts}::bigint[])`);
    for (const record of recordsOf(own)) {
      records.push(record);
      top.add(record.score);
    }
  }
  return records;
}

/** Passages with the scores of their stored vectors. @param which a condition for their rows */
export async function scoredPassages({ queries, inst }: CollectionView, vector: Float32Array, which: Sql): Promise<Scored[]> {
  const rows = await queries.query<{ id: number; text: number; vector: Buffer }>(
    sql`SELECT id, text, vector FROM semantic_passages WHERE inst = ${inst} AND ${which}`,
  );
  const scorer = new VectorScorer(vector.length, Math.min(rows.length, batch));
  const scored: Scored[] = [];
  for (let from = 0; from < rows.length; from += batch) {
    const part = rows.slice(from, from + batch);
    for (const [place, row] of part.entries()) scorer.set(place, row.vector);
    const scores = scorer.scores(vector, part.length);
    for (const [place, { id, text }] of part.entries()) scored.push({ passage: id, text, score: bounded(scores[place]) });
  }
  return scored;
}

/** A cosine, without what rounding adds to it. */
export function bounded(score: number | undefined): number {
  return Math.max(-1, Math.min(1, score ?? 0));
}

function bestOfRecords(scored: readonly Scored[]): BestOfRecord[] {
  const best = new Map<number, BestOfRecord>();
  for (const one of scored) {
    const known = best.get(one.text);
    if (known === undefined) best.set(one.text, { ...one, second: undefined });
    else if (one.score > known.score) best.set(one.text, { ...one, second: known.score });
    else best.set(one.text, { ...known, second: Math.max(known.second ?? one.score, one.score) });
  }
  return [...best.values()];
}
