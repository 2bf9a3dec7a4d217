import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { AccountStore } from "../../runtime/accounts/index.ts";
import { openPostgresAccounts } from "../../runtime/accounts/postgres/postgres-account-store.ts";
import { guarded, openForWriting } from "../../runtime/accounts/sqlite/connection.ts";
import { accountsFile } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { changes, reads } from "../../runtime/accounts/sqlite/works.ts";
import { TenonError } from "../../runtime/base/errors.ts";
import { memoryLimits, type SharedLimits } from "../../runtime/fleet/index.ts";
import { postgresLimits } from "../../runtime/fleet/postgres/postgres-limits.ts";
import { PooledDatabase } from "../../runtime/postgres/pooled-database.ts";
import { doAtOnce, eachLater } from "../../runtime/sql/index.ts";
import { runIn, Statements } from "../../runtime/sqlite/index.ts";
import type { Plans } from "../../runtime/store/catalogue.ts";
import type { ChangeRetention } from "../../runtime/store/change-log.ts";
import { PostgresStore } from "../../runtime/store/postgres/postgres-store.ts";
import { Reader } from "../../runtime/store/sqlite/search/reader.ts";
import { Catalogue } from "../../runtime/store/sqlite/tables/catalogue.ts";
import { makeFile, storeFile } from "../../runtime/store/sqlite/tables/store-file.ts";
import { Writer } from "../../runtime/store/sqlite/write/writer.ts";
import type { Store } from "../../runtime/store/store.ts";
import { startPglite } from "../support/postgres/pglite.ts";
import type { Chaos, Crossing } from "./chaos.ts";
import type { Fencing } from "./checks.ts";

// The stores of simulated processes. What they share is in memory: SQLite files on a file system in memory, or PGlite. The threads and the
// sockets in front of them are left out; everything behind those is the program's own.

/** What one simulated process has open. */
export interface Stores {
  readonly store: Store;
  readonly accounts: AccountStore;
  readonly limits: SharedLimits;
  /** Does what the operating system and the server do when a process ends. */
  end(): Promise<void>;
}

/** What processes open stores in. */
export interface Engine {
  open(plans: Plans, changeRetention: ChangeRetention): Promise<Stores>;
  close(): Promise<void>;
}

/** Milliseconds of a call to a thread of the same process, and to a server nearby. */
const inProcess = 3;
const nearby = 8;

