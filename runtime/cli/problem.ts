import { errorCodes, TenonError } from "../base/errors.ts";
import { errorText } from "./failure.ts";

/**
 * Writes the error of an action: as JSON for programs, and as a text with advice on a terminal.
 *
 * @returns the exit status
 * @throws what is not the error of an action
 */
export function reportProblem(
  thrown: unknown,
  out: { readonly isTTY?: boolean; write(text: string): unknown } = process.stderr,
): number {
  if (!(thrown instanceof TenonError)) throw thrown;
  const { code, message, retryable, retryAfter, faults } = thrown;
  const requestId = "requestId" in thrown ? thrown.requestId : undefined;
  const { title, status, advice } = errorCodes[code];
  out.write(
    out.isTTY === true
      ? `tenon: ${errorText(thrown)}\n${advice}\n`
      : `${JSON.stringify({ type: `/docs/errors/${code}`, title, status, detail: message, instance: requestId, code, message, retryable, retry_after: retryAfter, errors: faults })}\n`,
  );
  return thrown.exit;
}
