import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database, { SqliteError } from "better-sqlite3";
import { TenonError } from "../../base/errors.ts";
import { type Connection, sqliteProblem } from "../../sqlite/index.ts";
import { migrate, strangeFile } from "./schema.ts";

/** Milliseconds that a statement waits for another process that writes. */
const patience = 10_000;

/** Opens the file for reading only. It has to exist. @throws TenonError `accounts_unusable` */
export function openForReading(file: string): Connection {
  return guarded(() => tuned(new Database(file, { readonly: true, fileMustExist: true, timeout: patience })));
}

/**
 * Opens the file, or makes it together with its folder. Only the user of this process may read it. Committed changes are on the disk.
 *
 * @throws TenonError `accounts_unusable`; a file that cannot be used is left as it is
 */
export function openForWriting(file: string): Connection {
  return guarded(() => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    // Opening a pipe would wait for its other end.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw unusable("is not a regular file");
    closeSync(openSync(file, "a", 0o600));
    const db = new Database(file, { timeout: patience });
    try {
      const strange = strangeFile(db);
      if (strange !== undefined) throw unusable(strange);
      db.pragma("journal_mode = WAL");
      db.pragma("synchronous = FULL");
      db.pragma("foreign_keys = ON");
      migrate(db);
      // The tables that decide who may do what. The others may be large, and a page that is damaged there is found when it is read.
      for (const table of ["callers", "secrets", "instances", "tokens"])
        if (db.pragma(`quick_check(account_${table})`, { simple: true }) !== "ok") throw unusable(damaged);
      return tuned(db);
    } catch (thrown) {
      db.close();
      throw thrown;
    }
  });
}

/** Whether another process, such as a service, has the file open. @throws TenonError `accounts_unusable` */
export function isInUse(file: string): boolean {
  return guarded(() => {
    const db = new Database(file, { fileMustExist: true, timeout: 0 });
    try {
      // In this mode a connection takes a file for itself, which fails while anybody else has it open.
      db.pragma("locking_mode = EXCLUSIVE");
      db.exec("BEGIN EXCLUSIVE; COMMIT");
      return false;
    } catch (thrown) {
      if (thrown instanceof SqliteError && thrown.code.startsWith("SQLITE_BUSY")) return true;
      throw thrown;
    } finally {
      db.close();
    }
  });
}

function tuned(db: Connection): Connection {
  // The file is not mapped into memory: reading from a mapped file that somebody truncates ends the whole process by a signal.
  db.pragma("mmap_size = 0");
  db.pragma("trusted_schema = OFF");
  return db;
}

const damaged = "is damaged: restore it from a backup, or move it away to begin without callers and instances";

const words = { SQLITE_NOTADB: damaged, SQLITE_CORRUPT: damaged };

/** Runs something on the file. @throws TenonError `accounts_unusable` for a problem with the file; other errors are thrown unchanged */
export function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw fileError(thrown);
  }
}

function fileError(thrown: unknown): unknown {
  if (thrown instanceof SqliteError) {
    const problem = sqliteProblem(thrown.code, words);
    return problem === undefined ? thrown : unusable(problem);
  }
  const code = thrown instanceof Error && "syscall" in thrown && "code" in thrown ? String(thrown.code) : undefined;
  return code === undefined ? thrown : unusable(`cannot be opened (${code})`);
}

/** @param why continues the sentence "The file accounts.sqlite …", without a full stop */
function unusable(why: string): TenonError {
  return new TenonError("accounts_unusable", `The file accounts.sqlite in the data directory ${why}.`);
}
