import { type SpecChange, specChangeKinds } from "../../../generator/index.ts";
import type { AuditedCaller } from "../../main/index.ts";
import { out } from "../output/standard-output.ts";

/** A change, and who called the actions that it is about. */
export interface ShownChange extends SpecChange {
  readonly callers?: readonly AuditedCaller[];
}

/** Prints changes: as text on a terminal, elsewhere and with `json` as JSON. */
export function printChanges(changes: readonly ShownChange[], json: boolean): void {
  out.line(json || !out.isTTY ? JSON.stringify(changes, null, 2) : changesText(changes));
}

/** What a person reads. */
export function changesText(changes: readonly ShownChange[]): string {
  if (changes.length === 0) return "no difference";
  return specChangeKinds
    .map((kind) => [kind, changes.filter((change) => change.kind === kind)] as const)
    .filter(([, found]) => found.length > 0)
    .map(([kind, found]) => [`${kind} (${found.length})`, ...found.flatMap(changeLines)].join("\n"))
    .join("\n");
}

function changeLines({ path, message, at, actions, callers }: ShownChange): string[] {
  return [
    `  ${path}: ${message}`,
    ...(at === undefined || at === "" ? [] : [`    ${at}`]),
    ...(actions === undefined || actions.length === 0 ? [] : [`    used by ${actions.join(", ")}`]),
    ...(callers ?? []).map(({ caller, calls, last }) => `    called by ${caller}: ${calls} times, last at ${last}`),
  ];
}
