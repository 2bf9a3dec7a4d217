import { outOfRange, statementFault } from "./fault.ts";
import { timeText } from "./sqlite-functions.ts";
import type { Mistake } from "./syntax.ts";
import type { Type } from "./types.ts";
import { elementOf } from "./types.ts";

/**
 * A value as a row of the answer has it: times as ISO 8601, intervals in seconds.
 *
 * @param list the elements of a list, from what the engine gives for one
 * @throws TenonError for a number or a time that JSON has no form for
 */
export function answered(type: Type, given: unknown, list: (given: unknown) => readonly unknown[]): unknown {
  const element = elementOf(type);
  if (element !== undefined) return list(given).map((one) => answered(element, one, list));
  if (given === null || given === undefined) return null;
  switch (type) {
    case "boolean":
      // PostgreSQL's lists have texts.
      return given === true || given === 1 || given === "true";
    case "timestamp":
      return timeText(Number(given)) || failed(outOfRange.time);
    case "interval":
      return finite(Number(given) / 1000);
    case "integer":
    case "number":
      return finite(Number(given));
    default:
      return String(given);
  }
}

function finite(number: number): number {
  return Number.isFinite(number) ? number : failed(outOfRange.number);
}

function failed(mistake: Mistake): never {
  throw statementFault(mistake);
}
