import { typesOf } from "../model/parts.ts";
import { Module } from "../print/module.ts";
import { contractModule, type DeclarationContext, enumDeclaration, planDeclaration, typeDeclaration } from "./declarations.ts";
import { type ConnectorEmitter, generatedHeader } from "./emitter.ts";

/** `shared.ts`: enums and types that several entities use. */
export const sharedEmitter: ConnectorEmitter = {
  connector: (model) => {
    if (model.enums.length === 0 && model.types.length === 0) return [];
    const module = new Module();
    const types = typesOf(model);
    const scope: DeclarationContext = {
      module,
      contract: contractModule(model.library),
      importOf: () => undefined,
      typeOf: (name) => types.get(name),
    };
    for (const one of model.enums) module.add(enumDeclaration(one));
    for (const type of model.types) module.add(typeDeclaration(type, scope));
    for (const type of model.types) module.add(planDeclaration(type, scope));
    return [{ path: "shared.ts", content: module.content(generatedHeader(model.file)) }];
  },
};
