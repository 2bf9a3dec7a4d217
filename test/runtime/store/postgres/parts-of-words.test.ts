import { setTimeout as pause } from "node:timers/promises";
import { btree_gin } from "@electric-sql/pglite/contrib/btree_gin";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { type Database, openDatabase } from "../../../../runtime/postgres/index.ts";
import { fuzzyWord, interpretQuery, type RecordObject } from "../../../../runtime/search/index.ts";
import { raw, type Sql, sql, statementOf } from "../../../../runtime/sql/index.ts";
import { PostgresStore, type PostgresStoreOptions } from "../../../../runtime/store/postgres/postgres-store.ts";
import { planOf } from "../../../../runtime/store/postgres/search/explain.ts";
import { layoutOf, named } from "../../../../runtime/store/postgres/tables/layout.ts";
import { createExtensions } from "../../../../runtime/store/postgres/words/trigrams.ts";
import { Vocabularies } from "../../../../runtime/store/postgres/words/vocabularies.ts";
import { WordSearch } from "../../../../runtime/store/postgres/words/word-search.ts";
import { recording } from "../../../bench/postgres-plans.ts";
import { startPglite } from "../../../support/postgres/pglite.ts";
import { hasServer, startOnServer } from "../../../support/postgres/server.ts";
import { clearRecords, type TestDatabase } from "../../../support/postgres/test-database.ts";
import { readQuery, searchTests } from "../../../support/search-arbitraries.ts";
import { nameOfRecord, searchPlan, searchRecords } from "../../../support/search-records.ts";

const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const checkpoint = { run: 1, full: true, step: 0 };
const patiently = () => performance.now() + 100_000;
const readsVocabulary = (statement: Sql) => /^SELECT .*FROM "test_things:vocabulary@/s.test(statementOf(statement).text);
const looksUp = (statement: Sql) => readsVocabulary(statement) && / LIKE /.test(statementOf(statement).text);

/** Words that are long, that begin with one another, or that NFD takes apart. */
const strangeWords = [
  ..."document documents docuemnt dokument caf\u00e9 caf\u00e9s cafe gr\u00f6\u00dfe gr\u00f6\u00dfer \uac01\uac02\uac03\uac04".split(
    " ",
  ),
  `documents${"x".repeat(300)}`,
  `${"caf\u00e9".repeat(80)}end`,
];

const withExtensions = {
  name: hasServer ? "a server with the extensions" : "PGlite with the extensions",
  start: hasServer ? startOnServer : () => startPglite({ pg_trgm, btree_gin }),
  has: true,
};
const without = { name: "PGlite without the extensions", start: () => startPglite(), has: false };

