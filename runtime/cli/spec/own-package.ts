import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import packageFile from "../../../package.json" with { type: "json" };
import { root } from "../../main/own-command.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";

/**
 * Packs the Tenon that runs, so that another project can depend on exactly this one. No registry has the package.
 *
 * @param folder where the file is written
 * @returns the name of the file
 * @throws CommandError when the program that packs cannot be run
 */
export function packOwn(folder: string): string {
  return existsSync(join(root, "runtime/cli/main.ts")) ? packClone(folder) : packInstalled(folder);
}

/** npm builds a clone first, by the script `prepack`. */
function packClone(folder: string): string {
  const written = run("npm", ["pack", "--silent", "--pack-destination", folder]);
  return written.trim().split("\n").at(-1) ?? "";
}

/** npm has these in every package, whatever `files` of `package.json` names. */
const always = ["package.json", "README.md", "LICENSE"];

/**
 * An installed package is packed without npm, which takes seven times as long: it compares each file with many patterns, although `files`
 * names plain paths. npm ignores the name of the top folder of an archive.
 */
function packInstalled(folder: string): string {
  const name = `${packageFile.name}-${packageFile.version}.tgz`;
  const files = [...always, ...packageFile.files].map((path) => `${basename(root)}/${path}`);
  run("tar", ["-czf", join(folder, name), "-C", dirname(root), ...files]);
  return name;
}

function run(program: string, args: readonly string[]): string {
  // Otherwise macOS adds files of its own to an archive.
  const env = { ...process.env, COPYFILE_DISABLE: "1" };
  try {
    return execFileSync(program, args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (cause) {
    throw new CommandError(`the package of Tenon could not be made: ${program} failed in ${root}`, exitStatus.unavailable, cause);
  }
}
