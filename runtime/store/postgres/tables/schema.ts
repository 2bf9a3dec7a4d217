import type { TableSchema } from "../../../postgres/index.ts";
import { raw } from "../../../sql/index.ts";
import { hasMisfits } from "../../collection-sync.ts";
import { changeComments, demandComments, sharedComments } from "./comments.ts";

const text = 'text COLLATE "C"';

/**
 * The layouts of entities, of which several may have tables at a time: one process reads and writes those of the current layout, another
 * one, with another version of the spec, reads those of its own. `store_changes` has the keys of records that were changed in the current
 * layout and not in another one yet. A process notes in `store_users` which layouts it uses, for as long as it runs.
 */
const layoutTables: readonly string[] = [
  `CREATE TABLE store_layouts (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, entity ${text} NOT NULL, version text NOT NULL, place integer, key text NOT NULL, texts text NOT NULL, semantic text NOT NULL, state text NOT NULL DEFAULT 'none', at_inst integer NOT NULL DEFAULT 0, at_key ${text} NOT NULL DEFAULT '', UNIQUE (entity, version))`,
  `CREATE TABLE store_changes (layout integer NOT NULL, inst integer NOT NULL, k ${text} NOT NULL, PRIMARY KEY (inst, layout, k))`,
  "CREATE TABLE store_users (process text PRIMARY KEY, layouts integer[] NOT NULL, until bigint NOT NULL)",
];

const firstTables: readonly string[] = [
  `CREATE TABLE store_instances (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, connector ${text} NOT NULL, name ${text} NOT NULL, UNIQUE (connector, name))`,
  `CREATE TABLE store_scopes (inst integer NOT NULL, id integer GENERATED ALWAYS AS IDENTITY, name ${text} NOT NULL, PRIMARY KEY (inst, id), UNIQUE (inst, name))`,
  "CREATE INDEX store_scopes_lower ON store_scopes (inst, lower(name))",
  // While an entity is loading, its tables may lack the indexes that only searches need. The loader is the scope that is being read.
  `CREATE TABLE store_entities (name ${text} PRIMARY KEY, layout integer NOT NULL, version text NOT NULL, loading boolean NOT NULL DEFAULT FALSE, loader_inst integer, loader_scope integer)`,
  ...layoutTables,
  `CREATE TABLE store_collections (inst integer NOT NULL, entity ${text} NOT NULL, revision bigint NOT NULL, PRIMARY KEY (inst, entity))`,
  `CREATE TABLE store_counts (inst integer NOT NULL, entity ${text} NOT NULL, scope integer NOT NULL, records bigint NOT NULL, PRIMARY KEY (inst, entity, scope))`,
  `CREATE TABLE store_states (inst integer NOT NULL, scope integer NOT NULL, entity ${text} NOT NULL, run bigint NOT NULL, checkpoint text, newest text, source text, completed_at text, full_at text, problem text, notes text NOT NULL DEFAULT '{}', PRIMARY KEY (inst, scope, entity))`,
  // All that a search sums of a collection, so that it reads no state of another entity.
  "CREATE INDEX store_states_sums ON store_states (inst, entity, completed_at, problem)",
  `CREATE TABLE store_markers (inst integer NOT NULL, scope integer NOT NULL, entity ${text} NOT NULL, step integer NOT NULL, parent ${text} NOT NULL, marker text, run bigint NOT NULL, hidden boolean NOT NULL, PRIMARY KEY (inst, scope, entity, step, parent))`,
  `CREATE TABLE store_schedules (inst integer PRIMARY KEY, scopes text NOT NULL, minutes integer NOT NULL, started_at text)`,
  // A lease is of a sync group in a scope, of the whole scope where the sync group is empty, or of the instance where both are.
  `CREATE TABLE store_leases (inst integer NOT NULL, scope ${text} NOT NULL DEFAULT '', sync_group ${text} NOT NULL DEFAULT '', owner text NOT NULL, until bigint NOT NULL, fencing_token bigint NOT NULL, scheduled_at text, PRIMARY KEY (inst, scope, sync_group))`,
  "CREATE INDEX store_leases_token ON store_leases (inst, fencing_token)",
];

