import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import type { ValidatorsContent } from "./content.ts";

/** The text of a module with one compiled check for each schema, without `eval` and without ajv itself. */
export function printValidators({ header, contract, schemas }: ValidatorsContent): string {
  const ajv = new Ajv({
    schemas: [...schemas],
    code: { source: true, esm: true, lines: true, optimize: 2 },
    allErrors: true,
    messages: false,
    useDefaults: true,
    strict: false,
    meta: false,
    validateSchema: false,
  });
  const exports = Object.fromEntries(schemas.map((schema) => [schema.$id, schema.$id]));
  return `// ${header}\n${asModule(standalone.default(ajv, exports), contract)}\n`;
}

/** ajv writes `require()` into ES modules for its helpers. The only helper that these schemas need gives the length in code points. */
function asModule(code: string, contract: string): string {
  const imported = code.replace(
    /const (\w+) = require\("ajv\/dist\/runtime\/ucs2length"\)\.default;/g,
    "const $1 = codePointLength;",
  );
  const body = oneLineEach(imported.replace('"use strict";', "").trim());
  if (body.includes("require(")) throw new Error("ajv's standalone code needs a helper that this module does not import");
  return imported === code ? body : `import { codePointLength } from "${contract}";\n${body}`;
}

/**
 * Puts each declaration on a line of its own: a reader checks the schema, and the compiled code below it follows from that. ajv breaks
 * lines between statements only, which all end with `;`, `{` or `}`.
 */
function oneLineEach(code: string): string {
  return code.replace(/\n+(?!export |const schema|const func|function )/g, "");
}
