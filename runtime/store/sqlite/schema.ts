import Database from "better-sqlite3";
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
  const found = firstLook(db);
  const owner = Number(db.pragma("application_id", { simple: true }));
  const empty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
  if (!empty && owner !== applicationId) throw unusable("is an SQLite file of another program");
  if (found > formats.length)
    throw unusable(`was written by a newer version of Tenon (format ${found}, this one reads up to ${formats.length})`);
  if (found === formats.length) return;
  db.transaction(() => {
    // Another process may have been faster.
    const format = Number(db.pragma("user_version", { simple: true }));
    for (const change of formats.slice(format)) db.exec(change);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${Math.max(format, formats.length)}`);
  }).immediate();
}

function firstLook(db: Connection): number {
  try {
    return Number(db.pragma("user_version", { simple: true }));
  } catch (thrown) {
    if (thrown instanceof Database.SqliteError && thrown.code === "SQLITE_NOTADB") throw unusable("is no SQLite file");
    throw thrown;
  }
}

/** Two processes with different specs share a file: the older one neither writes into the newer tables nor answers from them. */
export function anotherSpec(entity: string): TenonError {
  return unusable(`has ${entity} by another version of the spec; restart this process`);
}

export function unusable(why: string): TenonError {
  return new TenonError("store_unusable", `The file of the context store ${why}.`);
}
