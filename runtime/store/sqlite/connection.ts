import Database, { SqliteError } from "better-sqlite3";
import type { SqlValue } from "./sql.ts";

export type Connection = Database.Database;
type Statement = Database.Statement<SqlValue[]>;

/** Milliseconds to wait for another process that writes. */
const patience = 10_000;
/** The same while the file is being prepared: another process may be making tables of many records anew. */
const firstPatience = 300_000;
/** Milliseconds of one try to prepare it, which waits inside the engine, and between two tries. */
const oneTry = 500;
const betweenTries = 100;
/** Prepared statements that are kept; the one not used for longest goes first. */
const mostStatements = 500;
/** A longer one is not kept: its text comes from one caller's long list. */
const longestKept = 20_000;
/** Bytes of a page: large enough that most records fit into one. */
const pageSize = 8192;
const mebibyte = 1024 * 1024;
/** Mebibytes of changes after which they are copied from the log into the file. */
const logSize = 128;

/** Opens the file for reading only. It has to exist. */
export function openReader(file: string): Connection {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: patience });
  tune(db, 32);
  return db;
}

/**
 * Opens or makes the file. What is committed is on the disk (`synchronous = FULL`).
 *
 * @param prepare looks at the file before anything in it is changed
 */
export function openWriter(file: string, prepare: (db: Connection) => void): Connection {
  const db = new Database(file, { timeout: oneTry });
  try {
    db.pragma(`page_size = ${pageSize}`);
    prepare(db);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    // A change of many records touches some twenty pages of each: pages that are touched again soon are copied once.
    db.pragma(`wal_autocheckpoint = ${(logSize * mebibyte) / pageSize}`);
    db.pragma(`journal_size_limit = ${logSize * mebibyte}`);
    tune(db, 256);
  } catch (thrown) {
    db.close();
    throw thrown;
  }
  return db;
}

/**
 * Does again what prepares a file for as long as another process has it. Waiting inside the engine for so long could not be ended, not
 * even by the end of the process.
 *
 * @param stop 1 in its first place when nobody waits for it any longer
 */
export function whenFree<Made>(stop: Int32Array<SharedArrayBuffer>, prepare: () => Made): Made {
  const end = performance.now() + firstPatience;
  for (;;) {
    try {
      return prepare();
    } catch (thrown) {
      const busy = thrown instanceof SqliteError && thrown.code.startsWith("SQLITE_BUSY");
      if (!busy || performance.now() >= end || Atomics.wait(stop, 0, 0, betweenTries) !== "timed-out") throw thrown;
    }
  }
}

/** The file is prepared: from now on nothing takes long. */
export function prepared(db: Connection): void {
  db.pragma(`busy_timeout = ${patience}`);
}

function tune(db: Connection, cache: number): void {
  db.pragma(`cache_size = -${cache * 1024}`);
  // Reading maps the file, so that pages are not copied; the engine itself allows no more than this.
  db.pragma(`mmap_size = ${0x7fff0000}`);
  db.pragma("temp_store = MEMORY");
  db.pragma("trusted_schema = OFF");
}

/** Prepares each text once. Texts are made of plans and shapes of queries, not of values, so there are few of them. */
export class Statements {
  readonly #db: Connection;
  readonly #kept = new Map<string, Statement>();

  constructor(db: Connection) {
    this.#db = db;
  }

  get(text: string): Statement {
    const known = this.#kept.get(text);
    if (known !== undefined) {
      this.#kept.delete(text);
      this.#kept.set(text, known);
      return known;
    }
    const made = this.#db.prepare<SqlValue[]>(text);
    if (text.length > longestKept) return made;
    this.#kept.set(text, made);
    if (this.#kept.size > mostStatements) {
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return made;
  }

  /** The schema changed: some of the texts may mean something else. */
  clear(): void {
    this.#kept.clear();
  }
}
