import type { Source } from "../load/source.ts";
import type { TypeSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { buildField } from "./field.ts";
import type { FieldModel, TypeModel } from "./types.ts";

export function buildTypes(
  specs: Readonly<Record<string, TypeSpec>>,
  source: Source,
  home: string | undefined,
  context: BuildContext,
): TypeModel[] {
  return Object.entries(specs).map(([name, spec]) => {
    const type: TypeModel = {
      name,
      doc: spec.doc,
      ...(spec.on === undefined ? {} : { on: spec.on }),
      fields: buildFields(spec, ["types", name, "fields"], source, context, false),
      home,
    };
    context.types.set(name, type);
    return type;
  });
}

export function buildFields(
  spec: Pick<TypeSpec, "on" | "fields">,
  path: readonly string[],
  source: Source,
  context: BuildContext,
  shared = true,
): FieldModel[] {
  return Object.entries(spec.fields).flatMap(([name, one]) => {
    // Objects inside records have their own meanings of `name` or `url`: only records take shared fields.
    if (!shared && (one?.search ?? "none") !== "none")
      context.diagnostics.error(
        source.at([...path, name, "search"]),
        "SPEC016",
        `field "${name}" is not at the top of a record, so cached search cannot find records by it`,
      );
    const merged = shared ? context.shared.field(name, one) : (one ?? {});
    const at = (key?: string) => source.at(key === undefined ? [...path, name] : [...path, name, key]);
    return buildField(name, merged, spec.on, at, context.fields) ?? [];
  });
}
