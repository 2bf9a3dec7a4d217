import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { type Condition, QueryParser } from "../../../../runtime/search/index.ts";
import { SqliteStore } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import { Thread } from "../../../../runtime/store/sqlite/threads/thread.ts";
import type { StoreSearch } from "../../../../runtime/store/store.ts";

const plan: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    number: { type: "integer", index: "exact" },
    title: { type: "string", index: "name" },
    body: { type: "string", index: "text" },
  },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const folder = mkdtempSync(join(tmpdir(), "tenon-sqlite-"));
const records = Array.from({ length: 20_000 }, (_, number) => ({
  id: `T_${number}`,
  number,
  title: `Thing number ${number}`,
  // Beyond ASCII there is no quick way to look at words.
  body: `${`wörd${number % 7} `.repeat(400)}schluss`,
}));

let store: SqliteStore;
beforeAll(async () => {
  store = new SqliteStore({ dataDir: folder, plans: { test: { things: plan } }, readers: 1, searchTime: 600_000 });
  for (let at = 0; at < records.length; at += 5_000)
    await store.save(collection, { records: records.slice(at, at + 5_000), checkpoint: { run: 1, full: true, step: 0 } });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function filtered(filter: object): StoreSearch & { filter: Condition } {
  const parser = new QueryParser("things", plan.fields);
  const condition = parser.filter(filter, []);
  if (condition === undefined) throw new Error("the filter is wrong");
  return { filter: condition, sort: [], limit: 10, fields: null, explain: false };
}

/** No index helps, nothing is found, and every record costs twenty looks at all words of a long text. */
const endless = filtered({
  or: Array.from({ length: 20 }, (_, index) => ({ not: { fuzzy: { body: `schluss${String.fromCharCode(97 + index)}` } } })),
});
const quick = filtered({ eq: { number: 5 } });

describe("searches in threads", () => {
  it("end at their deadline, and free the thread at once", async () => {
    await expect(store.search(collection, endless, performance.now() + 30)).rejects.toMatchObject({ code: "search_timeout" });
    const { json } = await store.search(collection, quick, performance.now() + 100_000);
    expect(JSON.parse(Buffer.from(json).toString())).toMatchObject([{ number: 5 }]);
  });

  it("end at their deadline while they wait for a thread", async () => {
    const first = store.search(collection, endless, performance.now() + 400);
    await expect(store.search(collection, quick, performance.now() + 20)).rejects.toMatchObject({ code: "search_timeout" });
    await expect(first).rejects.toMatchObject({ code: "search_timeout" });
  });

  it("stop when their caller has gone, and free the thread", async () => {
    const leaving = new AbortController();
    const endlessly = store.search(collection, endless, performance.now() + 600_000, leaving.signal);
    setTimeout(() => leaving.abort(), 50);
    await expect(endlessly).rejects.toMatchObject({ code: "search_timeout" });
    // Were the only thread still busy, this one would wait in vain.
    const { json } = await store.search(collection, quick, performance.now() + 15_000);
    expect(JSON.parse(Buffer.from(json).toString())).toMatchObject([{ number: 5 }]);
  });

  it("do not delay the end of the store", async () => {
    const another = new SqliteStore({
      dataDir: folder,
      plans: { test: { things: plan } },
      readers: 1,
      searchTime: 600_000,
      closeTime: 100_000,
    });
    await another.search(collection, quick, performance.now() + 600_000);
    const ended = expect(another.search(collection, endless, performance.now() + 600_000)).rejects.toMatchObject({
      code: "shutting_down",
    });
    await new Promise((resolve) => setTimeout(resolve, 50));
    const abandoned = vi.spyOn(Thread.prototype, "abandon");
    await another.close();
    await ended;
    // It ended by itself.
    expect(abandoned).not.toHaveBeenCalled();
    abandoned.mockRestore();
  });

  it("are refused when too many wait, with the advice to try again", async () => {
    const all = Array.from({ length: 150 }, () => store.search(collection, endless, performance.now() + 200));
    const ended = await Promise.allSettled(all);
    const codes = ended.map((one) => (one.status === "rejected" ? (one.reason as { code: string }).code : "found"));
    expect(codes.filter((code) => code === "overloaded").length).toBeGreaterThan(40);
    expect(codes.filter((code) => code === "search_timeout").length).toBeGreaterThan(90);
    const refused = ended.find((one) => one.status === "rejected" && (one.reason as { code: string }).code === "overloaded");
    expect(refused).toMatchObject({ reason: { retryAfter: 1 } });
  });

  it("leave the event loop free", async () => {
    let ended = false;
    const leaving = new AbortController();
    const endlessly = store.search(collection, endless, performance.now() + 600_000, leaving.signal).finally(() => {
      ended = true;
    });
    const refused = expect(endlessly).rejects.toMatchObject({ code: "search_timeout" });
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setTimeout(resolve, 5));
    // A blocked loop would have turned only after the search.
    expect(ended).toBe(false);
    leaving.abort();
    await refused;
  });

  it("name the index that drives them when asked to explain", async () => {
    const { plan: report } = await store.search(collection, { ...quick, explain: true }, performance.now() + 5_000);
    expect(report).toMatchObject({ indexes: ["test_things.number"] });
    expect(report?.steps.join()).toContain("USING");
  });
});

describe("many expensive searches", () => {
  it("do not make cheap ones wait", async () => {
    const options = { dataDir: folder, plans: { test: { things: plan } }, readers: 2, searchTime: 600_000, closeTime: 60_000 };
    const another = new SqliteStore(options);
    let ended = 0;
    const expensive = Array.from({ length: 10 }, () =>
      another.search(collection, endless, performance.now() + 600_000).catch(() => ended++),
    );
    for (let number = 0; number < 50; number++) {
      const cheap = await another.search(collection, filtered({ eq: { number } }), performance.now() + 100_000);
      expect(idsOf(cheap.json)).toEqual([`T_${number}`]);
    }
    expect(ended).toBe(0);
    expect(await another.close()).toBe(true);
    await Promise.all(expensive);
  });

  it("all run to their end, including those that gave way", async () => {
    const options = { dataDir: folder, plans: { test: { things: plan } }, readers: 2, searchTime: 100_000, closeTime: 60_000 };
    const another = new SqliteStore(options);
    const slow = filtered({ not: { fuzzy: { body: "schlussa" } } });
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => another.search(collection, { ...slow, limit: 5 }, performance.now() + 100_000)),
    );
    for (const { json } of answers) expect(idsOf(json)).toHaveLength(0);
    await another.close();
  });
});

