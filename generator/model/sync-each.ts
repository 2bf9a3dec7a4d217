import { suggestion } from "../../runtime/base/suggestion.ts";
import { fieldType, paramType } from "../diagnostic/diagnostic.ts";
import { sameValues } from "./param-field.ts";
import { comparedAs, searchValueFits, valueHint } from "./search.ts";
import { type SyncEntry, storedField } from "./sync-entry.ts";
import type { EntityModel, FieldModel } from "./types.ts";

/** Checks that every field that `each` names is stored, and that every value is one that its field may have. */
export function checkEach(entry: SyncEntry): void {
  const { each } = entry.spec;
  const other = otherEntity(entry);
  if (each === undefined || other === undefined) return;
  const fieldAt = (name: string, ...path: string[]) => storedField(other, name, ["each", ...path], entry);
  for (const [name, from] of Object.entries(each.params)) {
    const param = entry.action.params.find((one) => one.name === name);
    const field = fieldAt(from, "params", name);
    if (param !== undefined && field !== undefined && !sameValues(field.type, param.type))
      entry.error(
        ["each", "params", name],
        "SPEC016",
        `parameter "${name}" and field "${from}" have different types`,
        undefined,
        { lacks: [fieldType(from), paramType(name)] },
      );
  }
  for (const kind of ["where", "unless"] as const)
    for (const [name, value] of Object.entries(each[kind] ?? {}))
      checkValue(fieldAt(name, kind, name), value, ["each", kind, name], entry);
  for (const name of Object.keys(each.atMost ?? {})) {
    const field = fieldAt(name, "atMost", name);
    if (field !== undefined && !isOneOf(field, ["integer", "number"], entry))
      entry.error(["each", "atMost", name], "SPEC016", `field "${name}" is not a number`, undefined, {
        lacks: [fieldType(name)],
      });
  }
  if (each.paths !== undefined) {
    const field = fieldAt(each.paths.field, "paths", "field");
    if (field !== undefined && !isOneOf(field, ["string"], entry))
      entry.error(["each", "paths", "field"], "SPEC016", `field "${field.name}" is not text`);
  }
  const changed = each.changed === undefined ? undefined : fieldAt(each.changed, "changed");
  if (changed !== undefined && comparedAs(changed.type, enumsOf(entry)) === undefined)
    entry.error(
      ["each", "changed"],
      "SPEC016",
      `field "${changed.name}" is a list or an object, which cannot be compared`,
      undefined,
      { lacks: [fieldType(changed.name)] },
    );
}

/** The entity whose records are gone through. One that is written but wrong has diagnostics of its own. */
function otherEntity({ spec, error, entities, context }: SyncEntry): EntityModel | undefined {
  if (spec.each === undefined) return undefined;
  const { entity: name } = spec.each;
  const { scopes = {} } = context.connector.spec;
  const written = context.connector.entities.find((one) => one.spec.entity === name);
  if (written === undefined) {
    const names = context.connector.entities.map((one) => one.spec.entity);
    if (context.connector.complete)
      error(["each", "entity"], "SPEC003", `unknown entity "${name}"`, suggestion(name, names), {
        lacks: [{ kind: "entity", name }],
      });
  } else if (!written.spec.sync?.some(({ scope }) => scope === spec.scope || !Object.hasOwn(scopes, scope)))
    error(
      ["each", "entity"],
      "SPEC019",
      `"${name}" has no sync of the scope "${spec.scope}", so it has no records to go through`,
      undefined,
      { lacks: [{ kind: "scope", name: `${name}.${spec.scope}` }] },
    );
  return entities.find((one) => one.name === name);
}

function checkValue(field: FieldModel | undefined, value: unknown, path: readonly string[], entry: SyncEntry): void {
  if (field === undefined || (value === null && field.type.nullable)) return;
  const known = comparedAs(field.type, enumsOf(entry));
  if (known === undefined || !searchValueFits(known, value))
    entry.error(
      path,
      "SPEC016",
      `field "${field.name}" is never ${JSON.stringify(value)}`,
      known === undefined ? undefined : valueHint(known, value),
      { lacks: [fieldType(field.name)] },
    );
}

function isOneOf(field: FieldModel, types: readonly string[], entry: SyncEntry): boolean {
  const type = comparedAs(field.type, enumsOf(entry))?.type;
  return type !== undefined && types.includes(type);
}

const enumsOf = (entry: SyncEntry) => (name: string) => entry.context.enums.get(name);