describe.each([withExtensions, without])("parts of words and similar words on $name", ({ start, has }) => {
  let place: TestDatabase;
  let database: Database;
  const seen: Sql[] = [];
  beforeAll(async () => {
    place = await start();
    // One connection, which is the whole session.
    const one = place.url === undefined ? place.open() : openDatabase(place.url, { connections: 1 });
    database = recording(one, (statement) => seen.push(statement));
  });
  afterAll(async () => {
    await database.close();
    await place.close();
  });

  const layout = layoutOf("test", "things", searchPlan);
  const open = (more: Partial<PostgresStoreOptions>) =>
    new PostgresStore({ database, plans: { test: { things: searchPlan } }, searchTime: 100_000, ...more });

  async function found(store: PostgresStore, filter: object, explain = false) {
    const query = { ...readQuery({ filter, sort: [], limit: 1000 }), fields: null, explain };
    const { json, plan } = await store.search(collection, query, patiently());
    return { keys: (JSON.parse(Buffer.from(json).toString()) as RecordObject[]).map(nameOfRecord), plan };
  }

  /** A small vocabulary would be read whole, or by another index. */
  async function leaveTrigramsAlone(): Promise<void> {
    await database.run(raw("SET enable_seqscan = off"));
    await database.run(
      raw(`ALTER TABLE ${layout.vocabulary} DROP CONSTRAINT ${named(`test_things:vocabulary@${layout.version}_pkey`)}`),
    );
    await database.run(raw(`DROP INDEX ${layout.indexes.find(({ label }) => label === "newest words")?.name}`));
  }

  /** Compares what the table and the list in memory have for the words of the records and their parts. */
  async function expectSameWords(): Promise<void> {
    const [row] = await database.query<{ id: number }>(sql`SELECT id FROM store_instances WHERE name = ${collection.instance}`);
    const words = layout.columns.get("body")?.words ?? { field: "", name: "", number: 0 };
    const place = { layout, inst: row?.id ?? 0, words, queries: database, seen: () => undefined };
    const table = new WordSearch({ serve: () => true }, { field: 0, all: 0, stay: 0 });
    const memory = new WordSearch({ serve: () => false }, { field: 1_000_000, all: 1_000_000, stay: 0 });
    const asked = new Set(strangeWords.flatMap((word) => [word, word.slice(0, 5), word.slice(1, 4), word.slice(-5)]));
    for (const text of asked) {
      for (const part of [text, `\n${text}`, `${text}\n`].map((one) => one.normalize("NFD"))) {
        const wanted = await memory.containing(place, part, 1_000);
        expect((await table.containing(place, part, 1_000))?.sort(), part).toEqual(wanted?.sort());
        // As many as there are is not too many.
        if (wanted !== undefined) expect(await table.containing(place, part, wanted.length)).toHaveLength(wanted.length);
        const few = Math.max(0, (wanted?.length ?? 0) - 1);
        if (wanted?.length !== 0) expect(await table.containing(place, part, few)).toBeUndefined();
      }
      const wanted = await memory.near(place, fuzzyWord(text), 1_000);
      expect((await table.near(place, fuzzyWord(text), 1_000))?.sort(), text).toEqual(wanted?.sort());
      if (wanted !== undefined) expect(await table.near(place, fuzzyWord(text), wanted.length), text).toHaveLength(wanted.length);
    }
  }

  async function indexesOf(statements: readonly Sql[]): Promise<ReadonlySet<string>> {
    const nodes = (await Promise.all(statements.map((one) => planOf(database, one)))).flat();
    return new Set(nodes.flatMap((node) => (node["Index Name"] === undefined ? [] : [named(node["Index Name"])])));
  }

  it("are looked up by an index of the instance, where there is one, and otherwise in memory", async () => {
    const words = Array.from({ length: 4_000 }, (_, at) => `w${Math.imul(at + 1, 0x9e3779b1) >>> 0}`);
    const records = Array.from({ length: 40 }, (_, at) => ({
      repository: "many",
      number: at,
      title: `title ${at}`,
      body: words.slice(at * 100, (at + 1) * 100).join(" "),
    }));
    const writer = open({});
    await writer.save(collection, { records, checkpoint });
    await writer.finish(collection, checkpoint, { massDelete: false, parents: [] });
    await writer.close();
    const store = open({});
    const part = words[1234]?.slice(2, 8) ?? "";
    seen.length = 0;
    const { keys, plan } = await found(store, { like: { body: `%${part}%` } }, true);
    expect(keys).toEqual(["many#12"]);
    expect(plan?.indexes.includes("parts of words")).toBe(has);
    expect(seen.filter(looksUp).length > 0).toBe(has);
    // Two letters have no trigram, and similar words are found in memory.
    seen.length = 0;
    await found(store, { like: { body: `%${part.slice(0, 2)}%` } });
    expect((await found(store, { fuzzy: { body: words[1234] ?? "" } })).keys).toContain("many#12");
    expect(seen.filter(looksUp)).toEqual([]);
    const far = open({ wordsInMemory: { field: 0, all: 0, stay: 0 } });
    seen.length = 0;
    expect((await found(far, { fuzzy: { body: words[1234] ?? "" } })).keys).toContain("many#12");
    const asked = seen.filter(readsVocabulary);
    const [inst] = await database.query<{ id: number }>(sql`SELECT id FROM store_instances WHERE name = ${collection.instance}`);
    expect(asked.length).toBeGreaterThan(1);
    for (const one of asked)
      for (const node of await planOf(database, one)) {
        const name = node["Index Name"];
        if (name === undefined || node["Node Type"] === "Bitmap Heap Scan") continue;
        expect(node["Index Cond"]).toMatch(new RegExp(`^\\(*inst = ${inst?.id}\\) AND \\(field = `));
        if (has && node["Node Type"] === "Bitmap Index Scan") expect(named(name)).toBe(layout.parts.name);
      }
    await Promise.all([store.close(), far.close()]);
  });

  it("are found as the interpreter finds them, where a field has more words than are kept in memory", async () => {
    const [some = [], others = []] = fc.sample(searchRecords(50), { seed: 21, numRuns: 2 });
    const records = [...some, { repository: "strange", number: 0, title: "strange", body: strangeWords.join(" ") }];
    await clearRecords(database);
    const store = open({ wordsInMemory: { field: 0, all: 0, stay: 0 } });
    await store.save({ ...collection, instance: "two" }, { records: others.slice(0, 10), checkpoint });
    await store.save(collection, { records, checkpoint });
    if (has) await leaveTrigramsAlone();
    seen.length = 0;
    const tests = searchTests(records, "string").filter((one) => /^(like|fuzzy)$/.test(Object.keys(one)[0] ?? ""));
    let hits = 0;
    for (const filter of fc.sample(tests, { seed: 22, numRuns: 120 })) {
      const wanted = interpretQuery(records, readQuery({ filter, sort: [], limit: 1000 }), searchPlan);
      const { keys } = await found(store, filter);
      expect(keys, JSON.stringify(filter)).toEqual(wanted.records.map(nameOfRecord));
      hits += keys.length;
    }
    expect(hits).toBeGreaterThan(300);
    // Nothing was read into memory.
    const lookups = seen.filter(looksUp);
    expect(lookups.length).toBeGreaterThan(20);
    if (has) expect(await indexesOf(lookups)).toEqual(new Set([layout.parts.name]));
    expect(seen.filter((one) => /revision/.test(statementOf(one).text) && readsVocabulary(one))).toEqual([]);
    await expectSameWords();
    await store.close();
  });
});

