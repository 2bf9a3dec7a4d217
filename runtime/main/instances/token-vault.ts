import { randomBytes } from "node:crypto";
import { openTokens, sealTokens, type TokenStore } from "../../accounts/index.ts";
import { type KeptTokens, memoryVault, type TokenVault } from "../../platform/tokens.ts";
import type { Secured } from "../accounts.ts";

/** Where tokens are kept. */
export interface TokenStorage {
  readonly store: TokenStore;
  /** Absent where there is no secret key. */
  readonly secured?: Pick<Secured, "keys">;
}

/** Milliseconds for which a process may renew tokens; longer than a renewal may take. */
const leaseTime = 45_000;

/** Keeps the tokens of an instance with the callers, encrypted, for all processes; without a secret key, in this process alone. */
export function tokenVault({ store, secured }: TokenStorage, id: string): TokenVault {
  if (secured === undefined) return memoryVault();
  const { keys } = secured;
  const owner = randomBytes(12).toString("base64url");
  return {
    lease: async () => {
      const { leased, tokens } = await store.leaseTokens(id, owner, leaseTime);
      return { leased, kept: tokens === undefined ? undefined : openTokens<KeptTokens>(keys, id, tokens) };
    },
    save: (kept) => store.saveTokens(id, owner, kept === undefined ? null : sealTokens(keys, id, kept)),
  };
}