export function sqliteEngine(chaos: Chaos, fencing: Fencing): Engine {
  const folder = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "tenon-simulate-"));
  const limits = memoryLimits();
  const away: Crossing = {
    usual: nearby,
    refused: () => new TenonError("database_unavailable", "The limits are away."),
    lost: () => new TenonError("database_unavailable", "The response of the limits was lost."),
  };
  return {
    open: async (plans, changeRetention) => {
      const file = storeFile(folder);
      makeFile(folder, file);
      const writer = new Writer(file, new Catalogue(plans), () => undefined, { changeRetention });
      const reader = new Reader(file, new Catalogue(plans));
      const db = openForWriting(accountsFile(folder));
      return {
        store: sqliteStore(fencing.watch(writer), reader, chaos),
        accounts: sqliteAccounts(db, chaos),
        limits: {
          renew: (key, rules, ask) => chaos.cross("limits", away, () => limits.renew(key, rules, ask)),
        },
        end: async () => {
          reader.close();
          writer.close();
          db.close();
        },
      };
    },
    close: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

function sqliteStore(writer: Writer, reader: Reader, chaos: Chaos): Store {
  const broken: Crossing = { usual: inProcess, refused: () => new TenonError("store_unusable", "The disk is full.") };
  const call = <Result>(name: string, act: () => Result): Promise<Result> => chaos.cross(`store.${name}`, broken, act);
  return {
    ready: Promise.resolve(),
    healthy: true,
    save: (collection, page) => call("save", () => writer.save(collection, page)),
    parents: (...args) => call("parents", () => writer.parents(...args)),
    finish: (collection, checkpoint, options) => call("finish", () => writer.finish(collection, checkpoint, options)),
    fail: (...args) => call("fail", () => writer.fail(...args)),
    abandon: (...args) => call("abandon", () => writer.abandon(...args)),
    confirm: (...args) => call("confirm", () => writer.confirm(...args)),
    note: (...args) => call("note", () => writer.note(...args)),
    states: (...args) => call("states", () => writer.states(...args)),
    leased: (...args) => call("leased", () => writer.leased(...args)),
    lease: (...args) => call("lease", () => writer.lease(...args)),
    taken: (...args) => call("taken", () => writer.taken(...args)),
    seize: (...args) => call("seize", () => writer.seize(...args)),
    schedule: (...args) => call("schedule", () => writer.schedule(...args)),
    setSchedule: (...args) => call("setSchedule", () => writer.setSchedule(...args)),
    started: (...args) => call("started", () => writer.started(...args)),
    changes: (...args) => call("changes", () => writer.changes(...args)),
    current: (...args) => call("current", () => writer.current(...args)),
    forget: async (instance, scope) => {
      for (let removed = 0; ; ) {
        const step = await call("forget", () => writer.forgetSome(instance, scope));
        removed += step?.removed ?? 0;
        if (step?.done !== false) return removed;
      }
    },
    search: (collection, query) =>
      call("search", () => {
        const found = reader.search(collection, query, Date.now() + 60_000);
        if (found === undefined) throw new Error("a search gave way to nobody");
        return found;
      }),
    parseStatement: async () => {
      throw new Error("the simulation runs no SQL of callers");
    },
    runStatement: async () => {
      throw new Error("the simulation runs no SQL of callers");
    },
    close: async () => true,
  };
}

function sqliteAccounts(db: ReturnType<typeof openForWriting>, chaos: Chaos): AccountStore {
  const run = runIn(new Statements(db));
  const broken: Crossing = { usual: inProcess, refused: () => new TenonError("accounts_unusable", "The disk is full.") };
  const call = <Result>(name: string, act: () => Result): Promise<Result> => chaos.cross(`accounts.${name}`, broken, act);
  return {
    open: async () => undefined,
    ...eachLater(reads, (start, name) => call(name, () => guarded(() => doAtOnce(start(), run)))),
    ...eachLater(changes, (start, name) =>
      call(name, () => guarded(() => db.transaction(() => doAtOnce(start(), run)).immediate())),
    ),
    close: async () => undefined,
  };
}

/** PostgreSQL in this process. It has one session, so that transactions of all processes follow each other. */
export async function pgliteEngine(chaos: Chaos, fencing: Fencing): Promise<Engine> {
  const server = await startPglite();
  return {
    open: async (plans, changeRetention) => {
      const lent = new Set<pg.PoolClient>();
      const pool = { connect: () => lend(server.pool, chaos, lent) } as Pick<pg.Pool, "connect">;
      const config = undefined;
      const database = new PooledDatabase({ pool, connections: 1, mostWaiting: 1_000, config, end: async () => undefined });
      return {
        store: fencing.watch(new PostgresStore({ database, plans, changeRetention })),
        accounts: openPostgresAccounts(database),
        limits: postgresLimits(database),
        end: async () => {
          for (const client of lent) await endSession(client);
        },
      };
    },
    close: () => server.close(),
  };
}

/** Gives a connection that may be lost with each statement. What it has begun is then rolled back, as a server does. */
async function lend(pool: pg.Pool, chaos: Chaos, lent: Set<pg.PoolClient>): Promise<pg.PoolClient> {
  const refused = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  const lost = () => new Error("Connection terminated unexpectedly");
  const client = await chaos.cross("database connect", { usual: nearby, refused }, () => pool.connect());
  lent.add(client);
  let isLost = false;
  const query = async (...args: Parameters<pg.PoolClient["query"]>) => {
    if (isLost || chaos.strikes("database connection", 0.3)) {
      isLost = true;
      throw lost();
    }
    const result = await client.query(...args);
    if (!chaos.strikes("database response", 0.3)) return result;
    isLost = true;
    throw lost();
  };
  const release = () => {
    if (!lent.delete(client)) return;
    if (isLost || client.getTransactionStatus() !== "I") void endSession(client);
    else client.release();
  };
  return new Proxy(client, {
    get: (target, name) => {
      if (name === "query")
        return (...args: Parameters<pg.PoolClient["query"]>) => (isQueryObject(args) ? target.query(...args) : query(...args));
      if (name === "release") return release;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** A query that reports by events. It has no promise that could fail in between. */
function isQueryObject([first]: readonly unknown[]): boolean {
  return typeof first === "object" && first !== null && "submit" in first;
}

async function endSession(client: pg.PoolClient): Promise<void> {
  await client.query("ROLLBACK").catch(() => undefined);
  client.release();
}
