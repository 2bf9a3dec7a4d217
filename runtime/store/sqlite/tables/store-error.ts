import { SqliteError } from "better-sqlite3";
import { TenonError } from "../../../base/errors.ts";
import { sqliteProblem } from "../../../sqlite/index.ts";

/** What is wrong with a file that has lost a part of its content. */
export const damaged = "is damaged; move it away, and the next sync makes a new one";

/** Whether an error says that a part of the file is damaged, as far as {@link engineError} has made it. */
export function isDamage(thrown: unknown): thrown is TenonError {
  return thrown instanceof TenonError && thrown.code === "store_unusable" && thrown.message.includes(damaged);
}

/** Turns an error of the engine that means a problem with the file into `store_unusable`. Other errors are returned unchanged. */
export function engineError(thrown: unknown): unknown {
  if (!(thrown instanceof SqliteError)) return thrown;
  const problem = sqliteProblem(thrown.code, { SQLITE_CORRUPT: damaged });
  return problem === undefined ? thrown : unusable(problem);
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
