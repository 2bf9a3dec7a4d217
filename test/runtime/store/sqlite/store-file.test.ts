import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StorePlan } from "../../../../runtime/contract/index.ts";
import { SqliteStore, type SqliteStoreOptions } from "../../../../runtime/store/sqlite/sqlite-store.ts";
import type { StoreSearch } from "../../../../runtime/store/store.ts";

// What happens to the store when something happens to its file.

const plan: StorePlan = {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, title: { type: "string", index: "name" } },
};
const collection = { connector: "test", instance: "one", entity: "things", scope: "all" };
const checkpoint = { run: 1, full: true, step: 0 };
const everything: StoreSearch = { sort: [], limit: 5, fields: null, explain: false };
const unusable = (why: RegExp) => ({ code: "store_unusable", message: expect.stringMatching(why) });

let dataDir: string;
let file: string;
let stores: SqliteStore[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "tenon-file-"));
  file = join(dataDir, "context-store.sqlite");
  stores = [];
});
afterEach(async () => {
  for (const store of stores) await store.close();
  rmSync(dataDir, { recursive: true, force: true });
});

function open(options: Partial<SqliteStoreOptions> = {}): { store: SqliteStore; told: string[] } {
  const told: string[] = [];
  const tell = (text: string, level: string) => told.push(`${level}: ${text}`);
  const store = new SqliteStore({
    dataDir,
    plans: { test: { things: plan } },
    readers: 1,
    searchTime: 100_000,
    closeTime: 60_000,
    tell,
    ...options,
  });
  stores.push(store);
  return { store, told };
}

/** Records whose ids begin with a name, and so many that the file has some hundred pages. */
function page(name: string, count = 2_000) {
  const title = "a title of some length ".repeat(4);
  return { records: Array.from({ length: count }, (_, at) => ({ id: `${name}${at}`, title: `${title}${at}` })), checkpoint };
}

