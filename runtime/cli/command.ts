import type { StoredKind } from "../main/stored-place.ts";

/** A flag of a command. `value` is what help shows for its value; a `list` may be repeated, a `switch` takes no value. */
export type Flag =
  | { readonly kind: "text" | "list"; readonly value: string; readonly help: string }
  | { readonly kind: "switch"; readonly help: string };

/** Flags by their long name, without the two dashes. */
export type Flags = Readonly<Record<string, Flag>>;

interface Values {
  readonly text: string | undefined;
  readonly list: readonly string[];
  readonly switch: boolean;
}

/** What a command line gave for each flag. */
export type FlagValues<Of extends Flags> = { readonly [Name in keyof Of]: Values[Of[Name]["kind"]] };

/** A module that holds a command's function. It gives the exit status; `failure.ts` turns what it throws into a text and an exit status. */
export interface CommandModule<Of extends Flags> {
  /** @param words the first words of all commands, which nothing else can be called */
  run(args: readonly string[], flags: FlagValues<Of>, words: readonly string[]): Promise<number>;
}

/** One row of the table of commands: everything that parsing and help need, without loading the command itself. */
export interface Command<Of extends Flags = Flags> {
  /** One word, or two for a command of a group: `key create`. */
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Arguments in their order. Those that may be left out come last. */
  readonly arguments: readonly { readonly name: string; readonly help: string; readonly optional?: true }[];
  readonly flags: Of;
  /** Whole command lines, at least one. A connector is `<connector_id>` in them, because no connector is known by name here. */
  readonly examples: readonly string[];
  /** What the command works on in its own process, even where the settings name a service. Such a command calls no service. */
  readonly stored?: StoredKind;
  /** Loads the command's module. Only the command that runs is loaded, which keeps help and errors fast. */
  load(): Promise<CommandModule<Of>>;
}

/** Checks one row: its module must take the values of its flags. */
export function command<const Of extends Flags>(row: Command<Of>): Command {
  return row;
}

/** What help and the documentation say of a command that calls no service. */
export const storedNote =
  "Works on the data folder or the database of the settings, so run it on the service's machine, without TENON_URL.";

/** The flag of every command that reads the settings. */
export const config: Flag & { kind: "text" } = { kind: "text", value: "FILE", help: "YAML or JSON file with settings" };
