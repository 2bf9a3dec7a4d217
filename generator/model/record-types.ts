import { suggestion } from "../../runtime/base/suggestion.ts";
import { fieldType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { TypeSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { buildField } from "./field.ts";
import { fieldSpellings } from "./names.ts";
import type { FieldModel, TypeModel } from "./types.ts";

/** The types that a file declares. `home` is the entity whose module declares them; undefined for the connector's shared module. */
export function buildTypes(
  specs: Readonly<Record<string, TypeSpec>>,
  source: Source,
  home: string | undefined,
  context: BuildContext,
): TypeModel[] {
  return Object.entries(specs).map(([name, spec]) => {
    const at = (field: string, key?: string) => source.at(["types", name, "fields", field, ...(key === undefined ? [] : [key])]);
    for (const [field, own] of Object.entries(spec.fields))
      if ((own?.search ?? "none") !== "none")
        context.diagnostics.error(
          at(field, "search"),
          "SPEC016",
          `field "${field}" is inside an object, so cached search cannot find records by it`,
          "only fields of a record itself can be searched",
        );
    // Shared fields are for records: inside an object, `name` or `url` means something else.
    const specsOfFields = Object.entries(spec.fields).map(([field, own]) => [field, own ?? {}] as const);
    const type: TypeModel = {
      name,
      doc: spec.doc,
      ...(spec.on === undefined ? {} : { on: spec.on }),
      ...(spec.brief === undefined ? {} : { brief: spec.brief }),
      fields: buildFields(specsOfFields, spec.on, at, context),
      home,
    };
    for (const [index, path] of (spec.brief ?? []).entries()) {
      const [first = "", ...rest] = path.split(".");
      const field = type.fields.find((one) => one.name === first);
      const where = source.at(["types", name, "brief", index]);
      const names = type.fields.map((one) => one.name);
      if (field === undefined && !Object.hasOwn(spec.fields, first))
        context.diagnostics.error(
          where,
          "SPEC003",
          `the brief field "${path}" is not a field of ${name}`,
          suggestion(first, names),
          { lacks: [{ kind: "field", name: path }] },
        );
      else if (field !== undefined && rest.length > 0 && field.type.kind !== "type" && field.type.name !== "object")
        context.diagnostics.error(
          where,
          "SPEC016",
          `the brief field "${path}" names a member of "${first}", which has none`,
          undefined,
          { lacks: [fieldType(first)] },
        );
    }
    context.types.set(name, type);
    context.positions.set(name, at);
    return type;
  });
}

/** The fields of a record or type. `on` is the platform type that they are read from. */
export function buildFields(
  specs: readonly (readonly [name: string, spec: Parameters<typeof buildField>[1]])[],
  on: string | undefined,
  at: (field: string, key?: string) => SourcePosition,
  context: BuildContext,
): FieldModel[] {
  const places = new Map<string, number>();
  for (const [index, [name]] of specs.entries()) {
    const spellings = fieldSpellings(name);
    const [twin] = specs[Math.min(...spellings.map((one) => places.get(one) ?? index))] ?? [name];
    for (const one of spellings) if (!places.has(one)) places.set(one, index);
    if (twin !== name)
      context.diagnostics.error(
        at(name),
        "SPEC010",
        `fields "${twin}" and "${name}" are the same name to a request or to the store`,
      );
  }
  return specs.flatMap(([name, spec]) => buildField(name, spec, on, (key) => at(name, key), context.fields) ?? []);
}
