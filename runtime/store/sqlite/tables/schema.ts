import type { Connection } from "../../../sqlite/index.ts";
import { hasMisfits } from "../../collection-sync.ts";
import { semanticFormat } from "./semantic-schema.ts";
import { damaged, unusable } from "./store-error.ts";

/** "tens" in ASCII. It tells the files of Tenon from other SQLite files. */
const applicationId = 0x74656e73;
/** "tenn" and "tenr": what files of checkouts before the first release have. */
const earlierIds = [0x74656e6e, 0x74656e72];

const firstFormat = `
  CREATE TABLE store_instances (id INTEGER PRIMARY KEY, connector TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (connector, name));
  CREATE TABLE store_scopes (id INTEGER PRIMARY KEY, inst INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (inst, name));
  CREATE INDEX store_scopes_lower ON store_scopes (inst, lower(name), name);
  CREATE TABLE store_entities (name TEXT PRIMARY KEY, version TEXT NOT NULL, key TEXT NOT NULL, loading INTEGER) WITHOUT ROWID;
  CREATE TABLE store_counts (inst INTEGER NOT NULL, entity TEXT NOT NULL, scope INTEGER NOT NULL, records INTEGER NOT NULL,
    PRIMARY KEY (inst, entity, scope)) WITHOUT ROWID;
  CREATE TABLE store_states (inst INTEGER NOT NULL, scope INTEGER NOT NULL, entity TEXT NOT NULL, run INTEGER NOT NULL, checkpoint TEXT,
    newest TEXT, source TEXT, completed_at TEXT, full_at TEXT, problem TEXT, notes TEXT NOT NULL DEFAULT '{}',
    PRIMARY KEY (inst, scope, entity)) WITHOUT ROWID;
  CREATE INDEX store_states_sums ON store_states (inst, entity, completed_at, problem);
  CREATE TABLE store_markers (inst INTEGER NOT NULL, scope INTEGER NOT NULL, entity TEXT NOT NULL, step INTEGER NOT NULL, parent TEXT NOT NULL,
    marker TEXT, run INTEGER NOT NULL, hidden INTEGER NOT NULL, PRIMARY KEY (inst, scope, entity, step, parent)) WITHOUT ROWID;
  CREATE INDEX store_markers_hidden ON store_markers (inst, scope, entity) WHERE hidden;
  CREATE TABLE store_schedules (inst INTEGER PRIMARY KEY, scopes TEXT NOT NULL, minutes INTEGER NOT NULL, started_at TEXT);
  CREATE TABLE store_leases (inst INTEGER NOT NULL, scope TEXT NOT NULL DEFAULT '', sync_group TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL,
    until INTEGER NOT NULL, fencing_token INTEGER NOT NULL DEFAULT 0, scheduled_at TEXT, PRIMARY KEY (inst, scope, sync_group)) WITHOUT ROWID;
  CREATE INDEX store_leases_token ON store_leases (inst, fencing_token);
`;

/**
 * The tables that all entities share. Each text changes the file from one format to the next; a released text must never be changed. A
 * file with a higher format was written by a newer version and is left unchanged.
 */
const fileFormats: readonly string[] = [
  firstFormat + semanticFormat,
  `CREATE INDEX store_states_misfits ON store_states (inst, entity) WHERE ${hasMisfits.sqlite};`,
  // The log does not have the records that are stored already.
  `CREATE TABLE store_change_heads (inst INTEGER PRIMARY KEY, log TEXT NOT NULL, first INTEGER NOT NULL, next INTEGER NOT NULL);
  CREATE TABLE store_change_blocks (inst INTEGER NOT NULL, seq INTEGER NOT NULL, count INTEGER NOT NULL, entity TEXT NOT NULL,
    scope TEXT NOT NULL, kind TEXT NOT NULL, at INTEGER NOT NULL, keys TEXT NOT NULL, fields TEXT, PRIMARY KEY (inst, seq));
  INSERT INTO store_change_heads SELECT id, lower(hex(randomblob(6))), 1, 1 FROM store_instances;`,
  "ALTER TABLE store_schedules ADD COLUMN due TEXT;",
];

/**
 * Reads the whole file, which takes seconds when it is large.
 *
 * @throws TenonError `store_unusable` or SqliteError `SQLITE_CORRUPT` when a part of the file is missing or damaged
 */
export function refuseDamaged(db: Connection): void {
  if (db.pragma("quick_check(1)", { simple: true }) !== "ok") throw unusable(damaged);
}

/**
 * Makes the tables that all entities share, in a new file or in one of an older format.
 *
 * @param formats replaces those of this version, for a test of the migration
 * @throws TenonError `store_unusable` when the file belongs to another program, to a checkout before the first release, or was written by a
 * newer
 *   version; the file is left as it is
 */
export function prepareFile(db: Connection, formats = fileFormats): void {
  const look = () => {
    const format = Number(db.pragma("user_version", { simple: true }));
    const owner = Number(db.pragma("application_id", { simple: true }));
    const empty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
    if (earlierIds.includes(owner))
      throw unusable("was written before the first release of Tenon; move it away, and the next sync makes a new one");
    if (!empty && owner !== applicationId) throw unusable("belongs to another program");
    if (format > formats.length)
      throw unusable(`was written by a newer version of Tenon (format ${format}, this one reads up to ${formats.length})`);
    return format;
  };
  // The look and the change each run in a transaction, because another process may be doing the same.
  if (db.transaction(look)() === formats.length) return;
  db.transaction(() => {
    for (const change of formats.slice(look())) db.exec(change);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${formats.length}`);
  }).immediate();
}
