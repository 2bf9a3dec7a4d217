import type { Connector } from "../contract/index.ts";
import { spellingOf } from "../store/collection-sync.ts";

/** A scope of which a webhook has named something, and when the last one did (milliseconds since 1970). `kind=*` is all of a kind. */
export interface ToldScope {
  readonly scope: string;
  readonly at: number;
}

/** How a scope is kept up to date: by webhooks, so that it is synced rarely, or by its schedule alone, because they have stopped. */
export interface ScopeUpkeep extends ToldScope {
  readonly by: "webhooks" | "schedule";
}

/** Finds when a webhook last named something of a scope, however the platform spells it; undefined for never. */
export function lastTold(
  connector: Pick<Connector, "scopes">,
  told: readonly ToldScope[],
): (scope: string) => number | undefined {
  const last = new Map<string, number>();
  for (const { scope, at } of told) {
    const name = spellingOf(connector, scope);
    last.set(name, Math.max(at, last.get(name) ?? 0));
  }
  return (scope) => {
    const [kind = ""] = scope.split("=", 1);
    const times = [last.get(spellingOf(connector, scope)), last.get(`${kind}=*`)].filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.max(...times);
  };
}

/**
 * How scopes are kept up to date of which webhooks have come in; the others are on their schedule.
 *
 * @param since webhooks from this time on keep a scope up to date (milliseconds since 1970)
 */
export function upkeepOf(
  connector: Pick<Connector, "scopes">,
  scopes: Iterable<string>,
  { told, since }: { readonly told: readonly ToldScope[]; readonly since: number },
): ScopeUpkeep[] {
  const last = lastTold(connector, told);
  return [...scopes].flatMap((scope): ScopeUpkeep[] => {
    const at = last(scope);
    return at === undefined ? [] : [{ scope, at, by: at >= since ? "webhooks" : "schedule" }];
  });
}
