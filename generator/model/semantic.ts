import { suggestion } from "../../runtime/base/suggestion.ts";
import type { SemanticPlan } from "../../runtime/contract/index.ts";
import { type Diagnostics, fieldType } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { EntitySpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { isStored } from "./search.ts";
import { isOpen, type TypeModel } from "./types.ts";

/** How the records of an entity are searched by meaning. Undefined when no field is, or when something is wrong, which is reported. */
export function semanticPlan(
  { entity, fields: written = {}, hit, like }: EntitySpec,
  record: TypeModel,
  source: Source,
  { connector, diagnostics, positions }: BuildContext,
): SemanticPlan | undefined {
  const fields = record.fields.flatMap(({ name, semantic }) => (semantic === undefined ? [] : [[name, semantic] as const]));
  if (fields.length === 0) {
    // A field that cannot be used has a diagnostic of its own.
    const model = connector.entities.find(({ spec }) => spec.entity === like)?.spec;
    const all = like === undefined ? written : (model?.fields ?? {});
    // That of an entity whose record this one has too is reported there.
    if (
      hit !== undefined &&
      model?.hit === undefined &&
      Object.keys(all).every((name) => record.fields.some((field) => field.name === name))
    )
      diagnostics.error(
        source.at(["hit"]),
        "SPEC016",
        `no field of ${entity} is \`semantic\`, so \`hit\` has no effect`,
        undefined,
        {
          unused: { kind: "field", name: "hit" },
        },
      );
    return undefined;
  }
  // A field that is not text has a diagnostic of its own.
  for (const field of record.fields)
    if (field.semantic !== undefined && field.type.name === "string" && (field.search ?? { index: "exact" }).index === "exact")
      diagnostics.error(
        positions.get(record.name)?.(field.name) ?? source.at(["fields", field.name]),
        "SPEC016",
        `field "${field.name}" is not stored with its words, so it cannot be searched by meaning`,
        "write `search: text`, or `search: name` for short texts",
        { lacks: [fieldType(field.name)] },
      );
  if (like === undefined && hit === undefined) {
    const message = `${entity} is searched by meaning, so it needs \`hit\`: the members of a hit's \`entity\`, each with its field`;
    diagnostics.error(source.at(["entity"]), "SPEC016", message);
    return undefined;
  }
  const known = Object.entries(hit ?? {}).filter(([member, field]) => fits(member, field, entity, record, source, diagnostics));
  return { fields: Object.fromEntries(fields), hit: Object.fromEntries(known) };
}

/** Whether a member of a hit names a stored field with a single value; otherwise it is reported. */
function fits(
  member: string,
  name: string,
  entity: string,
  { fields }: TypeModel,
  source: Source,
  diagnostics: Diagnostics,
): boolean {
  const at = source.at(["hit", member]);
  const field = fields.find((one) => one.name === name);
  if (field === undefined) {
    const hint = suggestion(
      name,
      fields.map((one) => one.name),
    );
    diagnostics.error(at, "SPEC003", `${entity} has no field "${name}"`, hint, { lacks: [{ kind: "field", name }] });
  } else if (!isStored(field)) diagnostics.error(at, "SPEC018", `field "${name}" of ${entity} is not stored`);
  else if (field.type.list || field.type.kind === "type" || isOpen(field.type))
    diagnostics.error(at, "SPEC016", `field "${name}" is a list or an object, but the members of a hit are strings`, undefined, {
      lacks: [fieldType(name)],
    });
  else return true;
  return false;
}
