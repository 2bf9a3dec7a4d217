import { didYouMean, TenonError } from "../base/errors.ts";
import { whatToDo, withoutHeaders } from "../base/what-to-do.ts";
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

/** What to do about an error, for whoever runs commands. */
export function adviceOf(thrown: TenonError): string {
  if (thrown.code === "unauthorized")
    return "Set TENON_API_KEY, or TENON_CLIENT_ID and TENON_CLIENT_SECRET, to what the service accepts.";
  return withoutHeaders(whatToDo(thrown));
}

/** What a person reads: the text, and for an error of the table of codes what to do about it. */
export function shownText(thrown: unknown): string {
  if (!(thrown instanceof TenonError)) return errorText(thrown);
  const { retryAfter } = thrown;
  // A person sees neither the members of the error nor headers.
  const advice = adviceOf(thrown)
    .replace("as long as `retry_after` says (seconds)", retryAfter === undefined ? "a moment" : `${retryAfter} s`)
    .replace(/what `errors` lists \(.*?\)/, "this")
    .replace("that `errors` lists", "listed above");
  return `${errorText(thrown)}\n${advice}`;
}
