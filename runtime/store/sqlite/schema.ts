import type { Connection } from "./connection.ts";
import { semanticFormat } from "./semantic-schema.ts";
import { damaged, unusable } from "./store-error.ts";

/** "tenn" in ASCII. It marks the files of Tenon among other SQLite files. */
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
 * The tables that all entities share. Each text changes the file from one format to the next; a published text must never be changed. A
 * file with a higher format was written by a newer version and is left unchanged.
 */
const formats: readonly string[] = [
  firstFormat,
  "ALTER TABLE states ADD COLUMN source TEXT",
  "ALTER TABLE states ADD COLUMN notes TEXT NOT NULL DEFAULT '{}'",
  semanticFormat,
  "ALTER TABLE entities ADD COLUMN loading INTEGER",
  // Hidden parents have negative numbers of passes.
  "CREATE INDEX marks_hidden ON marks (scope, entity) WHERE pass < 0",
  "ALTER TABLE leases ADD COLUMN fence INTEGER NOT NULL DEFAULT 0",
  // Codes have two bits for each member of a vector in the place of one, so the texts are embedded again.
  `DELETE FROM semantic_passages;
   UPDATE semantic_indexes SET ready = 0;
   INSERT INTO semantic_queue (model, field, text, version) SELECT m.id, t.field, t.id, t.version FROM semantic_models m JOIN semantic_texts t
     WHERE TRUE ON CONFLICT DO NOTHING`,
  // A lease is of a scope, or of the whole instance where the scope is empty.
  `CREATE TABLE scope_leases (inst INTEGER NOT NULL, scope TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL, until INTEGER NOT NULL,
     fence INTEGER NOT NULL DEFAULT 0, run TEXT, PRIMARY KEY (inst, scope)) WITHOUT ROWID;
   INSERT INTO scope_leases (inst, owner, until, fence) SELECT inst, owner, until, fence FROM leases;
   DROP TABLE leases;
   ALTER TABLE scope_leases RENAME TO leases`,
  // A lease is of a family of entities in a scope, or of the whole scope where the family is empty.
  `CREATE TABLE family_leases (inst INTEGER NOT NULL, scope TEXT NOT NULL DEFAULT '', family TEXT NOT NULL DEFAULT '', owner TEXT NOT NULL,
     until INTEGER NOT NULL, fence INTEGER NOT NULL DEFAULT 0, run TEXT, PRIMARY KEY (inst, scope, family)) WITHOUT ROWID;
   INSERT INTO family_leases (inst, scope, owner, until, fence, run) SELECT inst, scope, owner, until, fence, run FROM leases;
   DROP TABLE leases;
   ALTER TABLE family_leases RENAME TO leases;
   CREATE INDEX leases_fence ON leases (inst, fence)`,
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
 * @throws TenonError `store_unusable` when the file belongs to another program or was written by a newer version; the file is left as it is
 */
export function prepareFile(db: Connection): void {
  const look = () => {
    const format = Number(db.pragma("user_version", { simple: true }));
    const owner = Number(db.pragma("application_id", { simple: true }));
    const empty = db.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0;
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
