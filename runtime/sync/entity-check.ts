import { invalidRequest, shown } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import { aliasedIn, type Connector } from "../contract/index.ts";
import type { Scope } from "./scope.ts";

/**
 * Checks that entities of these names exist and that at least one of the scopes fills each of them.
 *
 * @throws TenonError `invalid_request` that names every wrong one and what is allowed
 */
export function checkEntities(connector: Connector, entities: readonly string[], scopes: readonly Scope[]): void {
  const faults = new Faults();
  for (const [index, name] of entities.entries()) {
    const at = ["entities", index];
    const entity = Object.hasOwn(connector.entities, name) ? connector.entities[name] : undefined;
    if (entity === undefined) {
      const message = `${connector.title} has no entity "${shown(name)}".`;
      const { entities } = connector;
      faults.unknown(at, "unknown_entity", message, name, Object.keys(entities), aliasedIn(name, entities));
      continue;
    }
    const kinds = [...new Set(entity.sync.map(({ scope }) => scope))];
    if (!kinds.some((kind) => scopes.some((scope) => scope.kind === kind)))
      faults.add(at, "no_scope", `None of the given scopes fills ${name}.`, kinds);
  }
  if (faults.any) throw invalidRequest(faults.list);
}
