import { storeAction } from "../../runtime/contract/index.ts";
import type { ActionModel, ConnectorModel, EntityModel } from "./types.ts";

/** Every action that code is generated for: those of callers, and the one that reads for the cache only. */
export function generatedActions(entity: EntityModel): readonly ActionModel[] {
  return entity.syncAction === undefined ? entity.actions : [...entity.actions, entity.syncAction];
}

/** All types of a connector by name. */
export function typesOf(model: ConnectorModel): ReadonlyMap<string, EntityModel["record"]> {
  const all = [...model.types, ...model.entities.flatMap((entity) => [...entity.types, ...entity.ownRecord])];
  return new Map(all.map((type) => [type.name, type]));
}

export function enumsOf(model: ConnectorModel): ReadonlyMap<string, ConnectorModel["enums"][number]> {
  return new Map([...model.enums, ...model.entities.flatMap((entity) => entity.enums)].map((one) => [one.name, one]));
}

/** The name of an action to callers, who know what fills the cache as the search in it. */
export function calledAs(entity: EntityModel, action: ActionModel): string {
  return `${entity.name}.${action === entity.syncAction ? storeAction : action.name}`;
}
