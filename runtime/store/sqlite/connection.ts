import Database, { SqliteError } from "better-sqlite3";
import { requests } from "./requests.ts";
import type { SqlValue } from "./sql.ts";
import { refuseTruncated } from "./store-file.ts";

export type Connection = Database.Database;
type Statement = Database.Statement<SqlValue[]>;

/** Milliseconds for which a statement waits for another process that writes. */
const patience = 10_000;
/** The same while the file is prepared: another process may be rebuilding the tables of many records. */
const firstPatience = 300_000;
/** Milliseconds that one attempt to prepare it waits inside the engine, and between two attempts. */
const oneAttempt = 500;
const betweenAttempts = 100;
/** Prepared statements that are kept. Beyond that, the one that was not used for longest is dropped. */
const mostStatements = 500;
/** Characters of a statement beyond which it is not kept: its text comes from one caller's long list and will not be asked again. */
const longestKept = 20_000;
/** Bytes of a page: large enough that most records fit into one. */
const pageSize = 8192;
const mebibyte = 1024 * 1024;
/** Mebibytes of the write-ahead log at which its changes are copied into the file. */
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
 * @throws TenonError `store_unusable`
 */
export function openWriter(file: string, prepare: (db: Connection) => void): Connection {
  refuseTruncated(file);
  const db = new Database(file, { timeout: oneAttempt });
  try {
    db.pragma(`page_size = ${pageSize}`);
    prepare(db);
    db.pragma("journal_mode = WAL");
    db.pragma("synchronous = FULL");
    // Saving a record changes some twenty pages. With a large log, a page that is changed often is copied into the file once.
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
 * Prepares a file, again and again while another process has locked it. The engine could wait by itself, but its waiting cannot be
 * interrupted, so that it would hold up the end of the process.
 *
 * @param request its first number becomes `requests.stop` when nobody waits for the file any longer
 */
export function whenFree<Made>(request: Int32Array<SharedArrayBuffer>, prepare: () => Made): Made {
  const end = performance.now() + firstPatience;
  for (;;) {
    try {
      return prepare();
    } catch (thrown) {
      const busy = thrown instanceof SqliteError && thrown.code.startsWith("SQLITE_BUSY");
      if (!busy || performance.now() >= end || Atomics.wait(request, 0, requests.goOn, betweenAttempts) !== "timed-out")
        throw thrown;
    }
  }
}

/** To be called when the file is prepared: from now on other processes lock it for short times only. */
export function prepared(db: Connection): void {
  db.pragma(`busy_timeout = ${patience}`);
}

function tune(db: Connection, cache: number): void {
  db.pragma(`cache_size = -${cache * 1024}`);
  // The file is mapped into memory, so that reading copies no pages. The engine allows no more than this.
  db.pragma(`mmap_size = ${0x7fff0000}`);
  db.pragma("temp_store = MEMORY");
  db.pragma("trusted_schema = OFF");
}

/** Prepares each statement once. Their texts are made of plans and forms of queries but not of values, so that they are few. */
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

  /** Forgets all statements. Needed after a change of tables. */
  clear(): void {
    this.#kept.clear();
  }
}
