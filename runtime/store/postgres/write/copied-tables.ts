import { type Database, migrate, type Queries } from "../../../postgres/index.ts";
import { keyText, type RecordObject } from "../../../search/index.ts";
import { raw, type Sql, sql } from "../../../sql/index.ts";
import { entityName, LayoutCatalogue, type Plans } from "../../catalogue.ts";
import type {
  CopiedMarker,
  CopiedMembership,
  CopiedPage,
  CopiedRecord,
  CopiedSchedule,
  CopiedState,
  RecordAccess,
} from "../../copied-records.ts";
import type { Collection, StoreInstance } from "../../store.ts";
import { markerCursor, markerKeyOf } from "../../works/copied-ledger.ts";
import { type StoredRow, saveRecords, storedColumns, textsOf } from "../rows/records.ts";
import { keyOf, mayBeCut, recordOf, storedKey } from "../rows/rows.ts";
import { beginLoading, recordsToLoad, worthLoading } from "../tables/bulk-load.ts";
import { anotherSpec, openCollection, writing } from "../tables/collections.ts";
import { makeMissing } from "../tables/indexes.ts";
import { type Layout, layoutOf, wideColumns } from "../tables/layout.ts";
import { recordSchema } from "../tables/schema.ts";
import type { WriteTarget } from "../tables/target.ts";
import { givenText, storedText } from "../tables/text.ts";
import { KnownVocabularies, type KnownWords } from "../words/known-words.ts";
import { Trigrams } from "../words/trigrams.ts";
import { prepareEntity, storedVersion } from "./entities.ts";
import { InstanceIds } from "./instances.ts";
import { ledgerOn } from "./ledger.ts";

/**
 * Opens the records of a database for a copy. The tables are made when they are missing.
 *
 * @param database is closed with what is returned
 */
export async function openPostgresRecords(database: Database, plans: Plans): Promise<RecordAccess> {
  await migrate(database, recordSchema);
  await new Trigrams(database).prepare();
  return new CopiedTables(database, plans);
}

interface MembershipRow extends CopiedMembership {
  readonly k: string;
}

class CopiedTables implements RecordAccess {
  readonly #database: Database;
  readonly #catalogue: LayoutCatalogue<Layout>;
  readonly #instances: InstanceIds;
  readonly #vocabularies = new KnownVocabularies();
  /** Entities whose indexes this copy has tried to drop. Searches would wait for each further try. */
  readonly #loaded = new Set<string>();

  constructor(database: Database, plans: Plans) {
    this.#database = database;
    this.#catalogue = new LayoutCatalogue(plans, layoutOf);
    this.#instances = new InstanceIds(database);
  }

