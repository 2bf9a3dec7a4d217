import { invalidRequest } from "../base/errors.ts";
import { nearest } from "../base/text.ts";
import type { Connector } from "../contract/index.ts";
import type { Scope } from "./scope.ts";

/**
 * Checks that entities of these names exist and that at least one of the scopes fills each of them.
 *
 * @throws TenonError `invalid_request` that names every wrong one and what is allowed
 */
export function checkEntities(connector: Connector, entities: readonly string[], scopes: readonly Scope[]): void {
  const allowed = Object.keys(connector.entities);
  const faults = entities.flatMap((name, index) => {
    const kinds = Object.hasOwn(connector.entities, name)
      ? (connector.entities[name]?.sync.map(({ scope }) => scope) ?? [])
      : undefined;
    if (kinds?.some((kind) => scopes.some((scope) => scope.kind === kind)) === true) return [];
    if (kinds !== undefined) {
      const message = `None of the given scopes fills ${name}.`;
      return [{ pointer: `/entities/${index}`, code: "no_scope", message, allowed: [...new Set(kinds)] }];
    }
    const suggestion = nearest(name, allowed);
    const message = `${connector.title} has no entity "${name.slice(0, 64)}".`;
    return [
      {
        pointer: `/entities/${index}`,
        code: "unknown_entity",
        message,
        allowed,
        ...(suggestion === undefined ? {} : { suggestion }),
      },
    ];
  });
  if (faults.length > 0) throw invalidRequest(faults);
}
