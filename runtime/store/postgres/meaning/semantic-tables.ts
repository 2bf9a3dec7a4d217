import { BoundedMap } from "../../../base/bounded-map.ts";
import { type Condition, conjuncts } from "../../../search/index.ts";
import { scoredFor } from "../../../semantic/nearest-slots.ts";
import { raw, sql } from "../../../sql/index.ts";
import type { SemanticAnswer, SemanticQuery } from "../../semantic.ts";
import { Clock, comparePlaces, notReady, notSynced } from "../../semantic-answer.ts";
import type { Collection } from "../../store.ts";
import { type SearchLimits, testedRows } from "../search/find.ts";
import { type CollectionView, type SearchTables, wayOfAll } from "../search/search-tables.ts";
import { givenText } from "../tables/text.ts";
import { CodeScans } from "./code-scans.ts";
import { type IndexState, PassageMirror } from "./passage-mirror.ts";
import { batch, bounded, readRecordsOf, recordsOf, scoredPassages } from "./record-scores.ts";
import { hitsOf, type Placed, type Scored, withoutRepeated } from "./semantic-hits.ts";

/** The index of a field, as the database has it. */
interface StoredIndex extends IndexState {
  readonly field: number;
  readonly model: number;
  readonly dims: number;
  readonly ready: boolean;
  readonly waiting: number;
  readonly texts: number;
}

/** How many indexes are kept in memory. */
const mostMirrors = 50;

/** Runs searches by meaning. It holds the indexes that it has searched in memory. */
export class SemanticTables {
  readonly #search: SearchTables;
  readonly #exactUpTo: number | undefined;
  readonly #mirrors = new BoundedMap<string, PassageMirror>(mostMirrors, (mirror) => mirror.drop());
  readonly #scans = new CodeScans();

  /** @param exactUpTo how many passages of an index are kept with their vectors; only tests set it */
  constructor(search: SearchTables, exactUpTo?: number) {
    this.#search = search;
    this.#exactUpTo = exactUpTo;
  }

  /** @throws TenonError `semantic_index_not_ready`, and the errors of `SearchTables.search` */
  find(collection: Collection, query: SemanticQuery, limits: SearchLimits): Promise<SemanticAnswer> {
    return this.#search.within(collection, query.scopes, limits, (view) => {
      if (view === undefined) throw notSynced(collection, query);
      return this.#find(collection, query, view);
    });
  }

  /** Ends the thread that compares codes. */
  close(): Promise<void> {
    return this.#scans.close();
  }

  async #find(collection: Collection, query: SemanticQuery, view: CollectionView): Promise<SemanticAnswer> {
    const clock = new Clock();
    const { syncedAt, sync } = await view.noted;
    const stored = await storedIndex(collection, query, view);
    if (stored === undefined) {
      if (syncedAt === null) throw notSynced(collection, query);
      return { hits: [], more: false, last: undefined, syncedAt, sync, waiting: 0 };
    }
    if (!stored.ready && !(stored.waiting === 0 && syncedAt !== null)) throw notReady(collection, query.field, stored);
    const mirror = this.#mirror(view.inst, stored);
    await mirror.refresh(view.queries, stored);
    clock.note("refresh");
    const conditions = conjuncts(query.filter);
    const allowed = conditions.length === 0 ? undefined : await this.#allowed(view, stored.field, conditions);
    clock.note("filter");
    const seen = query.after?.seen ?? 0;
    const order = async (count: number): Promise<Ordered> => {
      const needed = seen + count;
      const { scored, complete } = await candidates(view, mirror, query, needed, allowed);
      clock.note("candidates");
      const records = () =>
        complete ? recordsOf(scored) : readRecordsOf(view, scored, { vector: query.vector, model: stored.model, needed });
      const placed = await place(view, query.dedup === "none" ? scored : await records(), query, count);
      const kept = query.dedup === "none" ? await withoutRepeated(view, placed, scored, query) : placed;
      clock.note("order");
      return { scored, placed, kept };
    };
    const { scored, placed, kept } = await enough(order, query.limit + 1);
    const shown = kept.slice(0, query.limit);
    const hits = await hitsOf(view, shown, query);
    clock.note("hits");
    const last = shown[hits.length - 1];
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
      more: kept.length > hits.length,
      last:
        last === undefined ? undefined : { score: last.score, key: last.key, at: last.at, seen: seen + placed.indexOf(last) + 1 },
      syncedAt,
      sync,
      waiting: Math.max(0, stored.waiting),
      ...(query.explain ? { report } : {}),
    };
  }

  #mirror(inst: number, { model, field, dims }: StoredIndex): PassageMirror {
    const make = () => new PassageMirror({ inst, model, field, dims }, this.#scans, this.#exactUpTo);
    return this.#mirrors.getOrMake(`${inst} ${model} ${field}`, make);
  }

  /** The texts of the records that fulfil all conditions. */
  async #allowed(view: CollectionView, field: number, conditions: readonly Condition[]): Promise<ReadonlySet<number>> {
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
    for await (const row of testedRows(queries, { layout, conditions, ...way, whole: false }, view.limits))
      keys.push(String(row.values["k"]));
    const rows = await queries.query<{ id: number }>(sql`${texts} WHERE ${of} AND t.k = ANY (${keys}::text[])`);
    return new Set(rows.map(({ id }) => id));
  }
}

