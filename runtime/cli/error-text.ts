import { TenonError } from "../errors.ts";

/** An error for people: its message, and what is allowed where something was not. */
export function errorText(thrown: unknown): string {
  if (!(thrown instanceof TenonError)) return thrown instanceof Error ? thrown.message : String(thrown);
  const hints = thrown.faults.flatMap(({ message, allowed, suggestion }) => [
    ...(thrown.faults.length > 1 ? [`  ${message}`] : []),
    ...(allowed === undefined ? [] : [`  Allowed: ${allowed.join(", ")}.`]),
    ...(suggestion === undefined || thrown.message.includes(suggestion) ? [] : [`  Did you mean "${suggestion}"?`]),
  ]);
  return [thrown.message, ...hints].join("\n");
}
