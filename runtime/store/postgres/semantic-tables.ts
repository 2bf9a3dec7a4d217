import { raw, sql } from "../../postgres/index.ts";
import { type Condition, conjuncts } from "../../search/index.ts";
import { contextOf } from "../../semantic/context.ts";
import { scoredFor } from "../../semantic/nearest-slots.ts";
import { recordScore } from "../../semantic/record-score.ts";
import { VectorScorer } from "../../semantic/vector-scorer.ts";
import type { Hit, SemanticAnswer, SemanticQuery } from "../semantic.ts";
import { Clock, comparePlaces, hitEntity, notReady, notSynced } from "../semantic-answer.ts";
import type { Shelf } from "../store.ts";
import { CodeScans } from "./code-scans.ts";
import { testedRows } from "./find.ts";
import { columnNamed, wideColumns } from "./layout.ts";
import { type IndexState, PassageMirror } from "./passage-mirror.ts";
import { type StoredRow, storedColumns, textsOf } from "./records.ts";
import { recordOf, storedKey } from "./rows.ts";
import { type SearchLimits, type SearchTables, type ShelfView, wayOfAll } from "./search-tables.ts";
import { givenText } from "./text.ts";

/** The index of a field, as the database has it. */
interface StoredIndex extends IndexState {
  readonly field: number;
  readonly model: number;
  readonly dims: number;
  readonly ready: boolean;
  readonly waiting: number;
  readonly texts: number;
}

/** A passage with the score of its stored vector. */
interface Scored {
  readonly passage: number;
  readonly text: number;
  readonly score: number;
}

interface Placed extends Scored {
  readonly key: string;
  readonly at: number;
  readonly end: number;
}

/** Passages whose vectors are read at once. */
const batch = 1_024;
/** How many indexes are kept in memory. */
const mostMirrors = 50;

/** Runs searches by meaning. It holds the indexes that it has searched in memory. */
export class SemanticTables {
  readonly #search: SearchTables;
  readonly #exactUpTo: number | undefined;
  readonly #mirrors = new Map<string, PassageMirror>();
  readonly #scans = new CodeScans();

  /** @param exactUpTo how many passages of an index are kept with their vectors; only tests set it */
  constructor(search: SearchTables, exactUpTo?: number) {
    this.#search = search;
    this.#exactUpTo = exactUpTo;
  }

