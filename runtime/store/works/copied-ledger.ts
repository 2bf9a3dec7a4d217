import { changesOf, type Dialect, rowOf, rowsOf, sql, type Work } from "../../sql/index.ts";
import type { CopiedMarker, CopiedSchedule, CopiedState } from "../copied-records.ts";
import type { StoreInstance } from "../store.ts";

// What a copy of the records reads and writes of the progress of syncs. Texts are given as they are stored.

/** What names a marker of an instance, in the order in which a copy reads them. */
export type MarkerKey = Pick<CopiedMarker, "scope" | "entity" | "step" | "parent">;

/** The marker behind which a copy goes on. @param from made by {@link markerCursor}; the copy begins without one */
export function markerKeyOf(from: string | undefined): MarkerKey {
  const [scope, entity, step, parent] = JSON.parse(from ?? '["", "", 0, ""]') as [string, string, number, string];
  return { scope, entity, step, parent };
}

/** The cursor behind the last of some markers; undefined where no more follow. @param limit how many were requested */
export function markerCursor(markers: readonly MarkerKey[], limit: number): string | undefined {
  const last = markers.at(-1);
  if (last === undefined || markers.length < limit) return undefined;
  return JSON.stringify([last.scope, last.entity, last.step, last.parent]);
}

interface MarkerRow extends Omit<CopiedMarker, "hidden"> {
  /** A number where the engine has no booleans. */
  readonly hidden: boolean | number;
}

/** What a copy needs of the other units of work. */
interface CopyTarget {
  /** Gives the id of a scope. */
  makeScope(inst: number, name: string): Work<number>;
  breakLog(inst: number): Work<void>;
}

/** The units of work of a copy, for an engine. */
export function copiedLedgerOf({ table }: Dialect, { makeScope, breakLog }: CopyTarget) {
  return {
    *instances(): Work<StoreInstance[]> {
      return yield* rowsOf<StoreInstance>(sql`SELECT connector, name AS instance FROM store_instances ORDER BY connector, name`);
    },

    /** Marks behind a place, at most so many. */
    *markers(inst: number, { scope, entity, step, parent }: MarkerKey, limit: number): Work<CopiedMarker[]> {
      const rows = yield* rowsOf<MarkerRow>(
        sql`SELECT s.name AS scope, m.entity, m.step, m.parent, m.marker, m.run, m.hidden
          FROM store_markers m JOIN store_scopes s ON s.inst = m.inst AND s.id = m.scope
          WHERE m.inst = ${inst} AND s.inst = ${inst} AND (s.name, m.entity, m.step, m.parent) > (${scope}, ${entity}, ${step}, ${parent})
          ORDER BY s.name, m.entity, m.step, m.parent LIMIT ${limit}`,
      );
      return rows.map((row) => ({ ...row, hidden: Boolean(row.hidden) }));
    },

    *saveMarkers(inst: number, markers: readonly CopiedMarker[]): Work<void> {
      const scopes = new Map<string, number>();
      for (const { scope } of markers) if (!scopes.has(scope)) scopes.set(scope, yield* makeScope(inst, scope));
      const text = (name: "entity" | "parent" | "marker") => ({ type: "text", values: markers.map((one) => one[name]) }) as const;
      const whole = (values: number[]) => ({ type: "bigint", values }) as const;
      const rows = table("r", {
        scope: whole(markers.map(({ scope }) => scopes.get(scope) ?? 0)),
        entity: text("entity"),
        step: whole(markers.map(({ step }) => step)),
        parent: text("parent"),
        marker: text("marker"),
        run: whole(markers.map(({ run }) => run)),
        hidden: whole(markers.map(({ hidden }) => Number(hidden))),
      });
      yield* changesOf(
        sql`INSERT INTO store_markers (inst, scope, entity, step, parent, marker, run, hidden)
          SELECT ${inst}, r.scope, r.entity, r.step, r.parent, r.marker, r.run, r.hidden <> 0 FROM ${rows} WHERE TRUE
          ON CONFLICT (inst, scope, entity, step, parent)
            DO UPDATE SET marker = excluded.marker, run = excluded.run, hidden = excluded.hidden`,
      );
    },

    *copiedStates(inst: number): Work<CopiedState[]> {
      return yield* rowsOf<CopiedState>(
        sql`SELECT s.name AS scope, t.entity, t.run, t.checkpoint, t.newest, t.source, t.completed_at AS "completedAt",
            t.full_at AS "fullAt", t.problem, t.notes
          FROM store_states t JOIN store_scopes s ON s.inst = t.inst AND s.id = t.scope
          WHERE t.inst = ${inst} AND s.inst = ${inst} ORDER BY s.name, t.entity`,
      );
    },

    *saveStates(inst: number, states: readonly CopiedState[]): Work<void> {
      // The change log is not copied.
      yield* breakLog(inst);
      for (const { scope, entity, run, checkpoint, newest, source, completedAt, fullAt, problem, notes } of states)
        yield* changesOf(
          sql`INSERT INTO store_states (inst, scope, entity, run, checkpoint, newest, source, completed_at, full_at, problem, notes)
            VALUES (${inst}, ${yield* makeScope(inst, scope)}, ${entity}, ${run}, ${checkpoint}, ${newest}, ${source}, ${completedAt},
              ${fullAt}, ${problem}, ${notes})
            ON CONFLICT (inst, scope, entity) DO UPDATE SET run = excluded.run, checkpoint = excluded.checkpoint,
              newest = excluded.newest, source = excluded.source, completed_at = excluded.completed_at, full_at = excluded.full_at,
              problem = excluded.problem, notes = excluded.notes`,
        );
    },

    *copiedSchedule(inst: number): Work<CopiedSchedule | null> {
      const find = sql`SELECT scopes, minutes, started_at AS "startedAt" FROM store_schedules WHERE inst = ${inst}`;
      return (yield* rowOf<CopiedSchedule>(find)) ?? null;
    },

    *saveSchedule(inst: number, { scopes, minutes, startedAt }: CopiedSchedule): Work<void> {
      yield* changesOf(
        sql`INSERT INTO store_schedules (inst, scopes, minutes, started_at) VALUES (${inst}, ${scopes}, ${minutes}, ${startedAt})
          ON CONFLICT (inst) DO UPDATE SET scopes = excluded.scopes, minutes = excluded.minutes, started_at = excluded.started_at`,
      );
    },
  };
}
