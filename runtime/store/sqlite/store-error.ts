import { SqliteError } from "better-sqlite3";
import { TenonError } from "../../base/errors.ts";

/** What is wrong with a file that has lost a part of its content. */
export const damaged = "is damaged; move it away, and the next sync makes a new one";

/** Whether an error says that a part of the file is damaged, as far as {@link engineError} has made it. */
export function isDamage(thrown: unknown): thrown is TenonError {
  return thrown instanceof TenonError && thrown.code === "store_unusable" && thrown.message.includes(damaged);
}

/** Result codes of SQLite, including their extended forms, that mean a problem with the file and not a fault of this code. */
const fileProblems: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: "is not an SQLite file",
  SQLITE_CORRUPT: damaged,
  SQLITE_FULL: "cannot grow: the disk is full",
  SQLITE_IOERR: "cannot be read or written",
  SQLITE_CANTOPEN: "cannot be opened",
  SQLITE_READONLY: "is read-only",
  SQLITE_PERM: "cannot be opened: permission was denied",
  SQLITE_BUSY: "has been locked by another process for too long",
};

/** Turns an error of the engine that means a problem with the file into `store_unusable`. Other errors are returned unchanged. */
export function engineError(thrown: unknown): unknown {
  if (!(thrown instanceof SqliteError)) return thrown;
  const problem = Object.entries(fileProblems).find(([code]) => thrown.code === code || thrown.code.startsWith(`${code}_`));
  return problem === undefined ? thrown : unusable(`${problem[1]} (${thrown.code})`);
}

/**
 * The error for a file that another process with another spec has taken over. The tables are those of the process that started later;
 * this process must neither write to them nor read from them.
 */
export function anotherSpec(entity: string): TenonError {
  return unusable(`has tables of ${entity} that were made for another version of the spec; restart this process`);
}

/** @param why continues the sentence "The file of the context store …", without a full stop */
export function unusable(why: string): TenonError {
  return new TenonError("store_unusable", `The file of the context store ${why}.`);
}
