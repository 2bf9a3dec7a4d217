import { changesOf, type Dialect, rowOf, rowsOf, sql, type Work } from "../../sql/index.ts";
import type { TokenLease } from "../token-store.ts";

interface TokenRow {
  readonly tokens: string | null;
}

function* storedTokens(instance: string): Work<string | undefined> {
  return (yield* rowOf<TokenRow>(sql`SELECT tokens FROM account_tokens WHERE instance = ${instance}`))?.tokens ?? undefined;
}

/** What is read about the tokens that platforms have given for the credentials of instances. */
export const tokenReads = {
  tokens: storedTokens,

  *tokenHolders(): Work<string[]> {
    const find = sql`SELECT instance FROM account_tokens WHERE tokens IS NOT NULL ORDER BY instance`;
    return (yield* rowsOf<{ instance: string }>(find)).map((row) => row.instance);
  },
};

/** What is changed about them. */
export function tokenChanges({ lock, now }: Dialect) {
  return {
    *leaseTokens(instance: string, owner: string, ms: number): Work<TokenLease> {
      // The lock makes a removal that is under way end first, or wait.
      const stored = yield* rowOf<{ removed_at: number | null }>(
        sql`SELECT removed_at FROM account_instances WHERE id = ${instance}${lock.keep}`,
      );
      const isRemoved = stored !== undefined && stored.removed_at !== null;
      const leased = isRemoved
        ? undefined
        : yield* rowOf<TokenRow>(
            sql`INSERT INTO account_tokens AS t (instance, owner, until) VALUES (${instance}, ${owner}, ${now()} + ${ms})
              ON CONFLICT (instance) DO UPDATE SET owner = excluded.owner, until = excluded.until
              WHERE t.owner IS NULL OR t.owner = excluded.owner OR t.until <= ${now()} RETURNING tokens`,
          );
      if (leased !== undefined) return { leased: true, tokens: leased.tokens ?? undefined };
      return { leased: false, tokens: yield* storedTokens(instance) };
    },

    *saveTokens(instance: string, owner: string, tokens: string | null): Work<boolean> {
      const save = sql`UPDATE account_tokens SET tokens = coalesce(CAST(${tokens} AS text), tokens), owner = NULL, until = 0
        WHERE instance = ${instance} AND owner = ${owner}`;
      return (yield* changesOf(save)) > 0;
    },
  };
}
