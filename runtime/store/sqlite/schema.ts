import { SqliteError } from "better-sqlite3";
import { TenonError } from "../../errors.ts";
import type { Connection } from "./connection.ts";

/** "tenn": tells our files from other SQLite files. */
const applicationId = 0x74656e6e;

const firstFormat = `
  CREATE TABLE instances (id INTEGER PRIMARY KEY, connector TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (connector, name));
  CREATE TABLE scopes (id INTEGER PRIMARY KEY, inst INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (inst, name));
  CREATE TABLE entities (name TEXT PRIMARY KEY, version TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE counts (inst INTEGER NOT NULL, entity TEXT NOT NULL, scope INTEGER NOT NULL, records INTEGER NOT NULL, PRIMARY KEY (inst, entity, scope)) WITHOUT ROWID;
  CREATE TABLE states (inst INTEGER NOT NULL, scope INTEGER NOT NULL, entity TEXT NOT NULL, pass INTEGER NOT NULL, position TEXT, newest TEXT, completed_at TEXT, full_at TEXT, problem TEXT, PRIMARY KEY (inst, scope, entity)) WITHOUT ROWID;
  CREATE TABLE marks (scope INTEGER NOT NULL, entity TEXT NOT NULL, step INTEGER NOT NULL, parent TEXT NOT NULL, mark TEXT, pass INTEGER NOT NULL, PRIMARY KEY (scope, entity, step, parent)) WITHOUT ROWID;
  CREATE TABLE schedules (inst INTEGER PRIMARY KEY, scopes TEXT NOT NULL, minutes INTEGER NOT NULL, started_at TEXT);
  CREATE TABLE leases (inst INTEGER PRIMARY KEY, owner TEXT NOT NULL, until INTEGER NOT NULL);
`;

/**
 * Tables that all entities share, as they came to be: each text leads from one format to the next, and a published one is never
 * changed. A file of a higher format is from a newer version, and left alone.
 */
const formats: readonly string[] = [firstFormat, "ALTER TABLE states ADD COLUMN source TEXT"];

/**
 * Makes the tables that all entities share, in a new file or in one of an older format.
 *
 * @throws TenonError when the file is not ours or from a newer version; it is not changed then
 */
export function prepareFile(db: Connection): void {
  const look = () => {
    const format = Number(db.pragma("user_version", { simple: true }));
    const owner = Number(db.pragma("application_id", { simple: true }));
    const empty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
    if (!empty && owner !== applicationId) throw unusable("is an SQLite file of another program");
    if (format > formats.length)
      throw unusable(`was written by a newer version of Tenon (format ${format}, this one reads up to ${formats.length})`);
    return format;
  };
  // In one transaction each: another process may be doing the same.
  if (db.transaction(look)() === formats.length) return;
  db.transaction(() => {
    for (const change of formats.slice(look())) db.exec(change);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${formats.length}`);
  }).immediate();
}

/** Result codes of SQLite (with their extended forms) that are about the file and not about us. */
const fileProblems: Readonly<Record<string, string>> = {
  SQLITE_NOTADB: "is no SQLite file",
  SQLITE_CORRUPT: "is damaged; move it away, and the next sync makes a new one",
  SQLITE_FULL: "cannot grow: the disk is full",
  SQLITE_IOERR: "cannot be read or written",
  SQLITE_CANTOPEN: "cannot be opened",
  SQLITE_READONLY: "must not be written",
  SQLITE_PERM: "must not be opened",
  SQLITE_BUSY: "is being written by another process for too long",
};

/** An error of the engine as callers should hear it. */
export function engineError(thrown: unknown): unknown {
  if (!(thrown instanceof SqliteError)) return thrown;
  const problem = Object.entries(fileProblems).find(([code]) => thrown.code === code || thrown.code.startsWith(`${code}_`));
  return problem === undefined ? thrown : unusable(`${problem[1]} (${thrown.code})`);
}

/** Two processes with different specs share a file: the older one neither writes into the newer tables nor answers from them. */
export function anotherSpec(entity: string): TenonError {
  return unusable(`has ${entity} by another version of the spec; restart this process`);
}

export function unusable(why: string): TenonError {
  return new TenonError("store_unusable", `The file of the context store ${why}.`);
}
