import { errorCodes } from "./error-codes.ts";
import type { TenonError } from "./errors.ts";

/** What to do after an error that a program gets: what to send instead, how long to wait, or whom to ask. */
export function whatToDo({ code, faults }: Pick<TenonError, "code" | "faults">): string {
  const meant = faults.find(({ suggestion }) => suggestion !== undefined);
  return meant === undefined
    ? errorCodes[code].advice
    : `Send it again with ${JSON.stringify(meant.suggestion)} in place of ${meant.pointer}.`;
}

/** The same where a member of the error, and no header, says how many seconds to wait. */
export function withoutHeaders(text: string): string {
  return text.replace("`Retry-After` says", "`retry_after` says (seconds)");
}
