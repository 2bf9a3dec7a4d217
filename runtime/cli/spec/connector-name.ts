import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";

/**
 * Checks the name of a new connector.
 *
 * @param words the first words of all commands: `tenon sync …` would always be the command, and never a connector
 * @throws CommandError
 */
export function checkConnectorName(name: string, words: readonly string[]): void {
  const refused = (why: string) => new CommandError(`"${name}" cannot be the name of a connector: ${why}`, exitStatus.usage);
  if (!/^(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw refused("use lower-case letters, digits and single dashes, 64 at most");
  if (words.includes(name)) throw refused("a command has this name");
}
