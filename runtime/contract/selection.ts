import type { FieldPlan, FieldTree, RecordPlan } from "./record.ts";

/** The fields that a choice names, in the order of the plan; the default fields when there is no choice. */
export function chosenFields(
  plan: RecordPlan,
  choice: FieldTree | null,
): [name: string, field: FieldPlan, inner: FieldTree | null][] {
  return Object.entries(plan.fields)
    .filter(([name, field]) => (choice === null ? field.onRequest === undefined : choice.has(name)))
    .map(([name, field]) => [name, field, choice?.get(name) ?? null]);
}

/**
 * The GraphQL selection of a choice of fields. It contains only texts of the spec and never a text of the caller, because a choice
 * holds only names that were looked up in the plan.
 */
function selectionText(plan: RecordPlan, choice: FieldTree | null): string {
  const parts = chosenFields(plan, choice).map(([, field, inner]) => fieldText(field, inner));
  const text = parts.filter((part) => part !== "").join(" ");
  // A choice that needs nothing of the platform (`fields: ["path"]`) still has to ask whether the record exists.
  return text === "" ? "__typename" : text;
}

function fieldText(field: FieldPlan, inner: FieldTree | null): string {
  if (field.select === undefined) return "";
  if (typeof field.select === "string") return field.select;
  return field.select.join(field.of === undefined ? "" : selectionText(field.of(), inner));
}

/** A whole GraphQL document: the operation as the spec has it, and the fragment `record` that the operation spreads. */
export function documentText(operation: string, plan: RecordPlan, choice: FieldTree | null): string {
  return `${operation} fragment record on ${plan.on ?? plan.name}{${selectionText(plan, choice)}}`;
}
