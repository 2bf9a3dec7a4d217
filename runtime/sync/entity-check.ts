import { invalidRequest, shown } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import type { Connector } from "../contract/index.ts";
import type { Scope } from "./scope.ts";

/**
 * Checks that entities of these names exist and that at least one of the scopes fills each of them.
 *
 * @throws TenonError `invalid_request` that names every wrong one and what is allowed
 */
export function checkEntities(connector: Connector, entities: readonly string[], scopes: readonly Scope[]): void {
  const allowed = Object.keys(connector.entities);
  const faults = new Faults();
  for (const [index, name] of entities.entries()) {
    const at = ["entities", index];
    const entity = Object.hasOwn(connector.entities, name) ? connector.entities[name] : undefined;
    if (entity === undefined)
      faults.unknown(at, "unknown_entity", `${connector.title} has no entity "${shown(name)}".`, name, allowed);
    else if (!entity.sync.some(({ scope: kind }) => scopes.some((scope) => scope.kind === kind)))
      faults.add(at, "no_scope", `None of the given scopes fills ${name}.`, [...new Set(entity.sync.map(({ scope }) => scope))]);
  }
  if (faults.any) throw invalidRequest(faults.list);
}
