import { errorCodes } from "./error-codes.ts";
import { type Fault, suggested, type TenonError } from "./errors.ts";

/** What to do about a wrong statement of SQL. A suggestion for one replaces the name that is wrong, not the statement. */
export const correctStatement = "Correct the statement at the place that the message names, and";

/** What to do after an error that a program gets: what to send instead, how long to wait, or whom to ask. */
export function whatToDo({ code, faults }: Pick<TenonError, "code" | "faults">): string {
  const meant = suggestionOf(faults);
  if (meant === undefined) return errorCodes[code].advice;
  return meant.code === "bad_statement" ? `${correctStatement} send it again.` : `Send it again with ${meant.text}.`;
}

/** Codes of faults whose place is that of a name, so that the suggestion replaces the name and not its value. */
const ofNames = ["unknown_param", "unknown_member"];

/** The first fault that has a suggestion, with what to send for it: `"issues" in place of /entity`. */
export function suggestionOf(faults: readonly Fault[]): { readonly code: string; readonly text: string } | undefined {
  for (const { code, pointer, suggestion } of faults)
    if (suggestion !== undefined) {
      const what = `${ofNames.includes(code) ? "the name " : ""}${suggested(suggestion)}`;
      return { code, text: `${what} in place of ${pointer}` };
    }
  return undefined;
}

/** The same where a member of the error, and no header, says how many seconds to wait. */
export function withoutHeaders(text: string): string {
  return text.replace("`Retry-After` says", "`retry_after` says (seconds)");
}
