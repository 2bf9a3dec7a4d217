import type { Source } from "../load/source.ts";
import type { EnumSpec, TypeSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { entityConstant, entityNameProblem, paramsTypeName } from "./names.ts";

/**
 * Declares all enums and types of a connector before any is read, so that they may refer to each other in any order. Reports the
 * names that generated code or files cannot have.
 *
 * @param onByType Receives the platform type that each type reads.
 */
export function declareNames(context: BuildContext, onByType: Map<string, string | undefined>): void {
  const { connector, names, diagnostics, enums } = context;
  const declare = (
    source: Source,
    {
      enums: enumSpecs = {},
      types = {},
    }: { enums?: Readonly<Record<string, EnumSpec>>; types?: Readonly<Record<string, TypeSpec>> },
  ) => {
    for (const [name, { doc, values }] of Object.entries(enumSpecs)) {
      names.declare(name, "enum", source.at(["enums", name]), diagnostics);
      enums.set(name, { name, doc, values: Object.entries(values).map(([value, meaning]) => ({ value, doc: meaning })) });
    }
    for (const [name, { on }] of Object.entries(types)) {
      names.declare(name, "type", source.at(["types", name]), diagnostics);
      onByType.set(name, on);
    }
  };
  declare(connector.source, connector.spec);
  for (const { spec, source } of connector.entities) {
    declare(source, spec);
    if (spec.record === undefined) continue;
    names.declare(spec.record, "type", source.at(["record"]), diagnostics);
    names.use(spec.record);
    onByType.set(spec.record, spec.on);
  }
  checkEntityNames(context);
}

function checkEntityNames({ connector, names, diagnostics }: BuildContext): void {
  const constants = new Map<string, string>();
  for (const { spec, source } of connector.entities) {
    const wrong = (message: string) => diagnostics.error(source.at(["entity"]), "SPEC010", message);
    const problem = entityNameProblem(spec.entity, connector.spec.connector);
    if (problem !== undefined) wrong(problem);
    const constant = entityConstant(spec.entity);
    const twin = constants.get(constant);
    if (twin !== undefined) wrong(`entities "${spec.entity}" and "${twin}" would both be called "${constant}" in generated code`);
    constants.set(constant, spec.entity);
    for (const action of Object.keys(spec.actions)) {
      const type = paramsTypeName(spec.entity, action);
      const taken = names.positionOf(type);
      if (taken !== undefined)
        diagnostics.error(taken, "SPEC010", `"${type}" is the name that the parameters of ${spec.entity}.${action} have`);
    }
  }
}
