import { raw, sql } from "../../../sql/index.ts";
import type { Hit, SemanticQuery } from "../../semantic.ts";
import { distinctPassages, hitEntity, hitMetadata, hitsWithin } from "../../semantic-answer.ts";
import { type StoredRow, storedColumns, textsOf } from "../rows/records.ts";
import { recordOf, storedKey } from "../rows/rows.ts";
import type { CollectionView } from "../search/search-tables.ts";
import { columnNamed, wideColumns } from "../tables/layout.ts";

/** A passage with the score of its stored vector. */
export interface Scored {
  readonly passage: number;
  readonly text: number;
  readonly score: number;
}

/** A passage with its place in the order of the hits. */
export interface Placed extends Scored {
  readonly key: string;
  readonly at: number;
  readonly end: number;
}

/** Without the passages whose context a better one of the same record has too. */
export async function withoutRepeated(
  view: CollectionView,
  placed: readonly Placed[],
  scored: readonly Scored[],
  query: SemanticQuery,
): Promise<Placed[]> {
  const passages = new Map(placed.map(({ text }) => [text, [] as Scored[]]));
  for (const one of scored) passages.get(one.text)?.push(one);
  const several = [...passages].filter(([, own]) => own.length > 1);
  if (several.length === 0) return [...placed];
  const ids = several.flatMap(([, own]) => own.map(({ passage }) => passage));
  const rows = await view.queries.query<{ id: number; start: number; stop: number }>(
    sql`SELECT id, start, stop FROM semantic_passages WHERE inst = ${view.inst} AND id = ANY (${ids}::bigint[])`,
  );
  const places = new Map(rows.map(({ id, start, stop }) => [id, { at: start, end: stop }]));
  const keys = new Map(placed.map(({ text, key }) => [text, key]));
  const records = await recordsOfKeys(
    view,
    several.map(([text]) => keys.get(text) ?? ""),
  );
  const kept = new Map(
    several.map(([text, own]) => {
      const all = own.flatMap(({ passage, score }) => {
        const found = places.get(passage);
        return found === undefined ? [] : [{ score, ...found }];
      });
      return [text, distinctPassages(textOf(records.get(keys.get(text) ?? ""), view, query), all, query.contextSize)];
    }),
  );
  return placed.filter(({ text, at }) => kept.get(text)?.has(at) ?? true);
}

export async function hitsOf(view: CollectionView, shown: readonly Placed[], query: SemanticQuery): Promise<Hit[]> {
  const records = await recordsOfKeys(
    view,
    shown.map(({ key }) => key),
  );
  return hitsWithin(shown, query, (one) => {
    const record = records.get(one.key) ?? {};
    const entity = hitEntity(record, view.layout.plan.semantic?.hit ?? {}, query.fields);
    return { key: one.key, entity, metadata: hitMetadata(textOf(record, view, query), one, query.contextSize) };
  });
}

type StoredRecord = Readonly<Record<string, unknown>>;

async function recordsOfKeys(
  { queries, layout, inst }: CollectionView,
  keys: readonly string[],
): Promise<Map<string, StoredRecord>> {
  const wide = wideColumns(layout);
  const found = await queries.query<StoredRow>(
    sql`SELECT ${storedColumns(layout)} FROM ${raw(layout.records)} n WHERE n.inst = ${inst} AND n.k = ANY (${keys.map(storedKey)}::text[])`,
  );
  const rows = new Map(found.map((row) => [row.k, row]));
  return new Map(
    keys.flatMap((key) => {
      const row = rows.get(storedKey(key));
      return row === undefined ? [] : [[key, recordOf(wide, row.found, textsOf(wide.length, row), row.more)]];
    }),
  );
}

/** The text of a record in which the query searches. */
function textOf(record: StoredRecord | undefined, { layout }: CollectionView, { field }: SemanticQuery): string {
  const text = record?.[columnNamed(layout, field).field];
  return typeof text === "string" ? text : "";
}
