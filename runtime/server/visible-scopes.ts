import { type Grant, mayUseEntity } from "../accounts/index.ts";
import type { Connector } from "../contract/index.ts";
import { readScopes } from "../sync/index.ts";

/**
 * The scopes with an entity that the caller may use: the name of any other may be that of a repository that the caller does not know of.
 */
export function visibleScopes(connector: Connector, scopes: readonly string[], grant: Grant): readonly string[] {
  if (grant.entities === null) return scopes;
  const own = Object.entries(connector.entities).filter(([name]) => mayUseEntity(grant, name));
  const kinds = new Set(own.flatMap(([, { sync }]) => sync.map(({ scope }) => scope)));
  return scopes.filter((scope) => readScopes(connector, [scope]).some(({ kind }) => kinds.has(kind)));
}
