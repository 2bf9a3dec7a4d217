import { changesOf, type Dialect, rowOf, rowsOf, type Sql, sql, type Work } from "../../sql/index.ts";
import type { EntityId } from "../catalogue.ts";
import type { Checkpoint } from "../checkpoint.ts";
import { leaseLost, takenOver } from "../lease.ts";
import { readProblem, type SyncProblem } from "../problem.ts";
import type {
  Fenced,
  FinishOptions,
  InstanceScope,
  ParentDone,
  ScopeCollection,
  StoreInstance,
  SyncNotes,
  SyncState,
} from "../store.ts";
import { completionTime } from "./completion.ts";
import { allScopes } from "./counts.ts";

// The progress of syncs: checkpoints of sync runs, markers of parents whose children were read, counts of records. All of it runs in the
// caller's transaction, so that progress and records are saved together or not at all. Texts are given as they are stored.

/** A scope of an instance, by the ids that both have in the store. */
export interface ScopeIds {
  readonly inst: number;
  readonly scope: number;
}

/** An entity within a scope. */
export interface CollectionIds extends ScopeIds {
  readonly entity: string;
}

interface StateRow extends Omit<SyncState, "checkpoint" | "problem" | "notes" | "completedAt" | "fullAt"> {
  readonly checkpoint: string | null;
  readonly problem: string | null;
  readonly notes: string;
  readonly completed_at: string | null;
  readonly full_at: string | null;
}

/** The condition for rows of a scope. */
const ofScope = ({ inst, scope }: ScopeIds): Sql => sql`inst = ${inst} AND scope = ${scope}`;
const ofCollection = ({ entity, ...ids }: CollectionIds) => sql`${ofScope(ids)} AND entity = ${entity}`;

