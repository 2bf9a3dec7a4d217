import { parse, print } from "graphql";
import { documentText } from "../../runtime/contract/index.ts";
import { recordPlan } from "../model/record-plan.ts";
import { type EntityEmitter, generatedActions, generatedHeader, typesOf } from "./emitter.ts";

/** `documents/<entity>.<action>.graphql`: the document that is sent when no `fields` are given, for people to read and review. */
export const documentsEmitter: EntityEmitter = {
  entity: (entity, model) => {
    const types = typesOf(model);
    return generatedActions(entity).flatMap((action) => {
      const { operation } = action;
      if (operation.kind === "rest") return [];
      const plan = recordPlan(action.returns, (name) => types.get(name));
      const texts = [
        ["", operation.document],
        ...(operation.kind === "graphql-list" && operation.nested ? [[".rest", operation.nested.rest]] : []),
      ];
      return texts.map(([suffix = "", text = ""]) => ({
        path: `documents/${entity.name}.${action.name}${suffix}.graphql`,
        text: `# ${generatedHeader(entity.file)}\n\n${print(parse(documentText(text, plan, null)))}\n`,
      }));
    });
  },
};
