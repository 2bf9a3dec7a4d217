import { type Grant, hasRight, mayUseEntity, type Right } from "../../accounts/index.ts";
import { shown, TenonError } from "../../base/errors.ts";
import { actionOf, sqlAction } from "../../contract/index.ts";
import type { ConnectorInstance } from "../../execute/index.ts";

/** @throws TenonError `forbidden` when the grant has none of the rights */
export function requireRight(grant: Grant, ...oneOf: readonly Right[]): void {
  if (oneOf.some((right) => hasRight(grant, right))) return;
  throw new TenonError("forbidden", `This token does not have the right ${oneOf.map((right) => `"${right}"`).join(" or ")}.`);
}

/**
 * Checks whether a grant allows a request of which nothing is known yet. Names that do not exist are left to the check of the request.
 *
 * @throws TenonError `forbidden`
 */
export function requireAction(grant: Grant, { connector }: ConnectorInstance, entity: unknown, action: unknown): void {
  requireRight(grant, actionOf(connector, entity, action)?.traits.writes === true ? "write" : "read");
  // A statement has the tables of the entities that the caller may use, whichever entity the request names.
  if (action === sqlAction) return;
  if (typeof entity === "string" && Object.hasOwn(connector.entities, entity) && !mayUseEntity(grant, entity))
    throw new TenonError("forbidden", `This token does not allow the entity "${shown(entity)}".`);
}
