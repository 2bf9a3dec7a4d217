import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../main/own-command.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";

/**
 * Packs the Tenon that runs, so that another project can depend on exactly this one. No registry has the package.
 *
 * @param folder where the file is written
 * @returns the name of the file
 * @throws CommandError when npm cannot be run
 */
export function packOwn(folder: string): string {
  // A clone is built first, by the script `prepack`; an installed package is built.
  const built = existsSync(join(root, "runtime/cli/main.ts")) ? [] : ["--ignore-scripts"];
  try {
    const args = ["pack", "--silent", ...built, "--pack-destination", folder];
    const written = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return written.trim().split("\n").at(-1) ?? "";
  } catch (cause) {
    throw new CommandError(`the package of Tenon could not be made: npm pack failed in ${root}`, exitStatus.unavailable, cause);
  }
}