/** The units of work of the ledger, for an engine. */
export function ledgerOf({ lock, oneOf }: Dialect) {
  /** The id of an instance; undefined when nothing of it is stored. */
  function* findInstance({ connector, instance }: StoreInstance): Work<number | undefined> {
    return (yield* rowOf<{ id: number }>(
      sql`SELECT id FROM store_instances WHERE connector = ${connector} AND name = ${instance}`,
    ))?.id;
  }

  /** The id of a scope; undefined when nothing of it is stored. */
  function* findScope(inst: number, name: string): Work<number | undefined> {
    return (yield* rowOf<{ id: number }>(sql`SELECT id FROM store_scopes WHERE inst = ${inst} AND name = ${name}`))?.id;
  }

  /** The id of an instance. It is given when it is first asked for. */
  function* makeInstance(instance: StoreInstance): Work<number> {
    const known = yield* findInstance(instance);
    if (known !== undefined) return known;
    yield* changesOf(
      sql`INSERT INTO store_instances (connector, name) VALUES (${instance.connector}, ${instance.instance}) ON CONFLICT DO NOTHING`,
    );
    const made = yield* findInstance(instance);
    if (made === undefined) throw new Error("The store gave no id to an instance.");
    return made;
  }

  /** The id of a scope. It is given when it is first asked for. */
  function* makeScope(inst: number, name: string): Work<number> {
    const known = yield* findScope(inst, name);
    if (known !== undefined) return known;
    const made = yield* rowOf<{ id: number }>(
      sql`INSERT INTO store_scopes (inst, name) VALUES (${inst}, ${name})
        ON CONFLICT (inst, name) DO UPDATE SET name = excluded.name RETURNING id`,
    );
    if (made === undefined) throw new Error("The store gave no id to a scope.");
    return made.id;
  }

  /**
   * Keeps a lease as it is until the caller's transaction ends.
   *
   * @param fencingToken the fencing token of the lease; undefined for work without a lease
   * @throws TenonError `sync_running` when another owner has taken it, or one that overlaps; `unknown_connector` when the instance was
   * removed
   */
  function* holdLease(inst: number, scope: string, fencingToken: number | undefined): Work<void> {
    if (fencingToken === undefined) return;
    const held = yield* rowsOf(
      sql`SELECT 1 FROM store_leases WHERE inst = ${inst} AND scope IN ('', ${scope}) AND fencing_token = ${fencingToken}${lock.keep}`,
    );
    if (held.length > 0) return;
    const whole = yield* rowOf<{ owner: string }>(sql`SELECT owner FROM store_leases WHERE inst = ${inst} AND scope = ''`);
    throw leaseLost(whole?.owner);
  }

  /** Notes why a sync run could not continue. Its checkpoint is kept. */
  function* failRun({ inst, scope, entity }: CollectionIds, problem: SyncProblem): Work<void> {
    yield* changesOf(
      sql`INSERT INTO store_states (inst, scope, entity, run, problem) VALUES (${inst}, ${scope}, ${entity}, 0, ${problem})
        ON CONFLICT (inst, scope, entity) DO UPDATE SET problem = excluded.problem`,
    );
  }

  return {
    findInstance,
    findScope,
    makeInstance,
    holdLease,
    makeScope,
    failRun,

    /**
     * Begins a write to a collection: makes its ids where they are missing, and keeps its lease until the transaction ends. The lease is
     * locked before any row of the scope.
     *
     * @throws TenonError as {@link holdLease}
     */
    *holdCollection({ scope, entity, fencingToken, ...instance }: ScopeCollection): Work<CollectionIds> {
      const inst = yield* makeInstance(instance);
      yield* holdLease(inst, scope, fencingToken);
      return { inst, scope: yield* makeScope(inst, scope), entity };
    },

    /** The ids of a scope whose lease is then kept; undefined when nothing of it is stored. @throws TenonError as {@link holdLease} */
    *holdScope(instance: StoreInstance & Fenced, name: string): Work<ScopeIds | undefined> {
      const inst = yield* findInstance(instance);
      const scope = inst === undefined ? undefined : yield* findScope(inst, name);
      if (inst === undefined || scope === undefined) return undefined;
      yield* holdLease(inst, name, instance.fencingToken);
      return { inst, scope };
    },

    /** The state of every entity in every scope. */
    *states({ connector, instance, scope }: InstanceScope): Work<SyncState[]> {
      const rows = yield* rowsOf<StateRow>(
        sql`SELECT s.name AS scope, t.entity, t.run, t.checkpoint, t.newest, t.source, t.completed_at, t.full_at, t.problem, t.notes,
            coalesce(c.records, 0) AS records,
            (SELECT count(*) FROM store_markers m WHERE m.inst = t.inst AND m.scope = t.scope AND m.entity = t.entity AND m.hidden) AS hidden
          FROM store_instances i JOIN store_states t ON t.inst = i.id JOIN store_scopes s ON s.inst = t.inst AND s.id = t.scope
          LEFT JOIN store_counts c ON c.inst = t.inst AND c.entity = t.entity AND c.scope = t.scope
          WHERE i.connector = ${connector} AND i.name = ${instance} AND ${scope === undefined ? sql`TRUE` : sql`s.name = ${scope}`}
          ORDER BY s.name, t.entity`,
      );
      return rows.map(({ checkpoint, problem, notes, completed_at, full_at, ...rest }) => ({
        ...rest,
        checkpoint: checkpoint === null ? null : (JSON.parse(checkpoint) as Checkpoint),
        completedAt: completed_at,
        fullAt: full_at,
        problem: problem === null ? null : readProblem(problem),
        notes: JSON.parse(notes) as SyncNotes,
      }));
    },

    /**
     * Stops a sync run when a newer one has begun. That happens when the process of the older one was suspended for longer than its lease.
     *
     * @throws TenonError `sync_running`
     */
    *refuseOlderRun(ids: CollectionIds, { run }: Checkpoint): Work<void> {
      const stored = yield* rowOf<{ run: number }>(sql`SELECT run FROM store_states WHERE ${ofCollection(ids)}${lock.change}`);
      if ((stored?.run ?? 0) > run) throw takenOver();
    },

    /**
     * Stores how far a sync run has read. When a sync run with another spec has begun, the records come from both specs, so the digest of
     * the last complete sync run is removed.
     */
    *setCheckpoint({ inst, scope, entity }: CollectionIds, checkpoint: Checkpoint): Work<void> {
      yield* changesOf(
        sql`INSERT INTO store_states AS s (inst, scope, entity, run, checkpoint)
            VALUES (${inst}, ${scope}, ${entity}, ${checkpoint.run}, ${JSON.stringify(checkpoint)})
          ON CONFLICT (inst, scope, entity) DO UPDATE SET run = excluded.run, checkpoint = excluded.checkpoint,
            source = CASE WHEN s.source IS NOT DISTINCT FROM CAST(${checkpoint.source ?? null} AS text) THEN s.source END`,
      );
    },

    /** Notes that a sync run is complete. Its checkpoint is dropped. */
    *completeRun(ids: CollectionIds, checkpoint: Checkpoint, options: Pick<FinishOptions, "resumed">): Work<void> {
      const { run, full, newest, source, partitions } = checkpoint;
      // Single records were read, which says nothing of the others.
      if (partitions?.length === 0) {
        yield* changesOf(sql`UPDATE store_states SET checkpoint = NULL WHERE ${ofCollection(ids)}`);
        return;
      }
      const now = new Date().toISOString();
      const at = completionTime(checkpoint, options, now);
      yield* changesOf(
        sql`UPDATE store_states SET checkpoint = NULL, newest = coalesce(CAST(${newest ?? null} AS text), newest),
            source = CAST(${source ?? null} AS text), completed_at = ${at}, full_at = CASE WHEN ${full} THEN ${now} ELSE full_at END,
            problem = NULL WHERE ${ofCollection(ids)}`,
      );
      if (full) yield* changesOf(sql`DELETE FROM store_markers WHERE ${ofCollection(ids)} AND run <> ${run}`);
    },

    /**
     * Notes why a sync run is incomplete although it was read to its end. Records that it did not see have not been removed, so the next
     * sync run must read the children of all parents again.
     *
     * @param again whether the next sync run must read everything, because only such a one can see whether records are still missing
     */
    *abandonRun(ids: CollectionIds, problem: SyncProblem, again = false): Work<void> {
      yield* failRun(ids, problem);
      yield* changesOf(
        sql`UPDATE store_markers SET marker = '' WHERE ${ofCollection(ids)} AND run = (SELECT run FROM store_states WHERE ${ofCollection(ids)})`,
      );
      yield* changesOf(
        sql`UPDATE store_states SET checkpoint = NULL, full_at = CASE WHEN ${again} THEN NULL ELSE full_at END WHERE ${ofCollection(ids)}`,
      );
    },

    /** Whether a sync run over an entity was ever completed in a scope. */
    *isComplete(ids: CollectionIds): Work<boolean> {
      return (
        (yield* rowOf(sql`SELECT 1 FROM store_states WHERE ${ofCollection(ids)} AND completed_at IS NOT NULL`)) !== undefined
      );
    },

    /** Notes that a sync run now would find what the last complete one has found. */
    *confirmRun(ids: CollectionIds): Work<void> {
      const now = new Date().toISOString();
      yield* changesOf(
        sql`UPDATE store_states SET completed_at = ${now} WHERE ${ofCollection(ids)} AND completed_at IS NOT NULL`,
      );
    },

    /** Keeps notes of a sync beside those that it does not name. A note that is null is dropped. */
    *keepNotes(ids: CollectionIds, notes: object): Work<void> {
      const { inst, scope, entity } = ids;
      yield* changesOf(
        sql`INSERT INTO store_states (inst, scope, entity, run) VALUES (${inst}, ${scope}, ${entity}, 0) ON CONFLICT DO NOTHING`,
      );
      const stored = yield* rowOf<{ notes: string }>(
        sql`SELECT notes FROM store_states WHERE ${ofCollection(ids)}${lock.change}`,
      );
      const all = { ...(JSON.parse(stored?.notes ?? "{}") as object), ...notes };
      const kept = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
      yield* changesOf(sql`UPDATE store_states SET notes = ${JSON.stringify(kept)} WHERE ${ofCollection(ids)}`);
    },

    /**
     * Notes that the children of a parent were read to their end, and the value of the parent's `changed` field at that time; or that the
     * platform forbids to read them.
     */
    *setMarker(
      { inst, scope, entity }: CollectionIds,
      { step, run }: Checkpoint,
      { key, marker, hidden }: ParentDone,
    ): Work<void> {
      yield* changesOf(
        sql`INSERT INTO store_markers (inst, scope, entity, step, parent, marker, run, hidden)
          VALUES (${inst}, ${scope}, ${entity}, ${step}, ${key}, ${marker}, ${run}, ${hidden === true})
          ON CONFLICT (inst, scope, entity, step, parent)
            DO UPDATE SET marker = excluded.marker, run = excluded.run, hidden = excluded.hidden`,
      );
    },

    /** How many parents have a marker of a sync run. */
    *markedParents(ids: CollectionIds, { run }: Checkpoint): Work<number> {
      const found = yield* rowOf<{ count: number }>(
        sql`SELECT count(*) AS count FROM store_markers WHERE ${ofCollection(ids)} AND run = ${run} AND NOT hidden`,
      );
      return found?.count ?? 0;
    },

    /** Drops all markers of an entity's parents. */
    *dropMarkers(ids: CollectionIds): Work<void> {
      yield* changesOf(sql`DELETE FROM store_markers WHERE ${ofCollection(ids)}`);
    },

    /** Drops the markers of parents whose lists were not read in a sync run. */
    *dropMarkersOf(ids: CollectionIds, parents: readonly string[], run: number): Work<void> {
      if (parents.length > 0)
        yield* changesOf(
          sql`DELETE FROM store_markers WHERE ${ofCollection(ids)} AND ${oneOf("parent", parents)} AND run <> ${run}`,
        );
    },

    /** Drops the markers of records' children, so that they are read again if the record comes back. @param entities of the children */
    *dropChildMarkers(ids: ScopeIds, entities: readonly string[], keys: readonly string[]): Work<void> {
      if (entities.length > 0 && keys.length > 0)
        yield* changesOf(
          sql`DELETE FROM store_markers WHERE ${ofScope(ids)} AND ${oneOf("entity", entities)} AND ${oneOf("parent", keys)}`,
        );
    },

    /** Makes the states of a scope those of one that was never read. */
    *restartScope(ids: ScopeIds): Work<void> {
      yield* changesOf(
        sql`UPDATE store_states SET checkpoint = NULL, newest = NULL, source = NULL, completed_at = NULL, full_at = NULL
          WHERE ${ofScope(ids)}`,
      );
      yield* changesOf(sql`DELETE FROM store_markers WHERE ${ofScope(ids)}`);
    },

    /** Lets the next sync of every scope read an entity from the beginning. @param keep whether its records are kept until then */
    *readAgain({ connector, entity }: EntityId, keep: boolean): Work<void> {
      const of = sql`entity = ${entity} AND inst IN (SELECT id FROM store_instances WHERE connector = ${connector})`;
      yield* changesOf(sql`DELETE FROM store_markers WHERE ${of}`);
      yield* changesOf(sql`UPDATE store_states SET checkpoint = NULL, newest = NULL, full_at = NULL WHERE ${of}`);
      if (keep) return;
      yield* changesOf(sql`UPDATE store_states SET completed_at = NULL WHERE ${of}`);
      yield* changesOf(sql`DELETE FROM store_counts WHERE ${of}`);
      // The records have gone without an entry in the change log.
      const inst = sql`inst IN (SELECT id FROM store_instances WHERE connector = ${connector})`;
      yield* changesOf(sql`UPDATE store_change_heads SET first = next + 1, next = next + 1 WHERE ${inst}`);
      yield* changesOf(sql`DELETE FROM store_change_blocks WHERE ${inst}`);
    },

    /** Removes what is noted of a scope that has no records any longer. */
    *removeScope(ids: ScopeIds): Work<void> {
      const { inst, scope } = ids;
      yield* changesOf(sql`DELETE FROM store_states WHERE ${ofScope(ids)}`);
      yield* changesOf(sql`DELETE FROM store_counts WHERE ${ofScope(ids)}`);
      yield* changesOf(
        sql`DELETE FROM store_leases WHERE inst = ${inst} AND scope = (SELECT name FROM store_scopes WHERE inst = ${inst} AND id = ${scope})`,
      );
      yield* changesOf(sql`DELETE FROM store_scopes WHERE inst = ${inst} AND id = ${scope}`);
    },

    /** Adds to the counts of an entity's records: of those in a scope, and of all that its instance has. */
    *addCounts({ inst, scope, entity }: CollectionIds, by: { readonly scope: number; readonly all: number }): Work<void> {
      for (const [on, count] of [
        [scope, by.scope],
        [allScopes, by.all],
      ] as const)
        if (count !== 0)
          yield* changesOf(
            sql`INSERT INTO store_counts AS c (inst, entity, scope, records) VALUES (${inst}, ${entity}, ${on}, ${count})
              ON CONFLICT (inst, entity, scope) DO UPDATE SET records = c.records + excluded.records`,
          );
    },

    /** How many records an entity has in a scope. */
    *countedRecords(ids: CollectionIds): Work<number> {
      return (yield* rowOf<{ records: number }>(sql`SELECT records FROM store_counts WHERE ${ofCollection(ids)}`))?.records ?? 0;
    },
  };
}
