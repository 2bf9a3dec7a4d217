import { type AccountStore, fullGrant, type Grant, hasRight, mayUseEntity } from "../accounts/index.ts";
import { asTenonError } from "../base/errors.ts";
import type { StopReason } from "../contract/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import type { SubscriptionContent } from "./content.ts";

/** Id of the caller who has the key of the settings. */
const operatorId = "operator";

/** Finds an instance for a grant. @throws TenonError where the grant does not see it, or it cannot be used */
export type FindInstance = (id: string, grant: Grant) => Promise<ConnectorInstance>;

/** What the owner of a subscription may read now, or why nothing is delivered: `wait` where that may end by itself. */
export type Allowed =
  | { readonly kind: "may"; readonly instance: ConnectorInstance; readonly entities: readonly string[] | null }
  | { readonly kind: "pause"; readonly reason: StopReason }
  | { readonly kind: "wait" };

/** Looks up what the owner of a subscription may read now. @throws TenonError when the accounts cannot be read */
export async function allowedNow(
  store: Pick<AccountStore, "caller">,
  find: FindInstance,
  { caller, instance: id }: { readonly caller: string; readonly instance: string },
  { entity }: SubscriptionContent,
): Promise<Allowed> {
  const grant = caller === operatorId ? fullGrant : await grantOf(store, caller);
  if (grant === undefined) return { kind: "pause", reason: "owner_revoked" };
  if (!hasRight(grant, "read") || entity?.some((one) => !mayUseEntity(grant, one)) === true)
    return { kind: "pause", reason: "owner_forbidden" };
  try {
    return { kind: "may", instance: await find(id, grant), entities: grant.entities };
  } catch (thrown) {
    return asTenonError(thrown).code === "unknown_connector" ? { kind: "pause", reason: "unknown_connector" } : { kind: "wait" };
  }
}

/** @returns undefined for a caller who is not admitted any longer */
async function grantOf(store: Pick<AccountStore, "caller">, id: string): Promise<Grant | undefined> {
  const caller = await store.caller(id);
  if (caller === undefined || caller.revokedAt !== null || (caller.expiresAt ?? Number.POSITIVE_INFINITY) <= Date.now())
    return undefined;
  return caller.grant;
}
