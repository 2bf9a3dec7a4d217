import { errorCodes } from "../base/error-codes.ts";
import { TenonError } from "../base/errors.ts";
import { visibleText } from "../base/visible-text.ts";
import { SettingsError } from "../main/settings/settings.ts";
import { CommandError, OutputError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";
import { adviceOf, exitOf, shownText } from "./failure.ts";

/**
 * Writes an error: as JSON for programs, and as a text with advice on a terminal.
 *
 * @returns the exit status
 */
export function reportProblem(
  thrown: unknown,
  out: { readonly isTTY?: boolean; write(text: string): unknown } = process.stderr,
): number {
  out.write(out.isTTY === true ? visibleText(`tenon: ${shownText(thrown)}\n`) : `${JSON.stringify(problemOf(thrown))}\n`);
  return exitOf(thrown);
}

/** An error as RFC 9457 has it. What is wrong with the command line itself has a code too, but no page. */
function problemOf(thrown: unknown): object {
  if (thrown instanceof TenonError) {
    const { code, message, retryable, retryAfter, faults } = thrown;
    const requestId = "requestId" in thrown ? thrown.requestId : undefined;
    const { title, status } = errorCodes[code];
    return {
      type: `/docs/errors/${code}`,
      title,
      status,
      detail: message,
      instance: requestId,
      code,
      message,
      retryable,
      retry_after: retryAfter,
      what_to_do: adviceOf(thrown),
      errors: faults,
    };
  }
  const [code, title] = ownCode(thrown);
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { title, detail: message, code, message, retryable: false };
}

function ownCode(thrown: unknown): readonly [code: string, title: string] {
  const cause = thrown instanceof CommandError && thrown.cause instanceof Error ? thrown.cause : thrown;
  if (cause instanceof TenonError) return [cause.code, errorCodes[cause.code].title];
  if (cause instanceof SettingsError) return ["invalid_configuration", "The configuration is not valid"];
  if (thrown instanceof OutputError) return ["output_failed", "The output cannot be written"];
  if (thrown instanceof CommandError && thrown.exit !== exitStatus.usage) return ["command_failed", "The command cannot be run"];
  if (thrown instanceof CommandError) return ["invalid_command", "The command line is not valid"];
  return ["failed", "The command failed"];
}
