import { changesOf, type Dialect, rowOf, rowsOf, sql, type Work } from "../../sql/index.ts";
import type { CopiedMark, CopiedSchedule, CopiedState } from "../copied-records.ts";
import type { StoreInstance } from "../store.ts";

// What a copy of the records reads and writes of the progress of syncs. Texts are given as they are stored.

/** Where a walk through the marks of an instance is: behind this one. */
export type MarkPlace = Pick<CopiedMark, "scope" | "entity" | "step" | "parent">;

/** The place that a text names which {@link placeAfter} has made; the beginning without one. */
export function markPlace(from: string | undefined): MarkPlace {
  const [scope, entity, step, parent] = JSON.parse(from ?? '["", "", 0, ""]') as [string, string, number, string];
  return { scope, entity, step, parent };
}

/** Names the place behind the last of some marks; undefined where no more follow. @param limit how many were requested */
export function placeAfter(marks: readonly MarkPlace[], limit: number): string | undefined {
  const last = marks.at(-1);
  if (last === undefined || marks.length < limit) return undefined;
  return JSON.stringify([last.scope, last.entity, last.step, last.parent]);
}

interface MarkRow extends Omit<CopiedMark, "hidden"> {
  /** A number where the engine has no booleans. */
  readonly hidden: boolean | number;
}

/** The units of work of a copy, for an engine. @param makeScope gives the id of a scope */
export function copiedLedgerOf({ table }: Dialect, makeScope: (inst: number, name: string) => Work<number>) {
  return {
    *instances(): Work<StoreInstance[]> {
      return yield* rowsOf<StoreInstance>(sql`SELECT connector, name AS instance FROM store_instances ORDER BY connector, name`);
    },

    /** Marks behind a place, at most so many. */
    *marks(inst: number, { scope, entity, step, parent }: MarkPlace, limit: number): Work<CopiedMark[]> {
      const rows = yield* rowsOf<MarkRow>(
        sql`SELECT s.name AS scope, m.entity, m.step, m.parent, m.mark, m.pass, m.hidden
          FROM store_marks m JOIN store_scopes s ON s.inst = m.inst AND s.id = m.scope
          WHERE m.inst = ${inst} AND s.inst = ${inst} AND (s.name, m.entity, m.step, m.parent) > (${scope}, ${entity}, ${step}, ${parent})
          ORDER BY s.name, m.entity, m.step, m.parent LIMIT ${limit}`,
      );
      return rows.map((row) => ({ ...row, hidden: Boolean(row.hidden) }));
    },

    *saveMarks(inst: number, marks: readonly CopiedMark[]): Work<void> {
      const scopes = new Map<string, number>();
      for (const { scope } of marks) if (!scopes.has(scope)) scopes.set(scope, yield* makeScope(inst, scope));
      const text = (name: "entity" | "parent" | "mark") => ({ type: "text", values: marks.map((one) => one[name]) }) as const;
      const whole = (values: number[]) => ({ type: "bigint", values }) as const;
      const rows = table("r", {
        scope: whole(marks.map(({ scope }) => scopes.get(scope) ?? 0)),
        entity: text("entity"),
        step: whole(marks.map(({ step }) => step)),
        parent: text("parent"),
        mark: text("mark"),
        pass: whole(marks.map(({ pass }) => pass)),
        hidden: whole(marks.map(({ hidden }) => Number(hidden))),
      });
      yield* changesOf(
        sql`INSERT INTO store_marks (inst, scope, entity, step, parent, mark, pass, hidden)
          SELECT ${inst}, r.scope, r.entity, r.step, r.parent, r.mark, r.pass, r.hidden <> 0 FROM ${rows} WHERE TRUE
          ON CONFLICT (inst, scope, entity, step, parent)
            DO UPDATE SET mark = excluded.mark, pass = excluded.pass, hidden = excluded.hidden`,
      );
    },

    *copiedStates(inst: number): Work<CopiedState[]> {
      return yield* rowsOf<CopiedState>(
        sql`SELECT s.name AS scope, t.entity, t.pass, t.position, t.newest, t.source, t.completed_at AS "completedAt",
            t.full_at AS "fullAt", t.problem, t.notes
          FROM store_states t JOIN store_scopes s ON s.inst = t.inst AND s.id = t.scope
          WHERE t.inst = ${inst} AND s.inst = ${inst} ORDER BY s.name, t.entity`,
      );
    },

    *saveStates(inst: number, states: readonly CopiedState[]): Work<void> {
      for (const { scope, entity, pass, position, newest, source, completedAt, fullAt, problem, notes } of states)
        yield* changesOf(
          sql`INSERT INTO store_states (inst, scope, entity, pass, position, newest, source, completed_at, full_at, problem, notes)
            VALUES (${inst}, ${yield* makeScope(inst, scope)}, ${entity}, ${pass}, ${position}, ${newest}, ${source}, ${completedAt},
              ${fullAt}, ${problem}, ${notes})
            ON CONFLICT (inst, scope, entity) DO UPDATE SET pass = excluded.pass, position = excluded.position,
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
