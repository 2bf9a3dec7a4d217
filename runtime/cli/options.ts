import { Option } from "commander";
import type { Flag, Flags, FlagValues } from "./command.ts";

/** The option of a parser for a flag of the table of commands. */
export function optionOf(name: string, flag: Flag): Option {
  switch (flag.kind) {
    case "switch":
      return new Option(`--${name}`, flag.help);
    case "text":
      return new Option(`--${name} <${flag.value}>`, flag.help);
    case "list":
      return new Option(`--${name} <${flag.value}>`, flag.help).argParser((value: string, before: unknown) => [
        ...(Array.isArray(before) ? before : []),
        value,
      ]);
  }
}

/** What was given for a flag, in the form of its kind. */
function valueFor(flag: Flag | undefined, given: unknown, negated: boolean): FlagValues<Flags>[string] {
  switch (flag?.kind) {
    case "switch":
      // The parser reads `--no-name` as a false `name`.
      return given === !negated;
    case "list":
      return Array.isArray(given) ? given.map(String) : [];
    case "text":
    case undefined:
      return given === undefined ? undefined : String(given);
  }
}

/** What a parser was given for flags, by their names. */
export function valuesOf(
  flags: Flags,
  options: readonly (readonly [flag: string, option: Option])[],
  given: Readonly<Record<string, unknown>>,
): FlagValues<Flags> {
  return Object.fromEntries(
    options.map(([flag, option]) => [flag, valueFor(flags[flag], given[option.attributeName()], option.negate)]),
  );
}