describe("a thread", () => {
  it("answers a call of a method that it does not have with an error", async () => {
    const threads = { file: join(folder, "context-store.sqlite"), plans: { test: { things: plan } } };
    const module = new URL("../../../../runtime/store/sqlite/threads/reader-thread.ts", import.meta.url);
    // The compiler would not let a misspelt name pass.
    const thread = new Thread<{ serach(): void }>(module, "a thread", threads, () => undefined);
    await expect(thread.call("serach")).rejects.toThrow('the thread has no method "serach"');
    await thread.end();
  });
});

describe("a writer that has crashed", () => {
  it("is replaced", async () => {
    const collectionOfOne = { ...collection, instance: "after" };
    const page = { records: records.slice(0, 3), checkpoint: { run: 1, full: true, step: 0 } };
    const post = vi.spyOn(Worker.prototype, "postMessage");
    expect(await store.save(collectionOfOne, page)).toMatchObject({ inserted: 3 });
    const [writer] = post.mock.contexts;
    post.mockRestore();
    if (!(writer instanceof Worker)) throw new Error("no thread was asked");
    const exit = once(writer, "exit");
    writer.postMessage("end");
    await exit;
    expect(await store.save(collectionOfOne, page)).toMatchObject({ inserted: 0, changed: 0 });
  });
});

describe("an answer that has grown large", () => {
  it("ends early, and its cursor leads to the rest", async () => {
    const large = { ...collection, instance: "large" };
    const texts = Array.from({ length: 450 }, (_, number) => ({
      id: `L_${String(number).padStart(3, "0")}`,
      number,
      title: "",
      body: "x".repeat(200_000),
    }));
    for (let at = 0; at < texts.length; at += 50)
      await store.save(large, { records: texts.slice(at, at + 50), checkpoint: { run: 1, full: true, step: 0 } });
    const whole: StoreSearch = { sort: [], limit: 1000, fields: null, explain: false };
    const first = await store.search(large, whole, performance.now() + 30_000);
    expect(first.more).toBe(true);
    expect(first.json.length).toBeLessThan(64 * 1024 * 1024);
    const found = [...idsOf(first.json)];
    for (let after = first.last; after !== undefined; ) {
      const { json, last, more } = await store.search(large, { ...whole, after }, performance.now() + 30_000);
      found.push(...idsOf(json));
      after = more ? last : undefined;
    }
    expect(found).toEqual(texts.map(({ id }) => id));
  });
});

