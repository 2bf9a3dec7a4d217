import { asTenonError } from "../base/errors.ts";
import { visibleText } from "../base/visible-text.ts";
import { nextStep } from "./advice.ts";
import type { ToolHost } from "./host.ts";
import type { Arguments } from "./target.ts";

/** The text for an error of a tool: what is wrong, and what to do. */
export function problemText(tool: string, { redact = (text) => text }: ToolHost, args: Arguments, thrown: unknown): string {
  const error = asTenonError(thrown);
  const { code, message, retryable, retryAfter, faults, proposal } = error;
  const problem = {
    error: { code, message, retryable, ...(retryAfter === undefined ? {} : { retry_after: retryAfter }), errors: faults },
    ...(proposal === undefined ? {} : { proposal }),
    what_to_do: nextStep(tool, args, error),
  };
  return redact(visibleText(JSON.stringify(problem)));
}
