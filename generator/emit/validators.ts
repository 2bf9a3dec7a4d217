import { valueSchema } from "../model/param.ts";
import { enumsOf, generatedActions } from "../model/parts.ts";
import type { ActionModel, EntityModel } from "../model/types.ts";
import { handlerName } from "../print/names.ts";
import { contractModule } from "./declarations.ts";
import { type EntityEmitter, generatedHeader } from "./emitter.ts";

/** `validators/<entity>.js`: one compiled check of parameters per action. */
export const validatorsEmitter: EntityEmitter = {
  entity: (entity, model) => {
    const enums = enumsOf(model);
    const contract = contractModule(model.library, 2);
    const schemas = generatedActions(entity).map((action) => ({
      $id: `${handlerName(action)}Params`,
      ...paramsSchema(action, (name) => enums.get(name)),
    }));
    return [
      {
        path: `validators/${entity.name}.js`,
        content: { of: "validators", header: generatedHeader(entity.file), contract, schemas },
      },
      { path: `validators/${entity.name}.d.ts`, text: declarations(entity, contract) },
    ];
  },
};

function paramsSchema(action: ActionModel, enumOf: Parameters<typeof valueSchema>[1]): Record<string, unknown> {
  return {
    type: "object",
    // The runtime checks `fields` itself, because it knows the names of the record and can suggest one.
    properties: { ...Object.fromEntries(action.params.map((param) => [param.name, valueSchema(param, enumOf)])), fields: true },
    required: action.params.filter((param) => param.required).map((param) => param.name),
    additionalProperties: false,
  };
}

function declarations(entity: EntityModel, contract: string): string {
  const lines = generatedActions(entity).map((action) => `export const ${handlerName(action)}Params: Validator;`);
  return `// ${generatedHeader(entity.file)}\nimport type { Validator } from "${contract}";\n${lines.join("\n")}\n`;
}