async function storedIndex(
  { entity }: Collection,
  { field, model }: SemanticQuery,
  { queries, inst }: CollectionView,
): Promise<StoredIndex | undefined> {
  const rows = await queries.query<StoredIndex>(
    sql`SELECT f.id AS field, coalesce(m.id, 0) AS model, coalesce(m.dims, 0) AS dims, coalesce(i.ready, FALSE) AS ready, coalesce(i.passages, 0) AS passages,
        coalesce((SELECT s.revision FROM store_collections s WHERE s.inst = f.inst AND s.entity = f.entity), 0) AS revision,
        CASE WHEN m.id IS NULL THEN -1 ELSE (SELECT count(*) FROM semantic_queue q WHERE q.inst = f.inst AND q.model = m.id AND q.field = f.id) END AS waiting,
        CASE WHEN i.ready THEN 0 ELSE (SELECT count(*) FROM semantic_texts t WHERE t.inst = f.inst AND t.field = f.id) END AS texts
      FROM semantic_fields f LEFT JOIN semantic_models m ON m.name = ${model}
      LEFT JOIN semantic_indexes i ON i.inst = f.inst AND i.model = m.id AND i.field = f.id
      WHERE f.inst = ${inst} AND f.entity = ${entity} AND f.field = ${field}`,
  );
  return rows[0];
}

interface Candidates {
  readonly scored: readonly Scored[];
  /** Whether every passage that is allowed is there. */
  readonly complete: boolean;
}

/** The passages that may be the nearest to the prompt, with their scores. */
async function candidates(
  view: CollectionView,
  mirror: PassageMirror,
  { vector, mean }: SemanticQuery,
  needed: number,
  allowed: ReadonlySet<number> | undefined,
): Promise<Candidates> {
  const { slots, closed } = await mirror.open(allowed);
  const scores = mirror.vectors?.scores(vector, mirror.count);
  if (scores !== undefined) {
    const scored = slots.map((slot) => ({
      passage: mirror.passage(slot),
      text: mirror.text(slot),
      score: bounded(scores[slot]),
    }));
    return { scored, complete: true };
  }
  const want = scoredFor(needed);
  const prompt = { vector, ...(mean === undefined ? {} : { mean }) };
  // Where few are open, all of them are scored.
  const complete = slots.length <= 2 * want;
  const near = complete ? slots : await mirror.nearest(prompt, want, closed);
  const scored: Scored[] = [];
  for (let from = 0; from < near.length; from += batch) {
    const ids = near.slice(from, from + batch).map((slot) => mirror.passage(slot));
    scored.push(...(await scoredPassages(view, vector, sql`id = ANY (${ids}::bigint[])`)));
  }
  return { scored, complete };
}

interface Ordered {
  readonly scored: readonly Scored[];
  /** The units after the position, in their order. */
  readonly placed: readonly Placed[];
  /** Those of them that are hits. */
  readonly kept: readonly Placed[];
}

/** Orders more and more units until so many of them are hits, or there are no more. */
async function enough(order: (count: number) => Promise<Ordered>, hits: number): Promise<Ordered> {
  for (let count = hits; ; count *= 2) {
    const ordered = await order(count);
    if (ordered.kept.length >= hits || ordered.placed.length < count) return ordered;
  }
}

/** The units after the position, in the order of the hits; at most so many. */
async function place(
  { queries, inst }: CollectionView,
  units: readonly Scored[],
  { after, minSimilarity = -1 }: SemanticQuery,
  count: number,
): Promise<Placed[]> {
  const highest = after?.score ?? Number.POSITIVE_INFINITY;
  const behind = units.filter(({ score }) => score >= minSimilarity && score <= highest).sort((a, b) => b.score - a.score);
  // Units with equal scores are ordered by their keys, so all of them are looked up.
  const least = behind.filter(({ score }) => score !== after?.score)[count - 1]?.score ?? Number.NEGATIVE_INFINITY;
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
    .slice(0, count);
}
