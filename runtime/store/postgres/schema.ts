import { raw, type Schema } from "../../postgres/index.ts";

const text = 'text COLLATE "C"';

const firstTables: readonly string[] = [
  `CREATE TABLE store_instances (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, connector ${text} NOT NULL, name ${text} NOT NULL, UNIQUE (connector, name))`,
  `CREATE TABLE store_scopes (inst integer NOT NULL, id integer GENERATED ALWAYS AS IDENTITY, name ${text} NOT NULL, PRIMARY KEY (inst, id), UNIQUE (inst, name))`,
  `CREATE TABLE store_entities (name ${text} PRIMARY KEY, version text NOT NULL, key text NOT NULL, texts text NOT NULL)`,
  `CREATE TABLE store_shelves (inst integer NOT NULL, entity ${text} NOT NULL, turn bigint NOT NULL, PRIMARY KEY (inst, entity))`,
  `CREATE TABLE store_counts (inst integer NOT NULL, entity ${text} NOT NULL, scope integer NOT NULL, records bigint NOT NULL, PRIMARY KEY (inst, entity, scope))`,
  `CREATE TABLE store_states (inst integer NOT NULL, scope integer NOT NULL, entity ${text} NOT NULL, pass bigint NOT NULL, position text, newest text, source text, completed_at text, full_at text, problem text, notes text NOT NULL DEFAULT '{}', PRIMARY KEY (inst, scope, entity))`,
  `CREATE TABLE store_marks (inst integer NOT NULL, scope integer NOT NULL, entity ${text} NOT NULL, step integer NOT NULL, parent ${text} NOT NULL, mark text, pass bigint NOT NULL, hidden boolean NOT NULL, PRIMARY KEY (inst, scope, entity, step, parent))`,
  `CREATE TABLE store_schedules (inst integer PRIMARY KEY, scopes text NOT NULL, minutes integer NOT NULL, started_at text)`,
  `CREATE TABLE store_leases (inst integer PRIMARY KEY, owner text NOT NULL, until bigint NOT NULL, fence bigint NOT NULL)`,
];

/** The tables that all entities share. A published step must never be changed. */
export const recordSchema: Schema = { part: "records", migrations: [step(firstTables)] };

function step(statements: readonly string[]): Schema["migrations"][number] {
  return {
    change: async (queries) => {
      for (const one of statements) await queries.run(raw(one));
    },
  };
}
