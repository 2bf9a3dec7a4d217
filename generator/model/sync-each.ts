import { alike } from "./param-field.ts";
import { comparable, searchValueFits } from "./search.ts";
import { oneOf, type SyncEntry, storedField } from "./sync-entry.ts";
import type { EntityModel, FieldModel } from "./types.ts";

/** Every field that `each` names is one of the stored records, and every value one that the field may have. */
export function checkEach(entry: SyncEntry): void {
  const { each } = entry.spec;
  const other = otherEntity(entry);
  if (each === undefined || other === undefined) return;
  const fieldAt = (name: string, ...path: string[]) => storedField(other, name, ["each", ...path], entry);
  for (const [name, from] of Object.entries(each.params)) {
    const param = entry.action.params.find((one) => one.name === name);
    const field = fieldAt(from, "params", name);
    if (param !== undefined && field !== undefined && !alike(field.type, param.type))
      entry.error(["each", "params", name], "SPEC016", `parameter "${name}" and field "${from}" are of different types`);
  }
  for (const kind of ["where", "unless"] as const)
    for (const [name, value] of Object.entries(each[kind] ?? {}))
      checkValue(fieldAt(name, kind, name), value, ["each", kind, name], entry);
  for (const name of Object.keys(each.atMost ?? {})) {
    const field = fieldAt(name, "atMost", name);
    if (field !== undefined && !is(field, ["integer", "number"], entry))
      entry.error(["each", "atMost", name], "SPEC016", `field "${name}" is no number`);
  }
  if (each.paths !== undefined) {
    const field = fieldAt(each.paths.field, "paths", "field");
    if (field !== undefined && !is(field, ["string"], entry))
      entry.error(["each", "paths", "field"], "SPEC016", `field "${field.name}" is no text`);
  }
  const changed = each.changed === undefined ? undefined : fieldAt(each.changed, "changed");
  if (changed !== undefined && comparable(changed.type, enumsOf(entry)) === undefined)
    entry.error(["each", "changed"], "SPEC016", `field "${changed.name}" is a list or an object, which cannot be compared`);
}

/** Entities that are written but wrong have their own diagnostics. */
function otherEntity({ spec, error, entities, context }: SyncEntry): EntityModel | undefined {
  if (spec.each === undefined) return undefined;
  const { entity: name } = spec.each;
  const written = context.connector.entities.find((one) => one.spec.entity === name);
  if (written === undefined) {
    const names = context.connector.entities.map((one) => one.spec.entity);
    if (context.connector.complete) error(["each", "entity"], "SPEC003", `unknown entity "${name}"`, oneOf(name, names));
  } else if (!written.spec.sync?.some((one) => one.scope === spec.scope))
    error(["each", "entity"], "SPEC019", `"${name}" has no sync in the scope "${spec.scope}", so there is nothing to go by`);
  return entities.find((one) => one.name === name);
}

function checkValue(field: FieldModel | undefined, value: unknown, path: readonly string[], entry: SyncEntry): void {
  if (field === undefined) return;
  const known = comparable(field.type, enumsOf(entry));
  if (known === undefined || !searchValueFits(known, value))
    entry.error(path, "SPEC016", `field "${field.name}" is never ${JSON.stringify(value)}`);
}

function is(field: FieldModel, types: readonly string[], entry: SyncEntry): boolean {
  const type = comparable(field.type, enumsOf(entry))?.type;
  return type !== undefined && types.includes(type);
}

const enumsOf = (entry: SyncEntry) => (name: string) => entry.context.enums.get(name);
