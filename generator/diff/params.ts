import { typeText } from "../model/type-reference.ts";
import type { ParamModel } from "../model/types.ts";
import type { SpecChanges } from "./change.ts";

/** Compares two versions of a parameter: what was accepted has to be accepted still, with the same effect. */
function compareParam(before: ParamModel, after: ParamModel, changes: SpecChanges): void {
  if (!before.required && after.required) changes.add("breaking", "is now required");
  if (before.required && !after.required) changes.add("compatible", "may now be left out");
  compareType(before, after, changes);
  changes.value("breaking", "its default", before.default, after.default);
  for (const bound of ["range", "length", "items"] as const) compareBounds(bound, before[bound], after[bound], changes);
  changes.text("its text", before.doc, after.doc);
  compareMembers(before.members, after.members, changes);
  if (JSON.stringify(before.example) !== JSON.stringify(after.example)) changes.add("documentation", "its example differs");
}

/** Compares the parameters of an action, or the members of an object. */
export function compareParams(
  what: "parameter" | "member",
  before: readonly ParamModel[],
  after: readonly ParamModel[],
  changes: SpecChanges,
): void {
  const byName = (params: readonly ParamModel[]) => new Map(params.map((param) => [param.name, param]));
  const added = { removed: "breaking", added: ({ required }: ParamModel) => (required ? "breaking" : "compatible") } as const;
  changes.pairs(what, byName(before), byName(after), added, compareParam, what === "member" ? "." : " ");
}

/** Without members every object is accepted. */
function compareMembers(before: ParamModel["members"], after: ParamModel["members"], changes: SpecChanges): void {
  if (before === undefined && after !== undefined) changes.add("breaking", "now takes only some members");
  if (before !== undefined && after === undefined) changes.add("compatible", "now takes every member");
  if (before !== undefined && after !== undefined) compareParams("member", before, after, changes);
}

function compareType(before: ParamModel, after: ParamModel, changes: SpecChanges): void {
  const [old, now] = [before.type, after.type];
  if (typeText(old) === typeText(now)) return;
  const wider =
    old.list === now.list && (!old.nullable || now.nullable) && (old.name === now.name || isWider(old.name, now.name));
  changes.add(wider ? "compatible" : "breaking", `its type was ${typeText(old)}, now ${typeText(now)}`);
}

/** Whether every value of one scalar is a value of the other. */
function isWider(before: string, after: string): boolean {
  return before === "integer" && after === "number";
}

type Bounds = readonly [number, number] | undefined;

function compareBounds(what: string, before: Bounds, after: Bounds, changes: SpecChanges): void {
  const [least, most] = before ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  const [newLeast, newMost] = after ?? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  if (least === newLeast && most === newMost) return;
  const narrower = newLeast > least || newMost < most;
  const text = (bounds: Bounds) => (bounds === undefined ? "without bounds" : `${bounds[0]} to ${bounds[1]}`);
  changes.add(narrower ? "breaking" : "compatible", `its ${what} was ${text(before)}, now ${text(after)}`);
}
