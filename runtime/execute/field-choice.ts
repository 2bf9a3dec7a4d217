import { type FieldPlan, type FieldTree, nearest, type RecordPlan, snakeCase } from "../contract/index.ts";
import type { Fault } from "../errors.ts";

/** How many fields one call may name, and how deep a path may go. */
const mostFields = 200;
const deepest = 10;

type MutableTree = Map<string, MutableTree | null>;

/**
 * Looks the caller's `fields` up in the plan. Paths are dotted (`"user.login"`) or lists of keys; names may be written in
 * camelCase or snake_case. An object named without a path stands for its default fields.
 *
 * @returns the choice (null for "the defaults") and the faults; a choice with faults must not be used.
 */
export function chooseFields(plan: RecordPlan, fields: unknown): { choice: FieldTree | null; faults: Fault[] } {
  if (fields === undefined) return { choice: null, faults: [] };
  const pointer = "/params/fields";
  if (!Array.isArray(fields))
    return { choice: null, faults: [{ pointer, code: "wrong_type", message: "fields must be a list of field names." }] };
  if (fields.length === 0 || fields.length > mostFields)
    return {
      choice: null,
      faults: [
        {
          pointer,
          code: "out_of_range",
          message: `fields must name 1 to ${mostFields} fields; leave it out for the default ones.`,
        },
      ],
    };
  const tree: MutableTree = new Map();
  const faults: Fault[] = fields.flatMap((field: unknown, index) => {
    const fault = choose(plan, field, tree);
    return fault === undefined ? [] : [{ ...fault, pointer: `${pointer}/${index}` }];
  });
  return { choice: tree, faults };
}

type Problem = Omit<Fault, "pointer">;

function choose(plan: RecordPlan, field: unknown, tree: MutableTree): Problem | undefined {
  const keys = pathOf(field);
  if (keys === undefined) return { code: "wrong_type", message: "A field is a name, a dotted path or a list of keys." };
  let here: MutableTree = tree;
  let type: RecordPlan | undefined = plan;
  for (const [index, key] of keys.entries()) {
    const last = index === keys.length - 1;
    // Inside an open object the names are the platform's: nothing to look up.
    const found: Found | undefined = type === undefined ? { name: key, field: undefined } : findField(type, key);
    if (found === undefined) return unknownField(type, key, keys);
    const inside: RecordPlan | undefined = found.field?.of?.();
    if (!last && found.field !== undefined && inside === undefined && found.field.open === undefined)
      return { code: "unknown_field", message: `"${found.name}" has no fields inside it.` };
    const known = here.get(found.name);
    if (last) here.set(found.name, known === undefined || inside === undefined ? null : withDefaults(known, inside));
    else {
      const next: MutableTree | null = known === undefined ? new Map() : withDefaults(known, known === null ? inside : undefined);
      // The whole of an open object was asked for already.
      if (next === null) return undefined;
      here.set(found.name, next);
      here = next;
      type = inside;
    }
  }
  return undefined;
}

/** `author` and `author.avatarUrl` together: the default fields of the object and that one. */
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

function pathOf(field: unknown): string[] | undefined {
  const keys: unknown = typeof field === "string" ? field.split(".") : field;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > deepest) return undefined;
  return keys.every((key) => typeof key === "string" && key.length <= 256) ? (keys as string[]) : undefined;
}

interface Found {
  readonly name: string;
  readonly field: FieldPlan | undefined;
}

/** Names of every plan in both spellings, made once. */
const spellings = new WeakMap<RecordPlan, ReadonlyMap<string, string>>();

function findField(plan: RecordPlan, key: string): Found | undefined {
  let names = spellings.get(plan);
  if (names === undefined) {
    const own = Object.keys(plan.fields);
    names = new Map([...own.map((name) => [snakeCase(name), name] as const), ...own.map((name) => [name, name] as const)]);
    spellings.set(plan, names);
  }
  const name = names.get(key);
  return name === undefined ? undefined : { name, field: plan.fields[name] };
}

function unknownField(type: RecordPlan | undefined, key: string, keys: readonly string[]): Problem {
  const allowed = Object.keys(type?.fields ?? {});
  const suggestion = nearest(key, allowed);
  const shown = key.length > 64 ? `${key.slice(0, 64)}…` : key;
  return {
    code: "unknown_field",
    message: `${type?.name ?? "This object"} has no field "${shown}"${keys.length > 1 ? " at this path" : ""}.`,
    allowed,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}
