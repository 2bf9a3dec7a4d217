import { rights, type StoredCaller } from "../accounts/index.ts";
import { type ShownTime, timeOf } from "./words.ts";

/** Keys and clients as their page shows them. A value that may be absent is a list of at most one element. */
export interface KeysView {
  readonly keys: readonly KeyView[];
  readonly none: readonly string[];
  /** How many are not shown, because there are too many. */
  readonly more: readonly number[];
  readonly rights: readonly { readonly name: string; readonly chosen: boolean }[];
}

interface KeyView {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly state: string;
  readonly rights: string;
  readonly scope: string;
  readonly expires: readonly ShownTime[];
  readonly used: readonly ShownTime[];
  readonly callsHref: string;
  /** Whether it can be rotated and revoked. */
  readonly active: boolean;
}

/** Keys and clients that the page shows. */
const mostKeys = 200;

/** @param callers the newest first @param given what the form for a new key had */
export function keysView(callers: readonly StoredCaller[], given: Readonly<Record<string, string>>): KeysView {
  const now = Date.now();
  const isFresh = Object.keys(given).length === 0;
  const active = (one: StoredCaller) => one.revokedAt === null && (one.expiresAt === null || one.expiresAt > now);
  const sorted = callers.toSorted((one, other) => Number(active(other)) - Number(active(one)));
  return {
    keys: sorted.slice(0, mostKeys).map((one) => {
      const { id, kind, name, grant, expiresAt, revokedAt, lastUsedAt } = one;
      const parts = [
        grant.instances,
        grant.workspaces,
        grant.organization === null ? null : [grant.organization],
        grant.entities,
      ];
      return {
        id,
        kind,
        name,
        state: revokedAt !== null ? "revoked" : active(one) ? "active" : "expired",
        rights: grant.rights.join(", "),
        scope: parts.flatMap((list) => (list === null ? [] : [list.join(", ")])).join("; "),
        expires: timeOf(expiresAt, now),
        used: timeOf(lastUsedAt, now),
        callsHref: `/admin/calls?${new URLSearchParams({ caller: id })}`,
        active: revokedAt === null,
      };
    }),
    none: callers.length === 0 ? ["There are none yet, apart from the key of the settings."] : [],
    more: callers.length > mostKeys ? [callers.length - mostKeys] : [],
    rights: rights.map((name) => ({ name, chosen: isFresh ? name === "read" : given[`right.${name}`] === "on" })),
  };
}
