import Database, { SqliteError } from "better-sqlite3";
import type { Connection } from "../../../sqlite/index.ts";
import { requests } from "./requests.ts";
import { refuseTruncated } from "./store-file.ts";

/** Milliseconds that a statement waits for another process that writes. */
const patience = 10_000;
/** Milliseconds that preparing the file waits, because another process may be rebuilding the tables of many records. */
const firstPatience = 300_000;
/** Milliseconds that one attempt to prepare the file waits inside the engine, and the pause between two attempts. */
const oneAttempt = 500;
const betweenAttempts = 100;
/** Bytes of a page. Most records fit into one. */
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
 * Opens the file, or makes it. Committed changes are on the disk (`synchronous = FULL`).
 *
 * @param prepare checks the file before anything in it is changed
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
    // Saving a record changes about twenty pages. With a large log, a page that changes often is copied into the file only once.
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
 * Prepares a file, and tries again while another process has locked it. The engine could wait itself, but then the wait could not be
 * interrupted and would delay the end of the process.
 *
 * @param request its first number becomes `requests.stop` when the file is no longer needed
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

/** Must be called when the file has been prepared. From then on other processes lock it only for short times. */
export function prepared(db: Connection): void {
  db.pragma(`busy_timeout = ${patience}`);
}

function tune(db: Connection, cache: number): void {
  db.pragma(`cache_size = -${cache * 1024}`);
  // The file is not mapped into memory: reading from a mapped file that somebody truncates ends the whole process by a signal.
  db.pragma("mmap_size = 0");
  db.pragma("temp_store = MEMORY");
  db.pragma("trusted_schema = OFF");
}
