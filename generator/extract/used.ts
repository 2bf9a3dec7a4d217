import { Kind, parse, type TypeNode } from "graphql";
import { overflowText, pathKeys, sentParam } from "../../runtime/contract/index.ts";
import { documentsOf } from "../model/documents.ts";
import { recordPlan } from "../model/record-plan.ts";
import type { ActionModel, ConnectorModel, TypeModel } from "../model/types.ts";

/** What a connector uses of its platform's GraphQL schema. */
export interface Used {
  /** Every document with every field. */
  readonly documents: readonly string[];
  /** Fields of input types that are sent in variables: `[type, path of field names]`. */
  readonly inputs: readonly (readonly [type: string, path: readonly string[]])[];
}

export function usedByModel(model: ConnectorModel): Used {
  const types = new Map<string, TypeModel>();
  for (const type of model.types) types.set(type.name, type);
  for (const entity of model.entities) for (const type of [entity.record, ...entity.types]) types.set(type.name, type);
  const documents: string[] = [];
  const inputs: (readonly [string, readonly string[]])[] = [];
  const actions = model.entities.flatMap((entity): readonly ActionModel[] =>
    entity.syncAction === undefined ? entity.actions : [...entity.actions, entity.syncAction],
  );
  for (const { overflow } of model.entities)
    if (overflow !== undefined) documents.push(overflowText(overflow, Object.keys(overflow.lists)));
  for (const { operation, returns } of actions) {
    if (operation.kind === "rest") continue;
    const plan = recordPlan(returns, (name) => types.get(name));
    documents.push(documentsOf(operation.document, plan).everything);
    if (operation.kind === "graphql-list" && operation.nested !== undefined)
      documents.push(documentsOf(operation.nested.rest, plan).everything);
    for (const [name, variable] of Object.entries(operation.computed ?? {}))
      if ("input" in variable)
        for (const sent of variable.input) inputs.push([variableType(operation.document, name), pathKeys(sentParam(sent).name)]);
  }
  return { documents, inputs };
}

/** The name of the type that a document declares for a variable. */
function variableType(document: string, name: string): string {
  const definitions = parse(document, { noLocation: true }).definitions;
  const nameOf = (type: TypeNode): string => (type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type));
  for (const one of definitions)
    if (one.kind === Kind.OPERATION_DEFINITION)
      for (const { variable, type } of one.variableDefinitions ?? []) if (variable.name.value === name) return nameOf(type);
  return "";
}
