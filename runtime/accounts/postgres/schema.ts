import type { TableSchema } from "../../postgres/index.ts";
import { raw } from "../../sql/index.ts";

/** Text in the order of code points, which is that of every other store; the server's own order depends on its installation. */
const text = 'text COLLATE "C"';

/** The statements of each step, one after the other. A released step is never changed; changes are added at the end. */
const steps: readonly (readonly string[])[] = [
  [
    `CREATE TABLE account_callers (id ${text} PRIMARY KEY, kind text NOT NULL, name text NOT NULL, "grant" text NOT NULL,
       created_at bigint NOT NULL, expires_at bigint, revoked_at bigint, last_used_at bigint)`,
    `CREATE TABLE account_secrets (id ${text} PRIMARY KEY, caller ${text} NOT NULL REFERENCES account_callers (id),
       hash ${text} NOT NULL UNIQUE, key_id ${text} NOT NULL, created_at bigint NOT NULL, expires_at bigint)`,
    "CREATE INDEX account_secrets_of_caller ON account_secrets (caller)",
    // An instance that was removed keeps its row, so that its id is not used again.
    `CREATE TABLE account_instances (id ${text} PRIMARY KEY, connector text NOT NULL, workspace text NOT NULL, organization text,
       rest text, graphql text, variables text NOT NULL, credential text NOT NULL, scopes text NOT NULL, minutes integer NOT NULL,
       created_at bigint NOT NULL, removed_at bigint, version bigint NOT NULL)`,
    // Where nobody has the right to renew them, there is no owner.
    `CREATE TABLE account_tokens (instance ${text} PRIMARY KEY, tokens text, owner text, until bigint NOT NULL)`,
    `CREATE TABLE account_writes (caller ${text} NOT NULL, key ${text} NOT NULL, request text NOT NULL, state text NOT NULL,
       owner text NOT NULL, begun_at bigint NOT NULL, answer text, PRIMARY KEY (caller, key))`,
    "CREATE INDEX account_writes_by_age ON account_writes (begun_at)",
    `CREATE TABLE account_audit (number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at bigint NOT NULL, caller text NOT NULL,
       action text NOT NULL, target text, outcome text NOT NULL, request_id text, intent text, times integer NOT NULL)`,
    "CREATE INDEX account_audit_by_age ON account_audit (at)",
  ],
  [
    `CREATE TABLE account_deliveries (instance ${text} NOT NULL, id ${text} NOT NULL, at bigint NOT NULL, PRIMARY KEY (instance, id))`,
    "CREATE INDEX account_deliveries_by_age ON account_deliveries (at)",
    `CREATE TABLE account_hints (instance ${text} NOT NULL, scope ${text} NOT NULL, entity ${text} NOT NULL, kind ${text} NOT NULL,
       key ${text} NOT NULL, params text NOT NULL, version bigint NOT NULL, at bigint NOT NULL, due_at bigint NOT NULL,
       tries bigint NOT NULL, PRIMARY KEY (instance, scope, entity, kind, key))`,
    "CREATE INDEX account_hints_by_due ON account_hints (due_at)",
  ],
  [
    `CREATE TABLE account_proposals (id ${text} PRIMARY KEY, caller ${text} NOT NULL, request text NOT NULL, content text NOT NULL,
       hash text NOT NULL, state text NOT NULL, created_at bigint NOT NULL, expires_at bigint NOT NULL, decided_by text,
       decided_at bigint, owner text, outcome text)`,
    "CREATE INDEX account_proposals_of_caller ON account_proposals (caller, request)",
    "CREATE INDEX account_proposals_by_age ON account_proposals (created_at)",
    "CREATE INDEX account_proposals_by_end ON account_proposals (expires_at)",
  ],
  // When a webhook last named something of a scope.
  [
    `CREATE TABLE account_told (instance ${text} NOT NULL, scope ${text} NOT NULL, at bigint NOT NULL, PRIMARY KEY (instance, scope))`,
  ],
  [
    `CREATE TABLE account_subscriptions (id ${text} PRIMARY KEY, caller ${text} NOT NULL, instance text NOT NULL, content text NOT NULL,
       secrets text NOT NULL, state text NOT NULL, reason text, log text NOT NULL, position bigint NOT NULL, replay_from bigint,
       replay_to bigint, created_at bigint NOT NULL, expires_at bigint, failures bigint NOT NULL, failing_since bigint,
       due_at bigint NOT NULL, last_at bigint, last_outcome text, version bigint NOT NULL, token bigint NOT NULL,
       until bigint NOT NULL)`,
    "CREATE INDEX account_subscriptions_of_caller ON account_subscriptions (caller)",
  ],
  ["ALTER TABLE account_audit ADD COLUMN fields text"],
  // Contents of proposals may be megabytes. What lists show came first in them.
  [
    `CREATE TABLE account_proposal_contents (id ${text} PRIMARY KEY, content text NOT NULL)`,
    `INSERT INTO account_proposal_contents SELECT id, '{' || substr(content, strpos(content, ',"params":') + 1) FROM account_proposals`,
    `UPDATE account_proposals SET content = substr(content, 1, strpos(content, ',"params":') - 1) || '}'`,
    "ALTER TABLE account_proposals RENAME COLUMN content TO head",
  ],
];

/** The tables of callers, instances, writes, proposals and the audit log. */
export const accountSchema: TableSchema = {
  part: "callers",
  earlierParts: ["accounts"],
  migrations: steps.map((statements) => ({
    change: async (queries) => {
      for (const statement of statements) await queries.run(raw(statement));
    },
  })),
};
