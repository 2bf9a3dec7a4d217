import { type Database, type Queries, serverTime } from "../../../postgres/index.ts";
import { raw, sql } from "../../../sql/index.ts";
import { entityName, type LayoutCatalogue } from "../../catalogue.ts";
import { mayTakeLease } from "../../lease.ts";
import type { EmbeddedText, EmbeddingQueue, SemanticModel, SemanticState, WaitingText } from "../../semantic.ts";
import type { StoreInstance } from "../../store.ts";
import { dropPassages } from "../rows/semantic-texts.ts";
import { columnNamed, type Layout } from "../tables/layout.ts";
import { givenText } from "../tables/text.ts";

/** How long (ms) an owner that asked for waiting texts alone embeds by a model. */
const leaseTime = 30_000;
/** The most texts that are handed out at once. */
const mostTexts = 500;
/** How many texts are read by one statement. */
const readAtOnce = 50;
/** How many passages of another model one call removes. They are few, so that other calls need not wait long. */
const dropped = 2_000;

/** A field of an entity of an instance whose texts are embedded. */
interface FieldRow {
  readonly inst: number;
  readonly id: number;
  readonly connector: string;
  readonly entity: string;
  readonly field: string;
}

interface WaitingRow {
  readonly inst: number;
  readonly text: number;
  readonly field: number;
  readonly version: number;
}

/** Reads the queue of the texts that wait to be embedded, and stores their passages. */
export class EmbeddingTables implements EmbeddingQueue {
  readonly #database: Database;
  readonly #catalogue: LayoutCatalogue<Layout>;

  constructor(database: Database, catalogue: LayoutCatalogue<Layout>) {
    this.#database = database;
    this.#catalogue = catalogue;
  }

