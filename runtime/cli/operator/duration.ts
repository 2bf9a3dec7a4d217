import { CommandError } from "../command-error.ts";

/** EX_USAGE of sysexits.h. */
const usageError = 64;
const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Ten years. */
const longest = 3650 * 86_400_000;

/**
 * Milliseconds of a time such as `30m`, `12h` or `90d`.
 *
 * @param flag the flag that gave it, for the message
 * @throws CommandError for another text, and for no time at all
 */
export function milliseconds(text: string, flag: string): number {
  const [, number = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = Number(number) * (units[unit] ?? Number.NaN);
  if (number === "" || !(ms > 0 && ms <= longest))
    throw new CommandError(
      `--${flag} must be a whole number of minutes, hours or days, from 1m to 3650d, such as 30m, 12h or 90d`,
      usageError,
    );
  return ms;
}
