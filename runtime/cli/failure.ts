import { errorCodes } from "../base/error-codes.ts";
import { didYouMean, TenonError } from "../base/errors.ts";
import { SettingsError } from "../main/settings/settings.ts";
import { CommandError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";

/** The exit status that an error leads to. */
export function exitOf(thrown: unknown): number {
  if (thrown instanceof TenonError || thrown instanceof CommandError) return thrown.exit;
  return thrown instanceof SettingsError ? exitStatus.badConfiguration : exitStatus.failed;
}

/** The message, and what is allowed where something was not. A stack never belongs to it. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof SettingsError) return `the configuration is not valid\n${thrown.message}`;
  if (!(thrown instanceof TenonError)) return thrown instanceof Error ? thrown.message : String(thrown);
  const hints = thrown.faults.flatMap(({ message, allowed, ...fault }) => [
    ...(thrown.faults.length > 1 ? [`  ${message}`] : []),
    ...(allowed === undefined ? [] : [`  Allowed: ${allowed.join(", ")}.`]),
    // Of the first fault it is in the message.
    ...(thrown.message.includes(didYouMean(fault)) ? [] : [` ${didYouMean(fault)}`]),
  ]);
  return [thrown.message, ...hints].join("\n");
}

/** What a person reads: the text, and for an error of the table of codes what to do about it. */
export function shownText(thrown: unknown): string {
  return thrown instanceof TenonError ? `${errorText(thrown)}\n${errorCodes[thrown.code].advice}` : errorText(thrown);
}
