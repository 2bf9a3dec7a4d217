import { parse, print } from "graphql";
import { batchText, documentText, overflowText } from "../../runtime/contract/index.ts";
import { generatedActions, typesOf } from "../model/parts.ts";
import { recordPlan } from "../model/record-plan.ts";
import type { ActionModel, EntityModel } from "../model/types.ts";
import { type EntityEmitter, generatedHeader } from "./emitter.ts";

/** Parents in a batched document that is shown. */
const shownParents = 2;

/**
 * `documents/<entity>.<action>.graphql`: the document that is sent when no `fields` are given, for people to read and review. The document
 * of a batch is shown with two parents, and the one that reads on lists inside records with each of these lists once.
 */
export const documentsEmitter: EntityEmitter = {
  entity: (entity, model) => {
    const types = typesOf(model);
    const file = (name: string, text: string) => ({
      path: `documents/${entity.name}.${name}.graphql`,
      text: `# ${generatedHeader(entity.file)}\n\n${print(parse(text))}\n`,
    });
    const overflow = entity.overflow && [
      file("sync.overflow", overflowText(entity.overflow, Object.keys(entity.overflow.lists))),
    ];
    const documents = generatedActions(entity).flatMap((action) => {
      const { operation } = action;
      if (operation.kind === "rest") return [];
      const plan = recordPlan(action.returns, (name) => types.get(name));
      const texts = [
        ["", operation.document],
        ...(operation.kind === "graphql-list" && operation.nested ? [[".rest", operation.nested.rest]] : []),
        ...batchTexts(entity, action),
      ];
      return texts.map(([suffix = "", text = ""]) => file(`${action.name}${suffix}`, documentText(text, plan, null)));
    });
    return [...documents, ...(overflow ?? [])];
  },
};

function batchTexts({ sync }: EntityModel, action: ActionModel): (readonly [suffix: string, text: string])[] {
  const batch = sync.flatMap((one) => [
    ...(one.action === action.name && one.each?.batch !== undefined ? [one.each.batch] : []),
    ...(one.verification?.action === action.name ? [one.verification.batch] : []),
  ])[0];
  if (batch === undefined) return [];
  return [
    [".batch", batchText(batch.document, shownParents)],
    ...(batch.rest === undefined ? [] : [[".batch.rest", batchText(batch.rest, shownParents)] as const]),
  ];
}
