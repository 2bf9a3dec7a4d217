import { actionConstant, entityConstant as constantOf, paramsTypeName } from "../model/names.ts";
import type { ActionModel, EntityModel, TypeModel } from "../model/types.ts";

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