  async openModel({ name, dims }: SemanticModel): Promise<void> {
    await this.#database.transaction(async (queries) => {
      const made = await queries.query<{ id: number }>(
        sql`INSERT INTO semantic_models (name, dims) VALUES (${name}, ${dims}) ON CONFLICT DO NOTHING RETURNING id`,
      );
      for (const { id } of made)
        await queries.run(
          sql`INSERT INTO semantic_queue (inst, model, text, field, version) SELECT inst, ${id}::integer, id, field, version FROM semantic_texts ON CONFLICT DO NOTHING`,
        );
    });
  }

  async waitingTexts(name: string, owner: string, after: number, most: number): Promise<WaitingText[]> {
    const model = await this.#model(this.#database, name);
    if (model === undefined) return [];
    if ((await this.waitingCount(name)) === 0) {
      await markReady(this.#database, model);
      return [];
    }
    if (!(await this.#takeLease(model, owner))) return [];
    const fields = await this.#ownFields();
    // The queue of each instance is read by its own part of the index.
    const rows = await this.#database.query<WaitingRow>(
      sql`SELECT q.* FROM store_instances i CROSS JOIN LATERAL (SELECT inst, text, field, version FROM semantic_queue
          WHERE inst = i.id AND model = ${model} AND text > ${after} AND field = ANY (${[...fields.keys()]}::integer[])
          ORDER BY text LIMIT ${mostTexts}) q ORDER BY q.text LIMIT ${mostTexts}`,
    );
    const texts: WaitingText[] = [];
    let characters = 0;
    for (let from = 0; from < rows.length && characters < most; from += readAtOnce) {
      const part = rows.slice(from, from + readAtOnce);
      const contents = new Map<number, string>();
      const known = new Map<number, string[]>();
      for (const [field, own] of Map.groupBy(part, (row) => row.field)) {
        const place = fields.get(field);
        if (place === undefined) continue;
        const ids = own.map(({ text }) => text);
        for (const { id, text } of await this.#texts(place, ids)) contents.set(id, givenText(text ?? ""));
        for (const { text, hashes } of await knownPassages(this.#database, place.inst, model, ids)) known.set(text, hashes);
      }
      for (const { text: id, field, version } of part) {
        if (characters >= most) break;
        const text = contents.get(id) ?? "";
        characters += text.length;
        texts.push({ id, field, version, text, known: known.get(id) ?? [] });
      }
    }
    return texts;
  }

  async endEmbedding(name: string, owner: string): Promise<void> {
    await this.#database.run(sql`UPDATE semantic_models SET owner = NULL WHERE name = ${name} AND owner = ${owner}`);
  }

  async waitingCount(name: string): Promise<number> {
    const model = await this.#model(this.#database, name);
    // For a model that is not there yet, all texts wait.
    const waiting =
      model === undefined
        ? sql`SELECT count(*) FROM semantic_texts WHERE inst = i.id`
        : sql`SELECT count(*) FROM semantic_queue WHERE inst = i.id AND model = ${model}`;
    const rows = await this.#database.query<{ count: number }>(
      sql`SELECT coalesce(sum(q.count), 0)::bigint AS count FROM store_instances i CROSS JOIN LATERAL (${waiting}) q`,
    );
    return rows[0]?.count ?? 0;
  }

  async keepPassages(name: string, texts: readonly EmbeddedText[], perSecond: number): Promise<void> {
    const model = await this.#model(this.#database, name);
    if (model === undefined) return;
    await this.#database.run(sql`UPDATE semantic_models SET per_second = ${perSecond}, problem = NULL WHERE id = ${model}`);
    const fields = await this.#fields();
    for (const [field, own] of Map.groupBy(texts, (text) => text.field)) {
      const place = fields.get(field);
      if (place !== undefined)
        await this.#database.transaction((queries) => keepOfField(queries, model, place, own), { repeatable: true });
    }
    if ((await this.waitingCount(name)) === 0) await markReady(this.#database, model);
  }

  async noteProblem(name: string, problem: string | null): Promise<void> {
    await this.#database.run(sql`UPDATE semantic_models SET problem = ${problem} WHERE name = ${name}`);
  }

  async dropOtherModels(name: string): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      const model = await this.#model(queries, name);
      const [other] = await queries.query<{ id: number }>(sql`SELECT id FROM semantic_models WHERE id <> ${model ?? 0} LIMIT 1`);
      // The other model answers until every field has an index of this one.
      const missing = await queries.query(
        sql`SELECT 1 FROM semantic_fields f LEFT JOIN semantic_indexes i ON i.inst = f.inst AND i.field = f.id AND i.model = ${model ?? 0}
          WHERE i.ready IS NOT TRUE LIMIT 1`,
      );
      if (other === undefined || model === undefined || missing.length > 0) return false;
      const removed = await queries.run(
        sql`DELETE FROM semantic_passages p USING (SELECT inst, id FROM semantic_passages WHERE model = ${other.id} LIMIT ${dropped}) g
          WHERE p.inst = g.inst AND p.id = g.id`,
      );
      if (removed > 0) return true;
      for (const table of ["queue", "indexes", "removed"])
        await queries.run(sql`DELETE FROM ${raw(`semantic_${table}`)} WHERE model = ${other.id}`);
      await queries.run(sql`DELETE FROM semantic_models WHERE id = ${other.id}`);
      return true;
    });
  }

  async semanticStates({ connector, instance }: StoreInstance): Promise<SemanticState[]> {
    const rows = await this.#database.query<Omit<SemanticState, "secondsLeft"> & { readonly per_second: number | null }>(
      sql`SELECT f.entity, f.field, m.name AS model, coalesce(i.passages, 0) AS passages, coalesce(i.ready, FALSE) AS ready, m.per_second, m.problem,
          (SELECT count(*) FROM semantic_queue q WHERE q.inst = f.inst AND q.model = m.id AND q.field = f.id) AS waiting
        FROM store_instances n JOIN semantic_fields f ON f.inst = n.id CROSS JOIN semantic_models m
        LEFT JOIN semantic_indexes i ON i.inst = f.inst AND i.model = m.id AND i.field = f.id
        WHERE n.connector = ${connector} AND n.name = ${instance} ORDER BY f.entity, f.field, m.name`,
    );
    return rows.map(({ per_second, ...rest }) => ({
      ...rest,
      secondsLeft: rest.waiting === 0 ? 0 : per_second ? Math.ceil(rest.waiting / per_second) : null,
    }));
  }

  async #model(queries: Pick<Queries, "query">, name: string): Promise<number | undefined> {
    const rows = await queries.query<{ id: number }>(sql`SELECT id FROM semantic_models WHERE name = ${name}`);
    return rows[0]?.id;
  }

  #takeLease(model: number, owner: string): Promise<boolean> {
    return this.#database.transaction(async (queries) => {
      const [held] = await queries.query<{ owner: string | null; until: number; now: number }>(
        sql`SELECT owner, until, ${serverTime} AS now FROM semantic_models WHERE id = ${model} FOR UPDATE`,
      );
      if (held === undefined) return false;
      const lease = held.owner === null ? undefined : { owner: held.owner, until: held.until };
      if (!mayTakeLease(lease, owner, held.now)) return false;
      // A lease that holds for long enough need not be written again.
      if (held.owner !== owner || held.until < held.now + leaseTime / 2)
        await queries.run(
          sql`UPDATE semantic_models SET owner = ${owner}, until = ${serverTime} + ${leaseTime}::bigint WHERE id = ${model}`,
        );
      return true;
    });
  }

  async #fields(): Promise<ReadonlyMap<number, FieldRow>> {
    const rows = await this.#database.query<FieldRow>(
      sql`SELECT f.inst, f.id, n.connector, f.entity, f.field FROM semantic_fields f JOIN store_instances n ON n.id = f.inst`,
    );
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The fields whose texts this process can read: not those of another version of the spec, whose records it has late or not at all. */
  async #ownFields(): Promise<ReadonlyMap<number, FieldRow>> {
    const rows = await this.#database.query<{ name: string; version: string }>(sql`SELECT name, version FROM store_entities`);
    const versions = new Map(rows.map(({ name, version }) => [name, version]));
    const isOwn = ({ connector, entity, field }: FieldRow) => {
      const name = entityName({ connector, entity });
      const layout = this.#catalogue.named(name);
      return layout?.plan.semantic?.fields[field] !== undefined && layout.version === versions.get(name);
    };
    return new Map([...(await this.#fields())].filter(([, row]) => isOwn(row)));
  }

  async #texts(
    { inst, connector, entity, field }: FieldRow,
    ids: readonly number[],
  ): Promise<{ id: number; text: string | null }[]> {
    const layout = this.#catalogue.named(entityName({ connector, entity }));
    if (layout?.plan.semantic?.fields[field] === undefined) return [];
    return this.#database.query(
      sql`SELECT t.id, ${columnNamed(layout, field).sql} AS text FROM semantic_texts t JOIN ${raw(layout.records)} n ON n.inst = t.inst AND n.k = t.k
        WHERE t.inst = ${inst} AND t.id = ANY (${ids}::bigint[]) AND n.inst = ${inst}`,
    );
  }
}

