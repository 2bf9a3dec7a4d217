import { changesOf, type Dialect, join, rowOf, rowsOf, type Sql, sql, type Work } from "../../sql/index.ts";
import { type Hint, mostHints, type StoredHint, type ToldScopeOf, type VerifiedDelivery } from "../hint-store.ts";

/** Old deliveries that one change forgets, so that it does not take long. */
const mostForgotten = 1_000;

/** The condition for one hint. */
const ofHint = ({ instance, scope, entity, kind, key }: Hint): Sql =>
  sql`instance = ${instance} AND scope = ${scope} AND entity = ${entity} AND kind = ${kind} AND key = ${key}`;

/** What is read about hints. */
export const hintReads = {
  *dueHints(now: number, limit: number): Work<StoredHint[]> {
    return yield* rowsOf<StoredHint>(
      sql`SELECT instance, scope, entity, kind, key, params, version, at, tries FROM account_hints WHERE due_at <= ${now}
        ORDER BY due_at, instance, scope, entity, kind, key LIMIT ${limit}`,
    );
  },

  *knownDeliveries(instance: string, ids: readonly string[]): Work<string[]> {
    const given = join(
      ids.map((id) => sql`${id}`),
      ", ",
    );
    const found = sql`SELECT id FROM account_deliveries WHERE instance = ${instance} AND id IN (${given}) ORDER BY id`;
    return (yield* rowsOf<{ id: string }>(found)).map(({ id }) => id);
  },

  *toldScopes(instance: string | null, since: number): Work<ToldScopeOf[]> {
    const own = instance === null ? sql`TRUE` : sql`instance = ${instance}`;
    const found = sql`SELECT instance, scope, at FROM account_told WHERE ${own} AND at >= ${since} ORDER BY instance, scope`;
    return yield* rowsOf<ToldScopeOf>(found);
  },

  *waitingHints(): Work<{ instance: string; hints: number; oldest: number }[]> {
    return yield* rowsOf(
      sql`SELECT instance, count(*) AS hints, min(at) AS oldest FROM account_hints GROUP BY instance ORDER BY instance`,
    );
  },
};

/** What is changed about hints. */
export function hintChanges({ lock, oneOf }: Dialect) {
  function* isFull(instance: string): Work<boolean> {
    const found = yield* rowOf<{ count: number }>(
      sql`SELECT count(*) AS count FROM (SELECT 1 FROM account_hints WHERE instance = ${instance} LIMIT ${mostHints}) AS waiting`,
    );
    return (found?.count ?? 0) >= mostHints;
  }

  function* endHint(hint: StoredHint): Work<void> {
    yield* changesOf(sql`DELETE FROM account_hints WHERE ${ofHint(hint)} AND version = ${hint.version}`);
  }

  /** When the records are due that still have to be read of those to which something belongs, by their keys. @param hints of one scope */
  function* dueRecords(hints: readonly StoredHint[]): Work<Map<string, number>> {
    const [first] = hints;
    if (first === undefined) return new Map();
    const keys = oneOf(
      "key",
      hints.map(({ key }) => key),
    );
    const found = yield* rowsOf<{ key: string; due: number }>(
      sql`SELECT key, max(due_at) AS due FROM account_hints
        WHERE instance = ${first.instance} AND scope = ${first.scope} AND kind = 'key' AND ${keys} GROUP BY key`,
    );
    return new Map(found.map(({ key, due }) => [key, due]));
  }

  return {
    *addHints(deliveries: readonly VerifiedDelivery[], at: number, oldest: number): Work<boolean[]> {
      yield* changesOf(
        sql`DELETE FROM account_deliveries WHERE (instance, id) IN (SELECT instance, id FROM account_deliveries
          WHERE at < ${oldest} ORDER BY at LIMIT ${mostForgotten}${lock.free})`,
      );
      yield* changesOf(
        sql`DELETE FROM account_told WHERE (instance, scope) IN (SELECT instance, scope FROM account_told
          WHERE at < ${oldest} ORDER BY at LIMIT ${mostForgotten}${lock.free})`,
      );
      const added: boolean[] = [];
      for (const { instance, id } of deliveries)
        added.push(
          (yield* changesOf(
            sql`INSERT INTO account_deliveries (instance, id, at) VALUES (${instance}, ${id}, ${at}) ON CONFLICT DO NOTHING`,
          )) > 0,
        );
      const hints = new Map<string, Hint>();
      for (const hint of deliveries.flatMap((one, index) => (added[index] ? one.hints : []))) hints.set(nameOf(hint), hint);
      const told = new Map(
        [...hints.values()].map(({ instance, scope }) => [JSON.stringify([instance, scope]), { instance, scope }]),
      );
      for (const [, { instance, scope }] of [...told].sort(([a], [b]) => (a < b ? -1 : 1)))
        yield* changesOf(
          sql`INSERT INTO account_told (instance, scope, at) VALUES (${instance}, ${scope}, ${at})
            ON CONFLICT (instance, scope) DO UPDATE SET at = excluded.at`,
        );
      const full = new Set<string>();
      for (const instance of new Set([...hints.values()].map((hint) => hint.instance)))
        if (yield* isFull(instance)) full.add(instance);
      for (const hint of [...hints.values()].filter(({ instance }) => full.has(instance))) {
        hints.delete(nameOf(hint));
        const whole = { ...hint, entity: "", kind: "scope", key: "", params: "{}" } as const;
        hints.set(nameOf(whole), whole);
      }
      // Several processes that store the same hints take the rows in one order, so that none waits for the other.
      for (const [, { instance, scope, entity, kind, key, params }] of [...hints].sort(([a], [b]) => (a < b ? -1 : 1)))
        yield* changesOf(
          sql`INSERT INTO account_hints AS h (instance, scope, entity, kind, key, params, version, at, due_at, tries)
            VALUES (${instance}, ${scope}, ${entity}, ${kind}, ${key}, ${params}, 1, ${at}, ${at}, 0)
            ON CONFLICT (instance, scope, entity, kind, key) DO UPDATE SET params = excluded.params, version = h.version + 1`,
        );
      return added;
    },

    *endHints(hints: readonly StoredHint[]): Work<void> {
      for (const hint of hints) if (hint.kind !== "parent") yield* endHint(hint);
      const ofRecords = hints.filter(({ kind }) => kind === "parent");
      for (const same of Map.groupBy(ofRecords, ({ instance, scope }) => JSON.stringify([instance, scope])).values()) {
        const due = yield* dueRecords(same);
        for (const hint of same) {
          const at = due.get(hint.key);
          if (at === undefined) yield* endHint(hint);
          else yield* changesOf(sql`UPDATE account_hints SET due_at = ${at} WHERE ${ofHint(hint)}`);
        }
      }
    },

    *postponeHints(hints: readonly StoredHint[], due: number, failed: boolean): Work<void> {
      for (const hint of hints)
        yield* changesOf(sql`UPDATE account_hints SET due_at = ${due}, tries = tries + ${failed ? 1 : 0} WHERE ${ofHint(hint)}`);
    },
  };
}

function nameOf({ instance, scope, entity, kind, key }: Hint): string {
  return JSON.stringify([instance, scope, entity, kind, key]);
}
