import { type Condition, conjuncts } from "../../../search/index.ts";
import { recordScore } from "../../../semantic/record-score.ts";
import { TopScores } from "../../../semantic/top-scores.ts";
import type { VectorScorer } from "../../../semantic/vector-scorer.ts";
import type { SqliteValue } from "../../../sqlite/index.ts";
import { entityName } from "../../catalogue.ts";
import type { Hit, SemanticAnswer, SemanticQuery } from "../../semantic.ts";
import {
  Clock,
  comparePlaces,
  distinctPassages,
  hitEntity,
  hitMetadata,
  hitsWithin,
  notReady,
  notSynced,
} from "../../semantic-answer.ts";
import type { Collection } from "../../store.ts";
import { recordOf, wideFields } from "../rows/rows.ts";
import { type CollectionView, Reader } from "../search/reader.ts";
import type { SearchApi } from "../search/search-api.ts";
import type { Catalogue } from "../tables/catalogue.ts";
import { columnName, quoted } from "../tables/layout.ts";
import { textColumn } from "../tables/semantic-schema.ts";
import { batchScorer, bounded, CandidateFinder, type Candidates, type Scored } from "./candidates.ts";
import { FilterMasks, type MaskOfFilter } from "./filter-masks.ts";
import { PassageIndex } from "./passage-index.ts";

/** The index of a field, as the file has it. */
interface StoredIndex {
  readonly field: number;
  readonly model: number;
  readonly dims: number;
  readonly ready: number;
  readonly waiting: number;
  readonly texts: number;
}

/** A passage, or a record with its best passage, with its score and its place in the order of the hits. */
interface Unit extends Scored {
  readonly record: number;
}

interface Placed extends Unit {
  readonly key: string;
  readonly at: number;
  readonly end: number;
}

/** Runs searches by meaning on one connection, one at a time. It holds the indexes that it has searched in memory. */
export class SemanticReader implements SearchApi<SemanticQuery, SemanticAnswer> {
  readonly #reader: Reader;
  readonly #exactUpTo: number | undefined;
  readonly #indexes = new Map<string, PassageIndex>();
  readonly #scorers = new Map<number, VectorScorer>();
  readonly #masks = new FilterMasks();

  /** @param exactUpTo how many passages of an index are kept with their vectors; only tests set it */
  constructor(file: string, catalogue: Catalogue, { request, exactUpTo }: { request?: Int32Array; exactUpTo?: number } = {}) {
    this.#reader = new Reader(file, catalogue, request === undefined ? {} : { request });
    this.#exactUpTo = exactUpTo;
  }

  /**
   * @param deadline as of `Date.now()`
   * @throws TenonError `semantic_index_not_ready`, `search_timeout`
   */
  search(collection: Collection, query: SemanticQuery, deadline: number): SemanticAnswer | undefined {
    return this.#reader.within(collection, query.scopes, deadline, (view) => this.#search(collection, query, view));
  }

  close(): void {
    this.#reader.close();
  }

  #search(collection: Collection, query: SemanticQuery, view: CollectionView): SemanticAnswer {
    const clock = new Clock();
    const stored = storedIndex(collection, query, view);
    if (stored === undefined) {
      if (view.synced.syncedAt === null) throw notSynced(collection, query);
      return { hits: [], more: false, last: undefined, ...view.synced, waiting: 0 };
    }
    const complete = stored.ready === 1 || (stored.waiting === 0 && view.synced.syncedAt !== null);
    if (!complete) throw notReady(collection, query.field, stored);
    const index = this.#index(stored);
    index.refresh(view.statements, () => view.watch.check());
    clock.note("refresh");
    const conditions = conjuncts(query.filter);
    const scorer = (dims: number) => this.#scorer(dims);
    const finder = new CandidateFinder(view, index, query, conditions, scorer);
    const { after } = query;
    const seen = after?.seen ?? 0;
    const order = (count: number): Ordered => {
      const needed = seen + count;
      const candidates = finder.find(needed, this.#mask(collection, conditions, index, view));
      clock.note("candidates");
      const units = query.dedup === "none" ? unitsOf(candidates, index) : this.#records(candidates, index, query, view, needed);
      const placed = place(units, query, count, index, view);
      const kept = query.dedup === "none" ? withoutRepeated(placed, units, query, index, view) : placed;
      clock.note("order");
      return { candidates, placed, kept };
    };
    const { candidates, placed, kept } = enough(order, query.limit + 1);
    const shown = kept.slice(0, query.limit);
    const hits = hitsWithin(shown, query, (one) => hitOf(one, query, view));
    clock.note("hits");
    const last = shown[hits.length - 1];
    return {
      hits,
      more: kept.length > hits.length,
      last:
        last === undefined ? undefined : { score: last.score, key: last.key, at: last.at, seen: seen + placed.indexOf(last) + 1 },
      ...view.synced,
      waiting: stored.waiting,
      ...(query.explain
        ? {
            report: {
              model: query.model,
              passages: index.count,
              scanned: index.count,
              candidates: candidates.scored.length,
              filter: candidates.filter,
              times: clock.times,
            },
          }
        : {}),
    };
  }

