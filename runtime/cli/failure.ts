import { TenonError } from "../base/errors.ts";
import { SettingsError } from "../main/settings.ts";
import { exitStatus } from "./exit-status.ts";

/** An error of the command line itself, with the exit status that it leads to. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly exit: number;

  constructor(message: string, exit: number, cause?: unknown) {
    super(message, { cause });
    this.exit = exit;
  }
}

/** The one place where a thrown error becomes a text for people and an exit status. */
export function failureOf(thrown: unknown): { readonly text: string; readonly exit: number } {
  return { text: errorText(thrown), exit: exitOf(thrown) };
}

function exitOf(thrown: unknown): number {
  if (thrown instanceof TenonError || thrown instanceof CommandError) return thrown.exit;
  return thrown instanceof SettingsError ? exitStatus.badConfiguration : exitStatus.failed;
}

/** The message, and what is allowed where something was not. A stack never belongs to it. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof SettingsError) return `the configuration is not valid\n${thrown.message}`;
  if (!(thrown instanceof TenonError)) return thrown instanceof Error ? thrown.message : String(thrown);
  const hints = thrown.faults.flatMap(({ message, allowed, suggestion }) => [
    ...(thrown.faults.length > 1 ? [`  ${message}`] : []),
    ...(allowed === undefined ? [] : [`  Allowed: ${allowed.join(", ")}.`]),
    ...(suggestion === undefined || thrown.message.includes(suggestion) ? [] : [`  Did you mean "${suggestion}"?`]),
  ]);
  return [thrown.message, ...hints].join("\n");
}