/**
 * The tables of search by meaning. Every text of a semantic field is a row of `semantic_texts`; its version grows when it changes. For each
 * model, a text whose newest version is not embedded yet is in `semantic_queue`. `semantic_removed` tells which passages to forget. A
 * revision is the number of the transaction among those that write to the entity of the instance.
 */
const semanticTables: readonly string[] = [
  `CREATE TABLE semantic_models (id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name ${text} NOT NULL UNIQUE, dims integer NOT NULL, owner text, until bigint NOT NULL DEFAULT 0, per_second double precision, problem text)`,
  `CREATE TABLE semantic_fields (inst integer NOT NULL, id integer GENERATED ALWAYS AS IDENTITY, entity ${text} NOT NULL, field ${text} NOT NULL, PRIMARY KEY (inst, id), UNIQUE (inst, entity, field))`,
  `CREATE TABLE semantic_texts (inst integer NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, field integer NOT NULL, k ${text} NOT NULL, digest text NOT NULL, version bigint NOT NULL, PRIMARY KEY (inst, id), UNIQUE (inst, field, k))`,
  `CREATE TABLE semantic_queue (inst integer NOT NULL, model integer NOT NULL, text bigint NOT NULL, field integer NOT NULL, version bigint NOT NULL, PRIMARY KEY (inst, model, text))`,
  `CREATE TABLE semantic_indexes (inst integer NOT NULL, model integer NOT NULL, field integer NOT NULL, passages bigint NOT NULL, ready boolean NOT NULL, PRIMARY KEY (inst, model, field))`,
  `CREATE TABLE semantic_passages (inst integer NOT NULL, id bigint GENERATED ALWAYS AS IDENTITY, model integer NOT NULL, field integer NOT NULL, text bigint NOT NULL, start integer NOT NULL, stop integer NOT NULL, hash text NOT NULL, revision bigint NOT NULL, code bytea NOT NULL, vector bytea NOT NULL, PRIMARY KEY (inst, id))`,
  `CREATE INDEX semantic_passages_text ON semantic_passages (inst, text, model)`,
  `CREATE INDEX semantic_passages_revision ON semantic_passages (inst, model, field, revision, id)`,
  `CREATE TABLE semantic_removed (inst integer NOT NULL, model integer NOT NULL, field integer NOT NULL, revision bigint NOT NULL, passage bigint NOT NULL, PRIMARY KEY (inst, model, field, revision, passage))`,
];

/** The change log. A block has many changes; the log does not have the records that are stored already. */
const changeTables: readonly string[] = [
  "CREATE TABLE store_change_heads (inst integer PRIMARY KEY, log text NOT NULL, first bigint NOT NULL, next bigint NOT NULL)",
  `CREATE TABLE store_change_blocks (inst integer NOT NULL, seq bigint NOT NULL, count integer NOT NULL, entity ${text} NOT NULL, scope text NOT NULL, kind text NOT NULL, at bigint NOT NULL, keys text NOT NULL, fields text, PRIMARY KEY (inst, seq))`,
  "INSERT INTO store_change_heads SELECT id, substr(md5(random()::text), 1, 12), 1, 1 FROM store_instances",
];

/** The tables that all entities share. A released step must never be changed. */
export const recordSchema: TableSchema = {
  part: "store",
  earlierParts: ["records", "context_store"],
  migrations: [
    {
      change: async (queries) => {
        for (const one of [...firstTables, ...semanticTables, ...sharedComments]) await queries.run(raw(one));
      },
    },
    {
      change: async (queries) => {
        const states = "store_states (inst, entity)";
        await queries.run(raw(`CREATE INDEX store_states_misfits ON ${states} WHERE ${hasMisfits.postgres}`));
      },
    },
    {
      change: async (queries) => {
        for (const one of [...changeTables, ...changeComments]) await queries.run(raw(one));
      },
    },
    { change: (queries) => queries.run(raw("ALTER TABLE store_schedules ADD COLUMN due text")).then(() => undefined) },
    {
      change: async (queries) => {
        await queries.run(
          raw(`CREATE TABLE store_indexes (entity ${text} NOT NULL, name ${text} NOT NULL, PRIMARY KEY (entity, name))`),
        );
        for (const one of demandComments) await queries.run(raw(one));
      },
    },
  ],
};
