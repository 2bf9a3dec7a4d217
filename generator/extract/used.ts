import { Kind, parse, type TypeNode } from "graphql";
import { overflowText, pathKeys, sentParam, storeAction } from "../../runtime/contract/index.ts";
import { documentsOf } from "../model/documents.ts";
import { calledAs, generatedActions, typesOf } from "../model/parts.ts";
import { recordPlan } from "../model/record-plan.ts";
import type { ConnectorModel } from "../model/types.ts";

/** What a connector uses of its platform's GraphQL schema. */
export interface Used {
  /** Every document with every field, and the action that sends it, as callers know it. */
  readonly documents: readonly { readonly action: string; readonly text: string }[];
  /** Fields of input types that are sent in variables: `[type, path of field names]`. */
  readonly inputs: readonly (readonly [type: string, path: readonly string[]])[];
}

export function usedByModel(model: ConnectorModel): Used {
  const types = typesOf(model);
  const documents: { action: string; text: string }[] = [];
  const inputs: (readonly [string, readonly string[]])[] = [];
  for (const entity of model.entities) {
    const { name: of, overflow } = entity;
    if (overflow !== undefined)
      documents.push({ action: `${of}.${storeAction}`, text: overflowText(overflow, Object.keys(overflow.lists)) });
    for (const one of generatedActions(entity)) {
      const { operation, returns } = one;
      if (operation.kind === "rest") continue;
      const action = calledAs(entity, one);
      const plan = recordPlan(returns, (name) => types.get(name));
      documents.push({ action, text: documentsOf(operation.document, plan).everything });
      if (operation.kind === "graphql-list" && operation.nested !== undefined)
        documents.push({ action, text: documentsOf(operation.nested.rest, plan).everything });
      for (const [name, variable] of Object.entries(operation.computed ?? {}))
        if ("input" in variable)
          for (const sent of variable.input)
            inputs.push([variableType(operation.document, name), pathKeys(sentParam(sent).name)]);
    }
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