  #index(stored: StoredIndex): PassageIndex {
    const key = `${stored.model} ${stored.field}`;
    let index = this.#indexes.get(key);
    if (index === undefined) {
      index = new PassageIndex(stored, this.#exactUpTo);
      this.#indexes.set(key, index);
    }
    return index;
  }

  #scorer(dims: number): VectorScorer {
    let scorer = this.#scorers.get(dims);
    if (scorer === undefined) {
      scorer = batchScorer(dims);
      this.#scorers.set(dims, scorer);
    }
    return scorer;
  }

  /** The passages of the records that fulfil all conditions. */
  #mask(collection: Collection, conditions: readonly Condition[], index: PassageIndex, view: CollectionView): MaskOfFilter {
    const version = Number(view.statements.get("PRAGMA data_version").pluck().get());
    const key = JSON.stringify([collection.connector, collection.instance, collection.entity, conditions]);
    return this.#masks.of(key, version, index, () => view.find(conditions, Number.MAX_SAFE_INTEGER));
  }

  /** Each record once, with its best passage and the score of `recordScore`. */
  #records(
    { scored, complete }: Candidates,
    index: PassageIndex,
    query: SemanticQuery,
    view: CollectionView,
    needed: number,
  ): Unit[] {
    const best = new Map<number, { slot: number; best: number; second: number | undefined }>();
    for (const { slot, score } of scored) {
      const record = index.records[slot] ?? 0;
      const known = best.get(record);
      if (known === undefined) best.set(record, { slot, best: score, second: undefined });
      else if (score > known.best) best.set(record, { slot, best: score, second: known.best });
      else known.second = Math.max(known.second ?? score, score);
    }
    const records = [...best].map(([record, known]) => ({ record, ...known }));
    if (complete)
      return records.map(({ record, slot, best: first, second }) => ({ record, slot, score: recordScore(first, second) }));
    // A record may have further passages that are no candidates. Its score is never above that of its best passage.
    records.sort((a, b) => b.best - a.best);
    const top = new TopScores(needed);
    const units: Unit[] = [];
    for (const { record, slot, best: first } of records) {
      if (first < top.least) break;
      const unit = { record, slot, score: recordScore(first, this.#second(index.passage(slot), query, view)) };
      units.push(unit);
      top.add(unit.score);
    }
    return units;
  }

  /** The score of a record's second best passage, beside the best one. */
  #second(best: number, { vector }: SemanticQuery, { statements }: CollectionView): number | undefined {
    const vectors = statements
      .get(
        "SELECT o.vector FROM semantic_passages p JOIN semantic_passages o ON o.text = p.text AND o.model = p.model WHERE p.id = ? AND o.id <> p.id",
      )
      .pluck()
      .all(best) as Buffer[];
    const scorer = this.#scorer(vector.length);
    for (const [place, stored] of vectors.entries()) scorer.set(place, stored);
    return vectors.length === 0 ? undefined : bounded(Math.max(...scorer.scores(vector, vectors.length)));
  }
}

function unitsOf({ scored }: Candidates, { records }: PassageIndex): Unit[] {
  return scored.map(({ slot, score }) => ({ slot, score, record: records[slot] ?? 0 }));
}

interface Ordered {
  readonly candidates: Candidates;
  /** The units after the position, in their order. */
  readonly placed: readonly Placed[];
  /** Those of them that are hits. */
  readonly kept: readonly Placed[];
}

/** Orders more and more units until so many of them are hits, or there are no more. */
function enough(order: (count: number) => Ordered, hits: number): Ordered {
  for (let count = hits; ; count *= 2) {
    const ordered = order(count);
    if (ordered.kept.length >= hits || ordered.placed.length < count) return ordered;
  }
}