  /** @throws TenonError `semantic_index_not_ready`, and the errors of `SearchTables.search` */
  find(shelf: Shelf, query: SemanticQuery, limits: SearchLimits): Promise<SemanticAnswer> {
    return this.#search.within(shelf, limits, (view) => {
      if (view === undefined) throw notSynced(shelf, query.field);
      return this.#find(shelf, query, view);
    });
  }

  /** Ends the thread that compares codes. */
  close(): Promise<void> {
    return this.#scans.close();
  }

  async #find(shelf: Shelf, query: SemanticQuery, view: ShelfView): Promise<SemanticAnswer> {
    const clock = new Clock();
    const { syncedAt } = await view.noted;
    const stored = await storedIndex(shelf, query, view);
    if (stored === undefined) {
      if (syncedAt === null) throw notSynced(shelf, query.field);
      return { hits: [], more: false, last: undefined, syncedAt, waiting: 0 };
    }
    if (!stored.ready && !(stored.waiting === 0 && syncedAt !== null)) throw notReady(shelf, query.field, stored);
    const mirror = this.#mirror(view.inst, stored);
    await mirror.refresh(view.queries, stored);
    clock.note("refresh");
    const conditions = conjuncts(query.filter);
    const allowed = conditions.length === 0 ? undefined : await this.#allowed(view, stored.field, conditions);
    clock.note("filter");
    const scored = await candidates(view, mirror, query, allowed);
    clock.note("candidates");
    const placed = await place(view, query.dedup === "none" ? scored : recordsOf(scored), query);
    clock.note("order");
    const shown = placed.slice(0, query.limit);
    const hits = await hitsOf(view, shown, query);
    clock.note("hits");
    const last = shown.at(-1);
    const report = {
      model: query.model,
      passages: mirror.count,
      scanned: mirror.count,
      candidates: scored.length,
      filter: allowed === undefined ? ("none" as const) : ("mask" as const),
      times: clock.times,
    };
    return {
      hits,
      more: placed.length > query.limit,
      last:
        last === undefined
          ? undefined
          : { score: last.score, key: last.key, at: last.at, seen: (query.after?.seen ?? 0) + shown.length },
      syncedAt,
      waiting: Math.max(0, stored.waiting),
      ...(query.explain ? { report } : {}),
    };
  }

  #mirror(inst: number, { model, field, dims }: StoredIndex): PassageMirror {
    const key = `${inst} ${model} ${field}`;
    const mirror = this.#mirrors.get(key) ?? new PassageMirror({ inst, model, field, dims }, this.#scans, this.#exactUpTo);
    this.#mirrors.delete(key);
    this.#mirrors.set(key, mirror);
    const [oldest] = this.#mirrors.keys();
    if (this.#mirrors.size > mostMirrors && oldest !== undefined) {
      this.#mirrors.get(oldest)?.drop();
      this.#mirrors.delete(oldest);
    }
    return mirror;
  }

  /** The texts of the records that fulfil all conditions. */
  async #allowed(view: ShelfView, field: number, conditions: readonly Condition[]): Promise<ReadonlySet<number>> {
    const { queries, layout, inst } = view;
    const way = wayOfAll(await this.#search.where(view, conditions), view.expected);
    const { where } = way;
    const texts = sql`SELECT t.id FROM semantic_texts t`;
    const of = sql`t.inst = ${inst} AND t.field = ${field}`;
    if (where.exact) {
      const rows = await queries.query<{ id: number }>(
        sql`${texts} JOIN ${raw(layout.records)} n ON n.inst = t.inst AND n.k = t.k WHERE ${of} AND ${where.sql}`,
      );
      return new Set(rows.map(({ id }) => id));
    }
    const keys: string[] = [];
    for await (const row of testedRows(queries, { layout, conditions, ...way, whole: false })) keys.push(String(row.values["k"]));
    const rows = await queries.query<{ id: number }>(sql`${texts} WHERE ${of} AND t.k = ANY (${keys}::text[])`);
    return new Set(rows.map(({ id }) => id));
  }
}

async function storedIndex(
  { entity }: Shelf,
  { field, model }: SemanticQuery,
  { queries, inst }: ShelfView,
): Promise<StoredIndex | undefined> {
  const rows = await queries.query<StoredIndex>(
    sql`SELECT f.id AS field, coalesce(m.id, 0) AS model, coalesce(m.dims, 0) AS dims, coalesce(i.ready, FALSE) AS ready, coalesce(i.passages, 0) AS passages,
        coalesce((SELECT s.turn FROM store_shelves s WHERE s.inst = f.inst AND s.entity = f.entity), 0) AS turn,
        CASE WHEN m.id IS NULL THEN -1 ELSE (SELECT count(*) FROM semantic_queue q WHERE q.inst = f.inst AND q.model = m.id AND q.field = f.id) END AS waiting,
        CASE WHEN i.ready THEN 0 ELSE (SELECT count(*) FROM semantic_texts t WHERE t.inst = f.inst AND t.field = f.id) END AS texts
      FROM semantic_fields f LEFT JOIN semantic_models m ON m.name = ${model}
      LEFT JOIN semantic_indexes i ON i.inst = f.inst AND i.model = m.id AND i.field = f.id
      WHERE f.inst = ${inst} AND f.entity = ${entity} AND f.field = ${field}`,
  );
  return rows[0];
}

/** The passages that may be the nearest to the prompt, with their scores. Of an index with all vectors in memory, these are all passages. */
async function candidates(
  { queries, inst }: ShelfView,
  mirror: PassageMirror,
  { vector, mean, after, limit }: SemanticQuery,
  allowed: ReadonlySet<number> | undefined,
): Promise<Scored[]> {
  const { slots, closed } = await mirror.open(allowed);
  const scores = mirror.vectors?.scores(vector, mirror.count);
  if (scores !== undefined)
    return slots.map((slot) => ({ passage: mirror.passage(slot), text: mirror.text(slot), score: bounded(scores[slot]) }));
  const want = scoredFor((after?.seen ?? 0) + limit + 1);
  const prompt = { vector, ...(mean === undefined ? {} : { mean }) };
  // Where few are open, all of them are scored.
  const near = slots.length <= 2 * want ? slots : await mirror.nearest(prompt, want, closed);
  const scorer = new VectorScorer(vector.length, batch);
  const found: Scored[] = [];
  for (let from = 0; from < near.length; from += batch) {
    const ids = near.slice(from, from + batch).map((slot) => mirror.passage(slot));
    const rows = await queries.query<{ id: number; text: number; vector: Buffer }>(
      sql`SELECT id, text, vector FROM semantic_passages WHERE inst = ${inst} AND id = ANY (${ids}::bigint[])`,
    );
    for (const [index, row] of rows.entries()) scorer.set(index, row.vector);
    const part = scorer.scores(vector, rows.length);
    for (const [index, { id, text }] of rows.entries()) found.push({ passage: id, text, score: bounded(part[index]) });
  }
  return found;
}

