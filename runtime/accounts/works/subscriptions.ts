import { changesOf, type Dialect, raw, rowOf, rowsOf, type Sql, sql, type Work } from "../../sql/index.ts";
import type {
  DueSubscription,
  ListedSubscription,
  NewSubscription,
  StoredSubscription,
  SubscriptionChange,
  TurnEnd,
} from "../subscription-store.ts";

const columns = raw(
  `id, caller, instance, content, secrets, state, reason, log, position, replay_from AS "replayFrom", replay_to AS "replayTo",
    created_at AS "createdAt", expires_at AS "expiresAt", failures, failing_since AS "failingSince", due_at AS "dueAt",
    last_at AS "lastAt", last_outcome AS "lastOutcome", version, token`,
);
const all = sql`SELECT ${columns} FROM account_subscriptions`;

/** What is read about subscriptions. */
export function subscriptionReads({ now, oneOf }: Dialect) {
  const isThere = () => sql`(expires_at IS NULL OR expires_at > ${now()})`;
  return {
    *subscription(id: string): Work<StoredSubscription | undefined> {
      return yield* rowOf<StoredSubscription>(sql`${all} WHERE id = ${id} AND ${isThere()}`);
    },

    *listedSubscriptions(caller: string | null, limit: number): Work<ListedSubscription[]> {
      const whose = caller === null ? sql`TRUE` : sql`caller = ${caller}`;
      return yield* rowsOf<ListedSubscription>(
        sql`SELECT id, instance, state, position, failures FROM account_subscriptions WHERE ${whose} AND ${isThere()}
          ORDER BY created_at, id LIMIT ${limit}`,
      );
    },

    *subscriptions(ids: readonly string[]): Work<StoredSubscription[]> {
      return yield* rowsOf<StoredSubscription>(sql`${all} WHERE ${oneOf("id", ids)} AND ${isThere()} ORDER BY created_at, id`);
    },

    *dueSubscriptions(limit: number): Work<DueSubscription[]> {
      return yield* rowsOf<DueSubscription>(
        sql`SELECT id, caller, instance, log, position, replay_from AS "replayFrom", failures FROM account_subscriptions
          WHERE state = 'active' AND due_at <= ${now()} AND until <= ${now()} AND ${isThere()} ORDER BY due_at, id LIMIT ${limit}`,
      );
    },
  };
}

/** What is changed about subscriptions. */
export function subscriptionChanges({ inTurn, lock, now, oneOf }: Dialect) {
  return {
    *addSubscription(given: NewSubscription, most: number): Work<boolean> {
      const { id, caller, instance, content, secrets, log, position, createdAt, expiresAt } = given;
      // One process at a time adds subscriptions, so that none is counted too late.
      yield* rowsOf(inTurn("account_subscriptions"));
      yield* changesOf(sql`DELETE FROM account_subscriptions WHERE expires_at <= ${now()}`);
      const counted = yield* rowOf<{ count: number }>(
        sql`SELECT count(*) AS count FROM account_subscriptions WHERE caller = ${caller}`,
      );
      if (Number(counted?.count) >= most) return false;
      yield* changesOf(
        sql`INSERT INTO account_subscriptions (id, caller, instance, content, secrets, state, log, position, created_at, expires_at,
            failures, due_at, version, token, until)
          VALUES (${id}, ${caller}, ${instance}, ${content}, ${secrets}, 'active', ${log}, ${position}, ${createdAt}, ${expiresAt},
            0, 0, 1, 0, 0)`,
      );
      return true;
    },

    *changeSubscription(id: string, given: SubscriptionChange, ifVersion?: number): Work<boolean> {
      const stored = yield* rowOf<StoredSubscription>(sql`${all} WHERE id = ${id}${lock.change}`);
      if (stored === undefined || (ifVersion !== undefined && stored.version !== ifVersion)) return false;
      const { content, secrets, expiresAt, dueAt, ...rest } = { ...stored, ...given };
      yield* changesOf(
        sql`UPDATE account_subscriptions SET content = ${content}, secrets = ${secrets}, expires_at = ${expiresAt}, due_at = ${dueAt},
          version = version + 1, ${progress(rest)} WHERE id = ${id}`,
      );
      return true;
    },

    *removeSubscription(id: string): Work<boolean> {
      return (yield* changesOf(sql`DELETE FROM account_subscriptions WHERE id = ${id}`)) > 0;
    },

    *beginTurns(ids: readonly string[], ms: number): Work<StoredSubscription[]> {
      const free = sql`SELECT id FROM account_subscriptions WHERE ${oneOf("id", ids)} AND state = 'active' AND due_at <= ${now()}
        AND until <= ${now()} AND (expires_at IS NULL OR expires_at > ${now()}) ORDER BY id${lock.free}`;
      return yield* rowsOf<StoredSubscription>(
        sql`UPDATE account_subscriptions SET token = token + 1, until = ${now()} + ${ms} WHERE id IN (${free}) RETURNING ${columns}`,
      );
    },

    *endTurns(ends: readonly TurnEnd[]): Work<boolean[]> {
      const counted = new Map<string, boolean>();
      // Several processes take the rows in one order, so that none waits for the other.
      for (const end of [...ends].sort((a, b) => (a.id < b.id ? -1 : 1))) {
        const own = sql`id = ${end.id} AND token = ${end.token}`;
        const isGood = yield* changesOf(
          sql`UPDATE account_subscriptions SET ${progress(end)}, last_at = ${end.lastAt}, last_outcome = ${end.lastOutcome},
            due_at = ${now()} + ${end.wait}, until = 0 WHERE ${own} AND version = ${end.version}`,
        );
        if (isGood === 0) yield* changesOf(sql`UPDATE account_subscriptions SET until = 0 WHERE ${own}`);
        counted.set(end.id, isGood > 0);
      }
      return ends.map(({ id }) => counted.get(id) === true);
    },
  };
}

/** The columns that turns and owners set. */
function progress(
  given: Pick<
    StoredSubscription,
    "state" | "reason" | "log" | "position" | "replayFrom" | "replayTo" | "failures" | "failingSince"
  >,
): Sql {
  return sql`state = ${given.state}, reason = ${given.reason}, log = ${given.log}, position = ${given.position},
    replay_from = ${given.replayFrom}, replay_to = ${given.replayTo}, failures = ${given.failures}, failing_since = ${given.failingSince}`;
}
