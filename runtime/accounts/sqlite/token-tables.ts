import type { TokenLease } from "../token-store.ts";
import type { Change, Connection } from "./connection.ts";

interface TokenRow {
  readonly tokens: string | null;
  readonly owner: string | null;
  readonly until: number;
}

/** What is read about tokens. */
export function tokenReads(db: Connection) {
  const one = db.prepare<[string], TokenRow>("SELECT tokens, owner, until FROM tokens WHERE instance = ?");
  const all = db.prepare<[], { instance: string }>("SELECT instance FROM tokens WHERE tokens IS NOT NULL ORDER BY instance");
  return {
    tokens: (instance: string) => one.get(instance)?.tokens ?? undefined,
    tokenHolders: () => all.all().map(({ instance }) => instance),
  };
}

/** What is changed about tokens. */
export function tokenWrites(change: Change) {
  return {
    leaseTokens: (instance: string, owner: string, ms: number): TokenLease =>
      change((db) => {
        const row = db.prepare<[string], TokenRow>("SELECT tokens, owner, until FROM tokens WHERE instance = ?").get(instance);
        const removed = db.prepare<[string]>("SELECT 1 FROM instances WHERE id = ? AND removed_at IS NOT NULL").get(instance);
        const now = Date.now();
        const isFree = row === undefined || row.owner === null || row.owner === owner || row.until <= now;
        const leased = isFree && removed === undefined;
        if (leased)
          db.prepare(
            `INSERT INTO tokens (instance, owner, until) VALUES (?, ?, ?)
               ON CONFLICT (instance) DO UPDATE SET owner = excluded.owner, until = excluded.until`,
          ).run(instance, owner, now + ms);
        return { leased, tokens: row?.tokens ?? undefined };
      }),
    saveTokens: (instance: string, owner: string, tokens: string | null): boolean =>
      change(
        (db) =>
          db
            .prepare("UPDATE tokens SET tokens = coalesce(?, tokens), owner = NULL, until = 0 WHERE instance = ? AND owner = ?")
            .run(tokens, instance, owner).changes > 0,
      ),
  };
}
