import { shown } from "../base/errors.ts";
import type { FaultPath, Faults } from "../base/faults.ts";
import { requestLimits } from "../base/request-limits.ts";
import { snakeCase } from "../base/text.ts";
import type { FieldPlan, FieldTree, RecordPlan } from "../contract/index.ts";

/** How many fields one call may name, how many keys one path may have, and how many characters a key. */
const { fields: mostFields, fieldKeys: deepest, fieldKey: longestKey } = requestLimits;

type MutableTree = Map<string, MutableTree | null>;

/**
 * Looks the caller's `fields` up in the plan. Paths are dotted (`"user.login"`) or lists of keys; names may be written in
 * camelCase or snake_case. The name of an object without a path into it stands for the object's default fields.
 *
 * @param at where the fields stand in the request
 * @returns the choice, or null for the default fields; it may be used only when no fault was added
 */
export function chooseFields(
  plan: RecordPlan,
  fields: unknown,
  faults: Faults,
  at: FaultPath = ["params", "fields"],
): FieldTree | null {
  if (fields === undefined) return null;
  const tree: MutableTree = new Map();
  if (!Array.isArray(fields)) faults.add(at, "wrong_type", "fields must be a list of field names.");
  else if (fields.length === 0 || fields.length > mostFields)
    faults.add(at, "out_of_range", `fields must name 1 to ${mostFields} fields; leave it out for the default fields.`);
  else for (const [index, field] of fields.entries()) choose(plan, field, tree, [...at, index], faults);
  return tree;
}

/** Adds one path to the tree, or a fault. */
function choose(plan: RecordPlan, field: unknown, tree: MutableTree, at: FaultPath, faults: Faults): undefined {
  const keys = keysOf(field);
  if (keys === undefined)
    return faults.add(at, "wrong_type", `A field must be a name, a dotted path or a list of keys, with 1 to ${deepest} keys.`);
  let here: MutableTree = tree;
  let type: RecordPlan | undefined = plan;
  for (const [index, key] of keys.entries()) {
    const last = index === keys.length - 1;
    // The plan does not list the names inside an open object: they are the platform's own.
    const found: NamedField | undefined = type === undefined ? { name: key, field: undefined } : findField(type, key);
    if (found === undefined) {
      const where = keys.length > 1 ? " at this path" : "";
      const message = `${type?.name ?? "This object"} has no field "${shown(key)}"${where}.`;
      return faults.unknown(at, "unknown_field", message, key, Object.keys(type?.fields ?? {}));
    }
    const inside: RecordPlan | undefined = found.field?.of?.();
    if (!last && found.field !== undefined && inside === undefined && found.field.open === undefined)
      return faults.add(at, "unknown_field", `"${found.name}" has no fields inside it.`);
    const known = here.get(found.name);
    if (last) here.set(found.name, known === undefined || inside === undefined ? null : withDefaults(known, inside));
    else {
      const next: MutableTree | null = known === undefined ? new Map() : withDefaults(known, known === null ? inside : undefined);
      // An earlier path asks for the whole open object.
      if (next === null) return undefined;
      here.set(found.name, next);
      here = next;
      type = inside;
    }
  }
  return undefined;
}

/**
 * Adds the default fields of an object to a choice within it: `author` and `author.avatarUrl` together ask for the default fields and
 * for `avatarUrl`.
 */
function withDefaults(tree: MutableTree | null, plan: RecordPlan | undefined): MutableTree | null {
  if (plan === undefined) return tree;
  const merged: MutableTree = new Map(tree);
  for (const [name, field] of Object.entries(plan.fields)) {
    if (field.onRequest !== undefined) continue;
    const known = merged.get(name);
    merged.set(name, known ? withDefaults(known, field.of?.()) : null);
  }
  return merged;
}

function keysOf(field: unknown): string[] | undefined {
  const keys: unknown = typeof field === "string" ? field.split(".") : field;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > deepest) return undefined;
  return keys.every((key) => typeof key === "string" && key.length <= longestKey) ? (keys as string[]) : undefined;
}

interface NamedField {
  readonly name: string;
  readonly field: FieldPlan | undefined;
}

/** The names of each plan's fields in both spellings, made once. */
const spellings = new WeakMap<RecordPlan, ReadonlyMap<string, string>>();

function findField(plan: RecordPlan, key: string): NamedField | undefined {
  let names = spellings.get(plan);
  if (names === undefined) {
    const own = Object.keys(plan.fields);
    names = new Map([...own.map((name) => [snakeCase(name), name] as const), ...own.map((name) => [name, name] as const)]);
    spellings.set(plan, names);
  }
  const name = names.get(key);
  return name === undefined ? undefined : { name, field: plan.fields[name] };
}