describe("the words that a process keeps in memory", () => {
  const plan: StorePlan = {
    key: ["id"],
    fields: { id: { type: "string", index: "exact" }, title: { type: "string", index: "name" } },
  };
  const layout = layoutOf("test", "things", plan);

  it("are those of the fields that were searched last, and of no field with too many", async () => {
    const place = await startPglite();
    const database = place.open();
    const store = new PostgresStore({ database, plans: { test: { things: plan } } });
    const save = (instance: string, id: string, title: string) =>
      store.save({ ...collection, instance }, { records: [{ id, title }], checkpoint });
    for (const instance of ["a", "b", "c"]) await save(instance, "1", "one two three four");
    await save("d", "1", "one two three four five six");
    await save("e", "1", "one");
    const own = layout.columns.get("title")?.words ?? { field: "", name: "", number: 0 };
    const rows = await database.query<{ id: number; name: string }>(sql`SELECT id, name FROM store_instances`);
    const ids = new Map(rows.map(({ id, name }) => [name, id]));
    const kept = new Vocabularies({ field: 5, all: 8, stay: 0 });
    const of = (instance: string) => kept.words(database, { layout, inst: ids.get(instance) ?? 0, words: own });
    const [a, b] = [await of("a"), await of("b")];
    expect(await of("a")).toBe(a);
    expect(a?.containing("o", 10)).toEqual(["four", "one", "two"]);
    const c = await of("c");
    expect([await of("a"), await of("c")]).toEqual([a, c]);
    const again = await of("b");
    expect(again).not.toBe(b);
    expect(again?.containing("o", 10)).toEqual(["four", "one", "two"]);
    expect(await of("d")).toBeUndefined();
    await save("c", "2", "five");
    expect((await of("c"))?.containing("five", 10)).toEqual(["five"]);
    await save("c", "3", "six");
    expect([await of("c"), await of("c")]).toEqual([undefined, undefined]);
    // Fields that are read at the same time have no more words together, and those that were requested lately stay.
    const busy = new Vocabularies({ field: 5, all: 8, stay: 60_000 });
    const ask = (instance: string) => busy.words(database, { layout, inst: ids.get(instance) ?? 0, words: own });
    const lists = await Promise.all(["a", "b", "a", "e"].map(ask));
    expect(lists.map((list) => list !== undefined)).toEqual([true, true, true, false]);
    expect([await ask("a"), await ask("b")]).toEqual([lists[0], lists[1]]);
    await save("a", "2", "five");
    expect([await ask("a"), (await ask("b")) === lists[1]]).toEqual([undefined, true]);
    await store.close();
    await place.close();
  });
});