/** Each record once, with its best passage and the score of `recordScore`. */
function recordsOf(scored: readonly Scored[]): Scored[] {
  const best = new Map<number, { readonly passage: number; readonly best: number; readonly second: number | undefined }>();
  for (const { passage, text, score } of scored) {
    const known = best.get(text);
    if (known === undefined) best.set(text, { passage, best: score, second: undefined });
    else if (score > known.best) best.set(text, { passage, best: score, second: known.best });
    else best.set(text, { ...known, second: Math.max(known.second ?? score, score) });
  }
  return [...best].map(([text, { passage, best: first, second }]) => ({ passage, text, score: recordScore(first, second) }));
}

/** The units after the position, in the order of the hits; at most one more than the limit. */
async function place(
  { queries, inst }: ShelfView,
  units: readonly Scored[],
  { after, limit, minSimilarity = -1 }: SemanticQuery,
): Promise<Placed[]> {
  const highest = after?.score ?? Number.POSITIVE_INFINITY;
  const behind = units.filter(({ score }) => score >= minSimilarity && score <= highest).sort((a, b) => b.score - a.score);
  // Units with equal scores are ordered by their keys, so all of them are looked up.
  const least = behind.filter(({ score }) => score !== after?.score)[limit]?.score ?? Number.NEGATIVE_INFINITY;
  const looked = behind.filter(({ score }) => score === after?.score || score >= least);
  const rows = await queries.query<{ id: number; k: string; start: number; stop: number }>(
    sql`SELECT p.id, t.k, p.start, p.stop FROM semantic_passages p JOIN semantic_texts t ON t.inst = p.inst AND t.id = p.text
      WHERE p.inst = ${inst} AND t.inst = ${inst} AND p.id = ANY (${looked.map(({ passage }) => passage)}::bigint[])`,
  );
  const places = new Map(rows.map(({ id, k, start, stop }) => [id, { key: givenText(k), at: start, end: stop }]));
  return looked
    .flatMap((unit) => {
      const found = places.get(unit.passage);
      return found === undefined ? [] : [{ ...unit, ...found }];
    })
    .filter((one) => after === undefined || comparePlaces(one, after) > 0)
    .sort(comparePlaces)
    .slice(0, limit + 1);
}

async function hitsOf({ queries, layout, inst }: ShelfView, shown: readonly Placed[], query: SemanticQuery): Promise<Hit[]> {
  const wide = wideColumns(layout);
  const keys = shown.map(({ key }) => storedKey(key));
  const found = await queries.query<StoredRow>(
    sql`SELECT ${storedColumns(layout)} FROM ${raw(layout.records)} n WHERE n.inst = ${inst} AND n.k = ANY (${keys}::text[])`,
  );
  const rows = new Map(found.map((row) => [row.k, row]));
  return shown.map(({ key, at, end, score }) => {
    const row = rows.get(storedKey(key));
    const record = row === undefined ? {} : recordOf(wide, row.found, textsOf(wide.length, row), row.more);
    const text = record[columnNamed(layout, query.field).field];
    const entity = hitEntity(record, layout.plan.semantic?.hit ?? {}, query.fields);
    return {
      entity,
      metadata: { score, context: contextOf(typeof text === "string" ? text : "", { at, end }, query.contextSize) },
    };
  });
}

/** A cosine, without what rounding adds to it. */
function bounded(score: number | undefined): number {
  return Math.max(-1, Math.min(1, score ?? 0));
}