function idsOf(json: Uint8Array): string[] {
  return (JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map(({ id }) => id);
}

describe("the file", () => {
  it("is readable for its owner only", () => {
    expect(statSync(join(folder, "context-store.sqlite")).mode & 0o077).toBe(0);
    expect(statSync(join(folder, "context-store.sqlite-wal")).mode & 0o077).toBe(0);
  });

  it("has everything that was acknowledged when it is opened again", async () => {
    const again = new SqliteStore({ dataDir: folder, plans: { test: { things: plan } }, readers: 1 });
    const { json } = await again.search(collection, filtered({ keyword: { title: "19999" } }), performance.now() + 5_000);
    expect(JSON.parse(Buffer.from(json).toString())).toMatchObject([{ id: "T_19999" }]);
    await again.close();
  });

  it("contains everything without its log after the store was closed, including changes under way", async () => {
    const closed = mkdtempSync(join(tmpdir(), "tenon-closed-"));
    const options = { dataDir: closed, plans: { test: { things: plan } }, readers: 1 };
    const closing = new SqliteStore(options);
    await closing.ready;
    await closing.search(collection, quick, performance.now() + 5_000);
    const saving = closing.save(collection, { records: records.slice(0, 50), checkpoint: { run: 1, full: true, step: 0 } });
    await closing.close();
    expect(await saving).toMatchObject({ inserted: 50 });
    expect(readdirSync(closed)).toEqual(["context-store.sqlite"]);
    rmSync(closed, { recursive: true, force: true });
  });

  describe("that another process has locked", () => {
    const locked = () => {
      const dataDir = mkdtempSync(join(tmpdir(), "tenon-locked-"));
      const other = new Database(join(dataDir, "context-store.sqlite"));
      other.exec("BEGIN EXCLUSIVE");
      const free = () => other.close();
      return { free, waiting: new SqliteStore({ dataDir, plans: { test: { things: plan } }, readers: 1 }), dataDir };
    };

    it("is waited for", async () => {
      const { free, waiting, dataDir } = locked();
      const states = waiting.states({ connector: "test", instance: "one" });
      // Longer than one try takes.
      setTimeout(free, 1500);
      expect(await states).toEqual([]);
      await waiting.close();
      rmSync(dataDir, { recursive: true, force: true });
    });

    it("does not delay the end of the store", async () => {
      const { free, waiting, dataDir } = locked();
      const states = expect(waiting.states({ connector: "test", instance: "one" })).rejects.toMatchObject({
        code: "store_unusable",
      });
      await new Promise((resolve) => setTimeout(resolve, 100));
      await waiting.close();
      await states;
      free();
      rmSync(dataDir, { recursive: true, force: true });
    });
  });

  it("that is damaged makes searches and syncs fail with a message that says so", async () => {
    const damaged = mkdtempSync(join(tmpdir(), "tenon-damaged-"));
    const options = { dataDir: damaged, plans: { test: { things: plan } }, readers: 1 };
    const whole = new SqliteStore(options);
    const page = { records: records.slice(0, 500), checkpoint: { run: 1, full: true, step: 0 } };
    await whole.save(collection, page);
    await whole.close();
    const file = join(damaged, "context-store.sqlite");
    const bytes = readFileSync(file);
    // All but the pages that say what there is.
    writeFileSync(file, bytes.fill(0xa5, 40 * 8192));
    const broken = new SqliteStore(options);
    const told = { code: "store_unusable", message: expect.stringMatching(/damaged/) };
    const all = { sort: [], limit: 1000, fields: null, explain: false };
    await expect(broken.search(collection, all, performance.now() + 5_000)).rejects.toMatchObject(told);
    await expect(broken.save(collection, page)).rejects.toMatchObject(told);
    await broken.close();
    rmSync(damaged, { recursive: true, force: true });
  });
});