async function found(store: SqliteStore): Promise<string> {
  const { json } = await store.search(collection, { ...everything, limit: 1 }, performance.now() + 100_000);
  return (JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map(({ id }) => id).join();
}

/** A whole file of another store, beside the one under test. */
async function anotherFile(name: string): Promise<string> {
  const folder = mkdtempSync(join(dataDir, "other-"));
  const other = new SqliteStore({ dataDir: folder, plans: { test: { things: plan } }, readers: 1 });
  await other.save(collection, page(name));
  await other.close();
  return join(folder, "context-store.sqlite");
}

const patiently = { timeout: 60_000, interval: 50 };

describe("something else under the name of the file", () => {
  // A device stands for a pipe here: opening a pipe waits for its other end, and the test would hang where the refusal is missing.
  it("is refused before it is opened", () => {
    symlinkSync("/dev/null", file);
    expect(() => open()).toThrow("The file of the context store is not a regular file.");
  });
});

describe("a file that is in use and", () => {
  it("is replaced: the store reports it once, and uses the new file", async () => {
    const next = await anotherFile("new");
    const { store, told } = open();
    await store.save(collection, page("old"));
    expect(await found(store)).toBe("old0");
    renameSync(next, file);
    await expect(found(store)).rejects.toMatchObject(unusable(/was replaced/));
    await vi.waitFor(() => expect(store.healthy).toBe(false), patiently);
    await vi.waitFor(async () => expect(await found(store)).toBe("new0"), patiently);
    expect(store.healthy).toBe(true);
    expect(told).toEqual([
      "info: made the tables of things",
      expect.stringMatching(/^error: .* was replaced by another file while it was in use\.$/),
      expect.stringMatching(/^info: .* can be used again\.$/),
    ]);
    await store.save(collection, page("newer", 10));
    await store.close();
    const db = new Database(file);
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
  });

  it("is deleted: the store reports it once, makes no file, and uses the one that another process makes", async () => {
    const { store, told } = open();
    await store.save(collection, page("old"));
    rmSync(file);
    await vi.waitFor(() => expect(store.healthy).toBe(false), patiently);
    await expect(store.save(collection, page("lost", 1))).rejects.toMatchObject(unusable(/was deleted/));
    // Its log is gone too: it would be taken for changes of the next file.
    await vi.waitFor(() => expect(existsSync(`${file}-wal`)).toBe(false), patiently);
    expect(existsSync(file)).toBe(false);
    const other = open().store;
    await other.save(collection, page("new"));
    await vi.waitFor(async () => expect(await found(store)).toBe("new0"), patiently);
    expect(told.filter((text) => text.startsWith("error"))).toHaveLength(1);
  });

  it("is deleted, and whose log cannot be removed: the store says so, and the process goes on", async () => {
    const { store, told } = open();
    await store.save(collection, page("old", 1));
    rmSync(file);
    rmSync(`${file}-wal`);
    mkdirSync(`${file}-wal`);
    await vi.waitFor(() => expect(told.at(-1)).toMatch(/^error: .* cannot be looked after: .*-wal$/), patiently);
    expect(store.healthy).toBe(false);
  });

  it.each([
    ["to nothing", 0],
    ["to half", 0.5],
  ])("is truncated %s: the store reports it once, and uses the file that is written over it", async (_to, share) => {
    const next = await anotherFile("new");
    const { store, told } = open();
    await store.save(collection, page("old"));
    await store.finish(collection, checkpoint, { massDelete: false, parents: [] });
    await store.tidied;
    expect(await found(store)).toBe("old0");
    truncateSync(file, Math.floor(statSync(file).size * share));
    await expect(found(store)).rejects.toMatchObject(unusable(/was truncated/));
    await vi.waitFor(() => expect(store.healthy).toBe(false), patiently);
    copyFileSync(next, file);
    await vi.waitFor(async () => expect(await found(store)).toBe("new0"), patiently);
    expect(store.healthy).toBe(true);
    expect(told.filter((text) => text.startsWith("error"))[0]).toMatch(/was truncated/);
  });
});

describe("a file of which a part is damaged", () => {
  it("is found to be so by a search: the store is not healthy, reports it once, and uses the file that takes its place", async () => {
    const next = await anotherFile("new");
    const first = open().store;
    await first.save(collection, page("old"));
    await first.finish(collection, checkpoint, { massDelete: false, parents: [] });
    await first.close();
    const bytes = readFileSync(file);
    // The first pages, without which the file could not even be opened, stay as they are.
    bytes.fill(7, Math.floor(bytes.length / 4));
    writeFileSync(file, bytes);
    const { store, told } = open();
    await store.ready;
    expect(store.healthy).toBe(true);
    const all = { ...everything, limit: 10_000 };
    const search = () => store.search(collection, all, performance.now() + 100_000);
    await expect(search()).rejects.toMatchObject(unusable(/is damaged/));
    await vi.waitFor(() => expect(store.healthy).toBe(false), patiently);
    // The file is opened again, and found to be damaged as a whole.
    await sleep(4_000);
    expect(store.healthy).toBe(false);
    await expect(search()).rejects.toMatchObject(unusable(/is damaged/));
    expect(readFileSync(file).equals(bytes)).toBe(true);
    copyFileSync(next, file);
    await vi.waitFor(async () => expect(await found(store)).toBe("new0"), patiently);
    expect(store.healthy).toBe(true);
    expect(told.filter((text) => text.startsWith("error"))).toEqual([expect.stringMatching(/is damaged/)]);
  });
});

describe("a file that is truncated while searches run", () => {
  it("is reported once, and the file that is copied over it at once is used", async () => {
    const next = await anotherFile("new");
    const { store, told } = open({ readers: 2 });
    await store.save(collection, page("old", 20_000));
    await store.finish(collection, checkpoint, { massDelete: false, parents: [] });
    await store.tidied;
    let going = true;
    const readAll = async () => {
      while (going) {
        await store.search(collection, { ...everything, limit: 10_000 }, performance.now() + 100_000).catch(() => undefined);
        // While the file cannot be used, a search fails at once: without a pause nothing else would run.
        await sleep(1);
      }
    };
    const readers = [readAll(), readAll()];
    expect(await found(store)).toBe("old0");
    truncateSync(file, 0);
    await vi.waitFor(() => expect(store.healthy).toBe(false), patiently);
    copyFileSync(next, file);
    await vi.waitFor(async () => expect(await found(store)).toBe("new0"), patiently);
    going = false;
    await Promise.all(readers);
    expect(told.filter((text) => text.startsWith("error"))).toEqual([expect.stringMatching(/was truncated/)]);
  });
});

describe("a file that is written over a truncated one", () => {
  it("is not used when a part of it is damaged, and a whole one is used after it", async () => {
    const next = await anotherFile("new");
    const damaged = readFileSync(next);
    damaged.fill(7, Math.floor(damaged.length / 2), Math.floor(damaged.length / 2) + 40_000);
    const { store, told } = open();
    await store.save(collection, page("old"));
    await store.finish(collection, checkpoint, { massDelete: false, parents: [] });
    await store.tidied;
    truncateSync(file, 0);
    await vi.waitFor(() => expect(store.healthy).toBe(false), patiently);
    writeFileSync(file, damaged);
    // The file is looked at once a second, and opened at the second look at the latest.
    await sleep(4_000);
    expect(store.healthy).toBe(false);
    copyFileSync(next, file);
    await vi.waitFor(async () => expect(await found(store)).toBe("new0"), patiently);
    expect(told.filter((text) => text.startsWith("error"))).toHaveLength(1);
  });
});

describe("a file that was truncated", () => {
  it("while it was not in use is neither waited for nor treated as new", async () => {
    const { store } = open();
    await store.save(collection, page("old"));
    await store.close();
    const whole = readFileSync(file);
    for (const size of [100, 4_096, 8_192, 40_960, whole.length - 8_192]) {
      writeFileSync(file, whole.subarray(0, size));
      const { store: broken } = open();
      await expect(broken.ready).rejects.toMatchObject(unusable(/damaged|not an SQLite file/));
      expect(broken.healthy).toBe(false);
      await expect(broken.states(collection)).rejects.toMatchObject(unusable(/damaged|not an SQLite file/));
      await broken.close();
    }
  });

  it("and has a log is reported at once, although another process has it open", async () => {
    const { store } = open();
    await store.save(collection, page("old"));
    await store.close();
    const other = new Database(file);
    other.exec("UPDATE store_entities SET key = key");
    truncateSync(file);
    await expect(open().store.ready).rejects.toMatchObject(unusable(/it was truncated/));
    other.close();
  });
});

describe("the log of a file", () => {
  it("is cut back when a sync has ended", async () => {
    const { store } = open();
    await store.save(collection, page("a"));
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(100_000);
    await store.finish(collection, checkpoint, { massDelete: false, parents: [] });
    await store.tidied;
    expect(statSync(`${file}-wal`).size).toBe(0);
    expect(await found(store)).toBe("a0");
  });
});

describe("the end of the store", () => {
  it("comes in time although the engine waits for another process, and reports that a thread is left", async () => {
    const { store } = open({ closeTime: 200 });
    await store.save(collection, page("a", 1));
    const other = new Database(file);
    other.exec("BEGIN IMMEDIATE");
    const saving = store.save(collection, page("b", 1));
    const refused = expect(saving).rejects.toThrow(/does not return from its call/);
    expect(await store.close()).toBe(false);
    await refused;
    other.close();
  });
});
