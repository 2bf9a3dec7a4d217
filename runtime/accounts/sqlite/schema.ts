import type { Connection } from "../../sqlite/index.ts";

/** Each element brings the tables from one version to the next. A released element is never changed; changes are added at the end. */
const fileSteps: readonly string[] = [
  // An instance that was removed keeps its row, so that its id is not used again. Where nobody has the right to renew tokens, there is no
  // owner.
  `CREATE TABLE account_callers (id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, "grant" TEXT NOT NULL,
     created_at INTEGER NOT NULL, expires_at INTEGER, revoked_at INTEGER, last_used_at INTEGER) STRICT;
   CREATE TABLE account_secrets (id TEXT PRIMARY KEY, caller TEXT NOT NULL REFERENCES account_callers (id), hash TEXT NOT NULL UNIQUE,
     key_id TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER) STRICT;
   CREATE INDEX account_secrets_of_caller ON account_secrets (caller);
   CREATE TABLE account_instances (id TEXT PRIMARY KEY, connector TEXT NOT NULL, workspace TEXT NOT NULL, organization TEXT, rest TEXT,
     graphql TEXT, variables TEXT NOT NULL, credential TEXT NOT NULL, scopes TEXT NOT NULL, minutes INTEGER NOT NULL,
     created_at INTEGER NOT NULL, removed_at INTEGER, version INTEGER NOT NULL) STRICT;
   CREATE TABLE account_tokens (instance TEXT PRIMARY KEY, tokens TEXT, owner TEXT, until INTEGER NOT NULL) STRICT;
   CREATE TABLE account_writes (caller TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, state TEXT NOT NULL, owner TEXT NOT NULL,
     begun_at INTEGER NOT NULL, answer TEXT, PRIMARY KEY (caller, key)) STRICT;
   CREATE INDEX account_writes_by_age ON account_writes (begun_at);
   CREATE TABLE account_audit (number INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, caller TEXT NOT NULL, action TEXT NOT NULL,
     target TEXT, outcome TEXT NOT NULL, request_id TEXT, intent TEXT, times INTEGER NOT NULL) STRICT;
   CREATE INDEX account_audit_by_age ON account_audit (at);`,
  `CREATE TABLE account_deliveries (instance TEXT NOT NULL, id TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (instance, id))
     STRICT, WITHOUT ROWID;
   CREATE INDEX account_deliveries_by_age ON account_deliveries (at);
   CREATE TABLE account_hints (instance TEXT NOT NULL, scope TEXT NOT NULL, entity TEXT NOT NULL, kind TEXT NOT NULL, key TEXT NOT NULL,
     params TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, due_at INTEGER NOT NULL, tries INTEGER NOT NULL,
     PRIMARY KEY (instance, scope, entity, kind, key)) STRICT, WITHOUT ROWID;
   CREATE INDEX account_hints_by_due ON account_hints (due_at);`,
  `CREATE TABLE account_proposals (id TEXT PRIMARY KEY, caller TEXT NOT NULL, request TEXT NOT NULL, content TEXT NOT NULL,
     hash TEXT NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, decided_by TEXT,
     decided_at INTEGER, owner TEXT, outcome TEXT) STRICT;
   CREATE INDEX account_proposals_of_caller ON account_proposals (caller, request);
   CREATE INDEX account_proposals_by_age ON account_proposals (created_at);
   CREATE INDEX account_proposals_by_end ON account_proposals (expires_at);`,
  // When a webhook last named something of a scope.
  "CREATE TABLE account_told (instance TEXT NOT NULL, scope TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (instance, scope)) STRICT, WITHOUT ROWID;",
  `CREATE TABLE account_subscriptions (id TEXT PRIMARY KEY, caller TEXT NOT NULL, instance TEXT NOT NULL, content TEXT NOT NULL,
     secrets TEXT NOT NULL, state TEXT NOT NULL, reason TEXT, log TEXT NOT NULL, position INTEGER NOT NULL, replay_from INTEGER,
     replay_to INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER, failures INTEGER NOT NULL, failing_since INTEGER,
     due_at INTEGER NOT NULL, last_at INTEGER, last_outcome TEXT, version INTEGER NOT NULL, token INTEGER NOT NULL,
     until INTEGER NOT NULL) STRICT;
   CREATE INDEX account_subscriptions_of_caller ON account_subscriptions (caller);`,
  "ALTER TABLE account_audit ADD COLUMN fields TEXT;",
  // Contents of proposals may be megabytes. What lists show came first in them.
  `CREATE TABLE account_proposal_contents (id TEXT PRIMARY KEY, content TEXT NOT NULL) STRICT;
   INSERT INTO account_proposal_contents SELECT id, '{' || substr(content, instr(content, ',"params":') + 1) FROM account_proposals;
   UPDATE account_proposals SET content = substr(content, 1, instr(content, ',"params":') - 1) || '}';
   ALTER TABLE account_proposals RENAME COLUMN content TO head;`,
];

/** SQLite `application_id` of this file, "tenc". It tells the file from those of other programs. */
const applicationId = 0x74656e63;
/** "tena": the number of files of checkouts before the first release. */
const earlierId = 0x74656e61;

/** What is wrong with a file as a whole, or undefined. */
export function strangeFile(db: Connection, steps = fileSteps): string | undefined {
  const id = db.pragma("application_id", { simple: true });
  const version = Number(db.pragma("user_version", { simple: true }));
  if (id === earlierId) return "was made before the first release of Tenon: move it away to begin without callers and instances";
  if (id !== applicationId && (id !== 0 || version !== 0 || hasTables(db))) return "belongs to another program";
  if (version > steps.length) return "was made by a newer version of Tenon";
  return undefined;
}

function hasTables(db: Connection): boolean {
  return db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() !== undefined;
}

/**
 * Brings the tables to this version, in one transaction. Another process may do the same at the same time.
 *
 * @param steps replaces those of this version, for a test
 */
export function migrate(db: Connection, steps = fileSteps): void {
  if (Number(db.pragma("user_version", { simple: true })) === steps.length) return;
  const run = db.transaction(() => {
    const version = Number(db.pragma("user_version", { simple: true }));
    for (const step of steps.slice(version)) db.exec(step);
    db.pragma(`application_id = ${applicationId}`);
    db.pragma(`user_version = ${steps.length}`);
  });
  run.immediate();
}
