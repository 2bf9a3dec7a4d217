import { CommandError } from "../command-error.ts";
import { commands } from "../commands.ts";
import { exitStatus } from "../exit-status.ts";

/** @throws CommandError for what cannot be the name of a new connector, such as `sync`: `tenon sync …` would always be the command */
export function checkConnectorName(name: string): void {
  const refused = (why: string) => new CommandError(`"${name}" cannot be the name of a connector: ${why}`, exitStatus.usage);
  if (!/^(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    throw refused("use lower-case letters, digits and single dashes, 64 at most");
  if (name === "help" || commands.some((row) => row.name.split(" ")[0] === name)) throw refused("a command has this name");
}
