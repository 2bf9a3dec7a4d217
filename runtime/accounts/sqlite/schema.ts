import type Database from "better-sqlite3";

type Connection = Database.Database;

/** Each element brings the tables from one version to the next. A released element is never changed; changes are added at the end. */
const steps = [
  `CREATE TABLE callers (
     id TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     name TEXT NOT NULL,
     "grant" TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER,
     last_used_at INTEGER
   ) STRICT;
   CREATE TABLE secrets (
     id TEXT PRIMARY KEY,
     caller TEXT NOT NULL REFERENCES callers (id),
     hash TEXT NOT NULL UNIQUE,
     key_id TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     expires_at INTEGER
   ) STRICT;
   CREATE INDEX secrets_of_caller ON secrets (caller);`,
  // An instance that was removed keeps its row, so that its id is not used again.
  `CREATE TABLE instances (
     id TEXT PRIMARY KEY,
     connector TEXT NOT NULL,
     workspace TEXT NOT NULL,
     organization TEXT,
     rest TEXT,
     graphql TEXT,
     credential TEXT NOT NULL,
     scopes TEXT NOT NULL,
     minutes INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     removed_at INTEGER,
     version INTEGER NOT NULL
   ) STRICT;`,
  `CREATE TABLE writes (
     caller TEXT NOT NULL,
     key TEXT NOT NULL,
     request TEXT NOT NULL,
     state TEXT NOT NULL,
     owner TEXT NOT NULL,
     begun_at INTEGER NOT NULL,
     answer TEXT,
     PRIMARY KEY (caller, key)
   ) STRICT;
   CREATE INDEX writes_by_age ON writes (begun_at);`,
  `CREATE TABLE audit (
     number INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     caller TEXT NOT NULL,
     action TEXT NOT NULL,
     target TEXT,
     outcome TEXT NOT NULL,
     request_id TEXT,
     intent TEXT
   ) STRICT;
   CREATE INDEX audit_by_age ON audit (at);`,
  "ALTER TABLE instances ADD COLUMN variables TEXT NOT NULL DEFAULT '{}';",
  // Where nobody has the right to renew them, there is no owner.
  `CREATE TABLE tokens (
     instance TEXT PRIMARY KEY,
     tokens TEXT,
     owner TEXT,
     until INTEGER NOT NULL
   ) STRICT;`,
];

/** A number in the head of the file by which SQLite files of other programs are told apart: "tena". */
const applicationId = 0x74656e61;

/** What is wrong with a file as a whole, or undefined. */
export function strangeFile(db: Connection): string | undefined {
  const id = db.pragma("application_id", { simple: true });
  const version = Number(db.pragma("user_version", { simple: true }));
  if (id !== applicationId && (id !== 0 || version !== 0 || hasTables(db))) return "belongs to another program";
  if (version > steps.length) return "was made by a newer version of Tenon";
  return undefined;
}

function hasTables(db: Connection): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}

/** Brings the tables to this version, in one transaction. Another process may do the same at the same time. */
export function migrate(db: Connection): void {
  if (Number(db.pragma("user_version", { simple: true })) === steps.length) return;
  const run = db.transaction(() => {
    const version = Number(db.pragma("user_version", { simple: true }));
    for (const step of steps.slice(version)) db.exec(step);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${steps.length}`);
  });
  run.immediate();
}
