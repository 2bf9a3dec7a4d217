import { SqliteError } from "better-sqlite3";
import { TenonError } from "../../base/errors.ts";

/** Result codes of SQLite, their extended forms included, that say something about the file and not about a fault of this code. */
const fileProblems: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: "is not an SQLite file",
  SQLITE_CORRUPT: "is damaged; move it away, and the next sync makes a new one",
  SQLITE_FULL: "cannot grow: the disk is full",
  SQLITE_IOERR: "cannot be read or written",
  SQLITE_CANTOPEN: "cannot be opened",
  SQLITE_READONLY: "must not be written",
  SQLITE_PERM: "must not be opened",
  SQLITE_BUSY: "has been locked by another process for too long",
};

/** An error as callers should see it: one of the engine that says something about the file becomes `store_unusable`. */
export function engineError(thrown: unknown): unknown {
  if (!(thrown instanceof SqliteError)) return thrown;
  const problem = Object.entries(fileProblems).find(([code]) => thrown.code === code || thrown.code.startsWith(`${code}_`));
  return problem === undefined ? thrown : unusable(`${problem[1]} (${thrown.code})`);
}

/**
 * Two processes with different specs share a file. The tables are those of the process that started later; the other one must neither
 * write into them nor answer from them.
 */
export function anotherSpec(entity: string): TenonError {
  return unusable(`has the tables of ${entity} by another version of the spec; restart this process`);
}

/** @param why goes on behind "The file of the context store" */
export function unusable(why: string): TenonError {
  return new TenonError("store_unusable", `The file of the context store ${why}.`);
}
