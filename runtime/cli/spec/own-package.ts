import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { constants, gzipSync } from "node:zlib";
import packageFile from "../../../package.json" with { type: "json" };
import { root } from "../../main/own-command.ts";
import { CommandError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { tarOf } from "./tar.ts";

/**
 * Packs the Tenon that runs, so that another project can depend on exactly this one. No registry has the package.
 *
 * @param folder where the file is written
 * @returns the name of the file
 * @throws CommandError when a clone cannot be built and packed by npm
 */
export function packOwn(folder: string): string {
  return existsSync(join(root, "runtime/cli/main.ts")) ? packClone(folder) : packInstalled(folder);
}

/** npm builds a clone first, by the script `prepack`. */
function packClone(folder: string): string {
  try {
    const args = ["pack", "--silent", "--pack-destination", folder];
    const written = execFileSync("npm", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    return written.trim().split("\n").at(-1) ?? "";
  } catch (cause) {
    throw new CommandError(`the package of Tenon could not be made: npm pack failed in ${root}`, exitStatus.unavailable, cause);
  }
}

/** npm has these in every package, whatever `files` of `package.json` names. */
const always = ["package.json", "README.md", "LICENSE"];

/** An installed package is packed without npm, which compares each of its files with many patterns, though `files` names plain paths. */
function packInstalled(folder: string): string {
  const files = [...always, ...packageFile.files]
    .flatMap((path) => (statSync(join(root, path)).isDirectory() ? filesIn(path) : [path]))
    .sort()
    .map((path) => ({ path: `package/${path}`, content: readFileSync(join(root, path)) }));
  const name = `${packageFile.name}-${packageFile.version}.tgz`;
  // It stays on this machine: a tenth more bytes are written three times as fast.
  writeFileSync(join(folder, name), gzipSync(tarOf(files), { level: constants.Z_BEST_SPEED }));
  return name;
}

function filesIn(place: string): string[] {
  return readdirSync(join(root, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}