/** Without the passages whose context a better one of the same record has too. */
function withoutRepeated(
  placed: readonly Placed[],
  units: readonly Unit[],
  query: SemanticQuery,
  index: PassageIndex,
  view: CollectionView,
): Placed[] {
  const passages = new Map(placed.map(({ record }) => [record, [] as Unit[]]));
  for (const unit of units) passages.get(unit.record)?.push(unit);
  const read = view.statements.get('SELECT start AS at, stop AS "end" FROM semantic_passages WHERE id = ?');
  const kept = new Map<number, ReadonlySet<number>>();
  for (const [record, own] of passages) {
    if (own.length < 2) continue;
    view.watch.did(own.length);
    const all = own.map(({ slot, score }) => ({ score, ...(read.get(index.passage(slot)) as { at: number; end: number }) }));
    kept.set(record, distinctPassages(textOf(record, query, view), all, query.contextSize));
  }
  return placed.filter(({ record, at }) => kept.get(record)?.has(at) ?? true);
}

/** The units after the position, in the order of the hits; at most so many. */
function place(units: readonly Unit[], query: SemanticQuery, count: number, index: PassageIndex, view: CollectionView): Placed[] {
  const { after, minSimilarity = -1 } = query;
  const top = new TopScores(count);
  const behind = units.filter(({ score }) => score >= minSimilarity && score <= (after?.score ?? Number.POSITIVE_INFINITY));
  for (const { score } of behind) if (score !== after?.score) top.add(score);
  const read = view.statements
    .get("SELECT t.k, p.start, p.stop FROM semantic_passages p CROSS JOIN semantic_texts t ON t.id = p.text WHERE p.id = ?")
    .raw();
  // Units with equal scores are ordered by their keys, so all of them are looked up.
  const placed = behind
    .filter(({ score }) => score === after?.score || score >= top.least)
    .map((unit): Placed => {
      view.watch.did(1);
      const [key, at, end] = read.get(index.passage(unit.slot)) as [string, number, number];
      return { ...unit, key, at, end };
    });
  return placed
    .filter((one) => after === undefined || comparePlaces(one, after) > 0)
    .sort(comparePlaces)
    .slice(0, count);
}

function hitOf(placed: Placed, query: SemanticQuery, view: CollectionView): Hit {
  const { record } = placed;
  const { statements, layout } = view;
  const names = wideFields(layout).map((name) => `, ${quoted(columnName(name))}`);
  const row = statements.get(`SELECT found, more${names.join("")} FROM ${layout.wide} WHERE id = ?`).raw();
  const [found, more, ...texts] = row.get(record) as [string, string, ...SqliteValue[]];
  const whole = recordOf(layout, found, texts, more);
  const entity = hitEntity(whole, layout.plan.semantic?.hit ?? {}, query.fields);
  return { key: placed.key, entity, metadata: hitMetadata(textOf(record, query, view), placed, query.contextSize) };
}

/** The text of a record in which the query searches. */
function textOf(record: number, { field }: SemanticQuery, { statements, layout }: CollectionView): string {
  const { table, column } = textColumn(field, layout);
  return String(statements.get(`SELECT ${column} FROM ${table} WHERE id = ?`).pluck().get(record) ?? "");
}

function storedIndex(
  { connector, entity }: Collection,
  { field, model }: SemanticQuery,
  view: CollectionView,
): StoredIndex | undefined {
  return view.statements
    .get(
      `SELECT f.id AS field, coalesce(m.id, 0) AS model, coalesce(m.dims, 0) AS dims, coalesce(i.ready, 0) AS ready,
         CASE WHEN m.id IS NULL THEN -1 ELSE (SELECT count(*) FROM semantic_queue q WHERE q.model = m.id AND q.field = f.id) END AS waiting,
         CASE WHEN i.ready = 1 THEN 0 ELSE (SELECT count(*) FROM semantic_texts t WHERE t.field = f.id) END AS texts
       FROM semantic_fields f LEFT JOIN semantic_models m ON m.name = ? LEFT JOIN semantic_indexes i ON i.model = m.id AND i.field = f.id
       WHERE f.inst = ? AND f.entity = ? AND f.field = ?`,
    )
    .get(model, view.instance ?? 0, entityName({ connector, entity }), field) as StoredIndex | undefined;
}