/** The digests of the passages that texts have in the index. */
function knownPassages(
  database: Database,
  inst: number,
  model: number,
  texts: readonly number[],
): Promise<{ text: number; hashes: string[] }[]> {
  return database.query(
    sql`SELECT text, array_agg(hash ORDER BY start) AS hashes FROM semantic_passages WHERE inst = ${inst} AND text = ANY (${texts}::bigint[]) AND model = ${model} GROUP BY text`,
  );
}

/** Stores the passages of texts of one field. */
async function keepOfField(
  queries: Queries,
  model: number,
  { inst, id: field, entity }: FieldRow,
  texts: readonly EmbeddedText[],
): Promise<void> {
  const [collection] = await queries.query<{ revision: number }>(
    sql`UPDATE store_collections SET revision = revision + 1 WHERE inst = ${inst} AND entity = ${entity} RETURNING revision`,
  );
  const revision = collection?.revision ?? 0;
  let added = 0;
  for (const { id: text, version, passages } of texts) {
    const waited = await queries.run(
      sql`DELETE FROM semantic_queue WHERE inst = ${inst} AND model = ${model} AND text = ${text} AND version = ${version}`,
    );
    // The text has changed or is gone, or another process has embedded it.
    if (waited === 0) continue;
    const left = await queries.query<{ id: number; start: number; stop: number; hash: string }>(
      sql`SELECT id, start, stop, hash FROM semantic_passages WHERE inst = ${inst} AND text = ${text} AND model = ${model} ORDER BY start`,
    );
    for (const { at, end, hash, made } of passages) {
      const place = left.findIndex((one) => one.hash === hash);
      const known = place < 0 ? undefined : left.splice(place, 1)[0];
      if (known !== undefined) {
        if (known.start !== at || known.stop !== end)
          await queries.run(
            sql`UPDATE semantic_passages SET start = ${at}, stop = ${end} WHERE inst = ${inst} AND id = ${known.id}`,
          );
      } else if (made !== undefined) {
        added++;
        await queries.run(
          sql`INSERT INTO semantic_passages (inst, model, field, text, start, stop, hash, revision, code, vector)
            VALUES (${inst}, ${model}, ${field}, ${text}, ${at}, ${end}, ${hash}, ${revision}, ${Buffer.from(made.code)}, ${Buffer.from(made.vector)})`,
        );
      } else throw new Error(`there is no embedding of passage ${hash}`);
    }
    await dropPassages(
      queries,
      inst,
      revision,
      left.map(({ id }) => id),
    );
  }
  if (added > 0)
    await queries.run(
      sql`INSERT INTO semantic_indexes AS i (inst, model, field, passages, ready) VALUES (${inst}, ${model}, ${field}, ${added}, FALSE)
        ON CONFLICT (inst, model, field) DO UPDATE SET passages = i.passages + excluded.passages`,
    );
}

/** Marks the indexes in which nothing is missing: nothing waits, and every scope of the entity was read to its end once. */
async function markReady(queries: Pick<Queries, "run">, model: number): Promise<void> {
  await queries.run(
    sql`INSERT INTO semantic_indexes (inst, model, field, passages, ready)
      SELECT f.inst, ${model}::integer, f.id, 0, TRUE FROM semantic_fields f LEFT JOIN semantic_indexes i ON i.inst = f.inst AND i.model = ${model} AND i.field = f.id
      WHERE i.ready IS NOT TRUE AND (SELECT count(*) > 0 AND count(*) = count(s.completed_at) FROM store_states s WHERE s.inst = f.inst AND s.entity = f.entity)
      ON CONFLICT (inst, model, field) DO UPDATE SET ready = TRUE`,
  );
}
