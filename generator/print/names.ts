import { actionConstant, entityConstant as constantOf, paramsTypeName, pascal } from "../model/names.ts";
import type { ActionModel, ConnectorModel, EntityModel, TypeModel } from "../model/types.ts";

// Names of generated code.

/** Constant with the plan of a type: `Actor` → `actorPlan`. */
export function planName(type: TypeModel): string {
  return `${type.name.charAt(0).toLowerCase()}${type.name.slice(1)}Plan`;
}

/** Interface with the parameters of an action: `issues.api_search` → `IssuesApiSearchParams`. */
export function paramsName(action: ActionModel): string {
  return paramsTypeName(action.entity, action.name);
}

/** Constant with the handler of an action: `api_search` → `apiSearch`. */
export function handlerName({ name }: Pick<ActionModel, "name">): string {
  return actionConstant(name);
}

/** Constant with an entity: `pr_comments` → `prComments`. */
export function entityConstant(entity: EntityModel): string {
  return constantOf(entity.name);
}

/** Constant with how the records of an entity are stored: `pr_comments` → `prCommentsStore`. */
export function storeName(entity: EntityModel): string {
  return `${entityConstant(entity)}Store`;
}

/** Property of a client with the methods of an entity: `pr_comments` → `prComments`. Unlike a constant, it may be any word. */
export function propertyName(entity: string): string {
  const name = pascal(entity);
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
}

/** Class of a connector's client: its title as one word (`GitHub`, `Jira Cloud` → `JiraCloud`), or its name where that cannot be one. */
export function clientName({ name, title }: ConnectorModel): string {
  const words = title.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
  return /^[A-Z]/.test(joined) ? joined : pascal(name.replaceAll("-", "_"));
}