// The role is made on the server.
describe.skipIf(!hasServer || process.env["TENON_TEST_DATABASE_URL"] !== undefined)("the extensions for parts of words", () => {
  const plan: StorePlan = {
    key: ["id"],
    fields: { id: { type: "string", index: "exact" }, body: { type: "string", index: "text" } },
  };
  const plans = { test: { things: plan } };
  const layout = layoutOf("test", "things", plan);
  const records = Array.from({ length: 30 }, (_, at) => ({
    id: `r${at}`,
    body: Array.from({ length: 300 }, (_, word) => `w${Math.imul(300 * at + word + 1, 0x9e3779b1) >>> 0}`).join(" "),
  }));
  const part = records[7]?.body.slice(3, 9) ?? "";
  let place: TestDatabase;
  let admin: Database;
  beforeAll(async () => {
    place = await startOnServer();
    admin = place.open();
  });
  afterAll(async () => {
    await admin.close();
    await place.close();
  });

  function open(database: Database) {
    const told: string[] = [];
    const store = new PostgresStore({ database, plans, watchTime: 20, tell: (text) => void told.push(text) });
    return { store, missed: () => told.filter((text) => text.includes(createExtensions.join("; "))).length };
  }

  async function indexes(store: PostgresStore): Promise<readonly string[]> {
    const filter = { kind: "test", field: "body", operator: "like", operand: `%${part}%` } as const;
    const { json, plan: ran } = await store.search(
      collection,
      { filter, sort: [], limit: 9, fields: null, explain: true },
      patiently(),
    );
    expect(JSON.parse(Buffer.from(json).toString())).toMatchObject([{ id: "r7" }]);
    return ran?.indexes ?? [];
  }

  const untilUsed = async (store: PostgresStore) => {
    while (!(await indexes(store)).includes(layout.parts.label)) await pause(20);
  };

  async function save(store: PostgresStore): Promise<void> {
    await store.save(collection, { records, checkpoint });
    await store.finish(collection, checkpoint, { massDelete: false, parents: [] });
  }

  it("are created by the first process, and by one of several that start at once", async () => {
    await place.empty();
    const opened = Array.from({ length: 4 }, () => open(admin));
    await Promise.all(opened.map(({ store }) => store.ready));
    expect(opened.map(({ missed }) => missed())).toEqual([0, 0, 0, 0]);
    const store = opened[0]?.store ?? open(admin).store;
    await save(store);
    await untilUsed(store);
    for (const one of opened) await one.store.close();
  });

  it("are reported once where the user may not create them, and used as soon as an administrator has created them", async () => {
    await place.empty();
    const role = `tenon_test_${process.pid}`;
    await admin.alone(raw(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`));
    await admin.alone(raw(`GRANT CREATE, USAGE ON SCHEMA public TO ${role}`));
    const url = new URL(place.url ?? "");
    [url.username, url.password] = [role, "secret"];
    const database = openDatabase(url.href, { connections: 5 });
    const { store, missed } = open(database);
    await save(store);
    expect(await indexes(store)).not.toContain(layout.parts.label);
    expect(missed()).toBe(1);
    for (const statement of createExtensions) await admin.alone(raw(statement));
    await untilUsed(store);
    const next = open(database);
    await next.store.ready;
    expect([missed(), next.missed()]).toEqual([1, 0]);
    await Promise.all([store.close(), next.store.close()]);
    await database.close();
    await admin.alone(raw(`DROP OWNED BY ${role}`));
    await admin.alone(raw(`DROP ROLE ${role}`));
  });

  it("may be in another schema where statements look for names", async () => {
    await place.empty();
    await admin.alone(raw("CREATE SCHEMA tools"));
    for (const statement of createExtensions) await admin.alone(raw(`${statement} SCHEMA tools`));
    const hidden = open(admin);
    await save(hidden.store);
    expect(await indexes(hidden.store)).not.toContain(layout.parts.label);
    expect(hidden.missed()).toBe(1);
    await hidden.store.close();
    const name = new URL(place.url ?? "").pathname.slice(1);
    await admin.alone(raw(`ALTER DATABASE ${name} SET search_path = public, tools`));
    const database = place.open();
    const { store, missed } = open(database);
    await untilUsed(store);
    expect(missed()).toBe(0);
    await store.close();
    await database.close();
  });
});
