import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { valueSchema } from "../model/param.ts";
import { enumsOf, generatedActions } from "../model/parts.ts";
import type { ActionModel, EntityModel } from "../model/types.ts";
import { handlerName } from "../print/names.ts";
import { contractModule } from "./declarations.ts";
import { type EntityEmitter, generatedHeader } from "./emitter.ts";

/** `validators/<entity>.js`: one compiled check of parameters per action, without `eval` and without ajv itself. */
export const validatorsEmitter: EntityEmitter = {
  entity: (entity, model) => {
    const enums = enumsOf(model);
    const contract = contractModule(model.library, 2);
    const schemas = generatedActions(entity).map((action) => ({
      $id: `${handlerName(action)}Params`,
      ...paramsSchema(action, (name) => enums.get(name)),
    }));
    const ajv = new Ajv({
      schemas,
      code: { source: true, esm: true, lines: true, optimize: 2 },
      allErrors: true,
      messages: false,
      useDefaults: true,
      strict: false,
      meta: false,
      validateSchema: false,
    });
    const exports = Object.fromEntries(schemas.map((schema) => [schema.$id, schema.$id]));
    const code = asModule(standalone.default(ajv, exports), contract);
    return [
      { path: `validators/${entity.name}.js`, text: `// ${generatedHeader(entity.file)}\n${code}\n` },
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

/** ajv writes `require()` into ES modules for its helpers. The only helper that these schemas need gives the length in code points. */
function asModule(code: string, contract: string): string {
  const imported = code.replace(
    /const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;/g,
    "const $1 = codePointLength;",
  );
  const body = oneLineEach(imported.replace('"use strict";', "").trim());
  if (body.includes("require(")) throw new Error("ajv's standalone code needs a helper that this emitter does not import");
  return imported === code ? body : `import { codePointLength } from "${contract}";\n${body}`;
}

/**
 * Puts each declaration on a line of its own: a reader checks the schema, and the compiled code below it follows from that. ajv breaks
 * lines between statements only, which all end with `;`, `{` or `}`.
 */
function oneLineEach(code: string): string {
  return code.replace(/\n+(?!export |const schema|const func|function )/g, "");
}

function declarations(entity: EntityModel, contract: string): string {
  const lines = generatedActions(entity).map((action) => `export const ${handlerName(action)}Params: Validator;`);
  return `// ${generatedHeader(entity.file)}\nimport type { Validator } from "${contract}";\n${lines.join("\n")}\n`;
}
