import { type Database, sql } from "../../postgres/index.ts";
import type { TokenStore } from "../token-store.ts";
import { storable } from "./storable.ts";

/** Milliseconds since 1970 by the clock of the server, because those of several machines differ. */
const now = sql`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

interface TokenRow {
  readonly tokens: string | null;
}

/** What platforms have given for the credentials of instances. */
export function tokenQueries(ready: () => Promise<Database>): TokenStore {
  return {
    tokens: async (instance) => {
      const find = sql`SELECT tokens FROM account_tokens WHERE instance = ${storable(instance)}`;
      return (await (await ready()).query<TokenRow>(find))[0]?.tokens ?? undefined;
    },
    tokenHolders: async () => {
      const find = sql`SELECT instance FROM account_tokens WHERE tokens IS NOT NULL ORDER BY instance`;
      return (await (await ready()).query<{ instance: string }>(find)).map((row) => row.instance);
    },
    leaseTokens: async (instance, owner, ms) =>
      (await ready()).transaction(async (queries) => {
        const id = storable(instance);
        // The lock makes a removal that is under way end first, or wait.
        const find = sql`SELECT removed_at FROM account_instances WHERE id = ${id} FOR SHARE`;
        const [stored] = await queries.query<{ removed_at: number | null }>(find);
        const isRemoved = stored !== undefined && stored.removed_at !== null;
        const [leased] = isRemoved
          ? []
          : await queries.query<TokenRow>(
              sql`INSERT INTO account_tokens AS t (instance, owner, until) VALUES (${id}, ${owner}, ${now} + ${ms}::bigint)
                ON CONFLICT (instance) DO UPDATE SET owner = excluded.owner, until = excluded.until
                WHERE t.owner IS NULL OR t.owner = excluded.owner OR t.until <= ${now} RETURNING tokens`,
            );
        if (leased !== undefined) return { leased: true, tokens: leased.tokens ?? undefined };
        const [held] = await queries.query<TokenRow>(sql`SELECT tokens FROM account_tokens WHERE instance = ${id}`);
        return { leased: false, tokens: held?.tokens ?? undefined };
      }),
    saveTokens: async (instance, owner, tokens) => {
      const save = sql`UPDATE account_tokens SET tokens = coalesce(${tokens}, tokens), owner = NULL, until = 0
        WHERE instance = ${storable(instance)} AND owner = ${owner}`;
      return (await (await ready()).run(save)) > 0;
    },
  };
}