  instances(): Promise<StoreInstance[]> {
    return ledgerOn(this.#database).instances();
  }

  async entities({ connector }: StoreInstance): Promise<string[]> {
    const names: string[] = [];
    for (const one of this.#catalogue.entities) {
      if (one.connector !== connector) continue;
      const version = await storedVersion(this.#database, one);
      if (version === undefined) continue;
      if (version !== this.#catalogue.layout(one).version) throw anotherSpec(one.entity);
      names.push(one.entity);
    }
    return names;
  }

  async records(collection: Collection, from: string | undefined, limit: number): Promise<CopiedPage<CopiedRecord>> {
    const rows = await this.#rows(collection, sql`n.k > ${from ?? ""} ORDER BY n.k LIMIT ${limit}`);
    return { rows: await this.#copied(collection, rows), next: rows.length < limit ? undefined : rows.at(-1)?.k };
  }

  async find(collection: Collection, keys: readonly string[]): Promise<CopiedRecord[]> {
    if ((await storedVersion(this.#database, collection)) === undefined) return [];
    return this.#copied(collection, await this.#rows(collection, sql`n.k = ANY (${keys.map(storedKey)}::text[])`));
  }

  async save(collection: Collection, records: readonly CopiedRecord[]): Promise<void> {
    const layout = this.#catalogue.layout(collection);
    await prepareEntity(this.#database, collection, layout);
    const inst = await this.#instances.make(collection);
    const groups = Map.groupBy(
      records.flatMap(({ json, memberships }) => memberships.map((membership) => ({ json, membership }))),
      ({ membership: { scope, run } }) => JSON.stringify([scope, run]),
    );
    const save = async (queries: Queries) => {
      const open = await openCollection(queries, collection, layout, inst);
      const known = this.#vocabularies.of(inst, `${layout.vocabulary} ${open.made}`);
      // A record that was damaged has the digest that it had before.
      const keys = records.map(({ key }) => storedKey(key));
      await queries.run(sql`UPDATE ${raw(layout.records)} SET digest = '' WHERE inst = ${inst} AND k = ANY (${keys}::text[])`);
      const words: Parameters<KnownWords["add"]>[0][] = [];
      let loader: WriteTarget | undefined;
      for (const group of groups.values()) {
        const { scope, run } = group[0]?.membership ?? { scope: "", run: 0 };
        const target = {
          layout,
          inst,
          entity: collection.entity,
          scope: await ledgerOn(queries).makeScope(inst, storedText(scope)),
          run,
          ...open,
        };
        const found = group.map(({ json, membership }) => {
          const record = recordAt(json, membership);
          return { record, key: keyOf(layout, record), parent: storedKey(membership.parent) };
        });
        const done = await saveRecords(queries, target, found, known);
        await ledgerOn(queries).addCounts(target, { scope: done.joined, all: done.inserted });
        words.push(done.words);
        const may = open.loading === undefined && !this.#loaded.has(entityName(collection));
        const bounds = { least: worthLoading, most: worthLoading };
        if (may && (await recordsToLoad(queries, collection, target, bounds)) !== undefined) loader = target;
      }
      return { known, words: words.flat(), loader };
    };
    const saved = await writing(() => this.#database.transaction(save));
    saved.known.add(saved.words);
    if (saved.loader === undefined) return;
    this.#loaded.add(entityName(collection));
    // The indexes only make loading slower, so when dropping them fails, loading goes on.
    await beginLoading(this.#database, collection, layout, saved.loader).catch(() => undefined);
  }

  async settle(collection: Collection): Promise<void> {
    const layout = this.#catalogue.layout(collection);
    await prepareEntity(this.#database, collection, layout);
    await makeMissing(this.#database, [{ entity: collection, layout }], new AbortController().signal, () => undefined);
    await this.#database.alone(raw(`ANALYZE ${layout.records}, ${layout.vocabulary}`));
  }

  async markers(instance: StoreInstance, from: string | undefined, limit: number): Promise<CopiedPage<CopiedMarker>> {
    const inst = (await this.#instances.find(instance)) ?? 0;
    const rows = await ledgerOn(this.#database).markers(inst, markerKeyOf(from), limit);
    const parents = await this.#fullKeys(
      instance,
      inst,
      rows.map(({ parent }) => parent),
    );
    return {
      rows: rows.map((row) => ({
        ...row,
        scope: givenText(row.scope),
        parent: parents.get(row.parent) ?? givenText(row.parent),
        marker: row.marker === null ? null : givenText(row.marker),
      })),
      next: markerCursor(rows, limit),
    };
  }

  async saveMarkers(instance: StoreInstance, markers: readonly CopiedMarker[]): Promise<void> {
    const inst = await this.#instances.make(instance);
    const stored = markers.map((one) => ({
      ...one,
      scope: storedText(one.scope),
      parent: storedKey(one.parent),
      marker: one.marker === null ? null : storedText(one.marker),
    }));
    await this.#database.transaction((queries) => ledgerOn(queries).saveMarkers(inst, stored));
  }

  async states(instance: StoreInstance): Promise<CopiedState[]> {
    const inst = (await this.#instances.find(instance)) ?? 0;
    const rows = await ledgerOn(this.#database).copiedStates(inst);
    return rows.map((row) => ({ ...row, scope: givenText(row.scope) }));
  }

  async saveStates(instance: StoreInstance, states: readonly CopiedState[]): Promise<void> {
    const inst = await this.#instances.make(instance);
    const stored = states.map((one) => ({ ...one, scope: storedText(one.scope) }));
    await this.#database.transaction((queries) => ledgerOn(queries).saveStates(inst, stored));
  }

  async schedule(instance: StoreInstance): Promise<CopiedSchedule | null> {
    return ledgerOn(this.#database).copiedSchedule((await this.#instances.find(instance)) ?? 0);
  }

  async saveSchedule(instance: StoreInstance, schedule: CopiedSchedule): Promise<void> {
    await ledgerOn(this.#database).saveSchedule(await this.#instances.make(instance), schedule);
  }

  async lease(instance: StoreInstance, owner: string, seconds: number): Promise<number | null> {
    const request = { scope: "", syncGroup: "", owner, scheduledAt: undefined };
    const inst = await this.#instances.make(instance);
    return this.#database.transaction((queries) => ledgerOn(queries).takeLease(inst, request, seconds), { repeatable: true });
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  async #rows(collection: Collection, where: Sql): Promise<StoredRow[]> {
    const layout = this.#catalogue.layout(collection);
    const inst = (await this.#instances.find(collection)) ?? 0;
    return this.#database.query<StoredRow>(
      sql`SELECT ${storedColumns(layout)} FROM ${raw(layout.records)} n WHERE n.inst = ${inst} AND ${where}`,
    );
  }

  async #copied(collection: Collection, rows: readonly StoredRow[]): Promise<CopiedRecord[]> {
    const layout = this.#catalogue.layout(collection);
    const inst = (await this.#instances.find(collection)) ?? 0;
    const memberships = await this.#database.query<MembershipRow>(
      sql`SELECT m.k, s.name AS scope, m.parent, m.run, m.relations FROM ${raw(layout.members)} m JOIN store_scopes s ON s.inst = m.inst AND s.id = m.scope
        WHERE m.inst = ${inst} AND s.inst = ${inst} AND m.k = ANY (${rows.map(({ k }) => k)}::text[]) ORDER BY s.name, m.parent`,
    );
    const parents = await this.#fullKeys(
      collection,
      inst,
      memberships.map(({ parent }) => parent),
    );
    const byKey = Map.groupBy(memberships, ({ k }) => k);
    return rows.map((row) => {
      const record = fullRecord(layout, row);
      const own = byKey.get(row.k) ?? [];
      const given = own.map(({ k: _, scope, parent, ...rest }) => ({
        ...rest,
        scope: givenText(scope),
        parent: parents.get(parent) ?? givenText(parent),
      }));
      return { key: keyText(layout.plan, record), json: JSON.stringify(record), memberships: given };
    });
  }

  /** The whole keys of records whose keys were too long to be stored whole, by what is stored in their place. */
  async #fullKeys({ connector }: StoreInstance, inst: number, stored: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const cut = [...new Set(stored.filter(mayBeCut))];
    const full = new Map<string, string>();
    if (cut.length === 0) return full;
    for (const one of this.#catalogue.entities) {
      const layout = this.#catalogue.layout(one);
      if (one.connector !== connector || (await storedVersion(this.#database, one)) !== layout.version) continue;
      const rows = await this.#database.query<StoredRow>(
        sql`SELECT ${storedColumns(layout)} FROM ${raw(layout.records)} n WHERE n.inst = ${inst} AND n.k = ANY (${cut}::text[])`,
      );
      for (const row of rows) full.set(row.k, keyText(layout.plan, fullRecord(layout, row)));
    }
    return full;
  }
}

function fullRecord(layout: Layout, row: StoredRow): RecordObject {
  const wide = wideColumns(layout);
  return recordOf(wide, row.found, textsOf(wide.length, row), row.more);
}

/** A record with one of its memberships. */
function recordAt(json: string, { relations }: CopiedMembership): RecordObject {
  return { ...(JSON.parse(json) as RecordObject), ...(JSON.parse(relations ?? "{}") as RecordObject) };
}
