import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { withoutByteOrderMark } from "../../base/byte-order-mark.ts";
import { JsonScanner } from "../../base/json-scanner.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";

export type Params = Readonly<Record<string, unknown>>;

/**
 * The value of `--params`: JSON, `@FILE`, or `-` for standard input.
 *
 * @throws CommandError when it cannot be read or is not an object
 */
export async function readParams(given: string | undefined): Promise<Params> {
  if (given === undefined) return {};
  const value = parseJson(await source(given, "--params"), "--params");
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new CommandError('--params must be a JSON object, such as \'{"owner":"octocat"}\'', exitStatus.usage);
  return value as Params;
}

/** A JSON value of a flag, which may also be `@FILE` or `-`. @throws CommandError */
export async function readJson(given: string, flag: string): Promise<unknown> {
  return parseJson(await source(given, flag), flag);
}

/** The text of an argument: itself, that of `@FILE`, or that of standard input for `-`. @throws CommandError */
export async function source(given: string, flag: string): Promise<string> {
  if (given === "-") return text(process.stdin);
  if (!given.startsWith("@")) return given;
  try {
    // A byte order mark at the beginning is dropped, as for standard input.
    return withoutByteOrderMark(readFileSync(given.slice(1))).toString();
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? ` (${String(thrown.code)})` : "";
    throw new CommandError(`${flag}: ${given.slice(1)} cannot be read${code}`, exitStatus.usage, thrown);
  }
}

/** The value of a text in JSON. @throws CommandError, TenonError for what a service refuses too, such as a member that comes twice */
export function parseJson(given: string, flag: string): unknown {
  const value = parsed(given, flag);
  // `JSON.parse` takes the last of two members with the same name, and says nothing.
  new JsonScanner(flag).scan(Buffer.from(given));
  return value;
}

function parsed(given: string, flag: string): unknown {
  try {
    return JSON.parse(given);
  } catch (thrown) {
    throw new CommandError(
      `${flag} is not JSON: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
      exitStatus.usage,
      thrown,
    );
  }
}

/** Names between commas, of a flag that may be repeated. */
export function names(given: readonly string[]): string[] {
  return given
    .flatMap((one) => one.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The value of a flag that takes a whole number. @throws CommandError */
export function wholeNumber(given: string | undefined, flag: string): number | undefined {
  if (given === undefined) return undefined;
  if (/^\d{1,9}$/.test(given) && Number(given) > 0) return Number(given);
  throw new CommandError(`--${flag} must be a whole number from 1 to 999999999`, exitStatus.usage);
}
