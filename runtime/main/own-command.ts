import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { shellWord } from "../base/shell-word.ts";
import type { Settings } from "./settings/settings.ts";

/** The folder with the package of the Tenon that runs: the installed one, or a clone of the repository. */
export const root = fileURLToPath(new URL(".", new URL("../../package.json", import.meta.url)));

/** The file that starts this Tenon, with an absolute path. */
export const program = join(root, "runtime/cli/tenon.js");

/** What runs this Tenon on the same cache, whatever folder and shell it is pasted into. The address of a database may hold a password. */
export function ownCommand({ dataDir, file }: Pick<Settings, "dataDir" | "file">): string {
  const config = file === undefined ? "" : `TENON_CONFIG=${shellWord(file)} `;
  return `${config}TENON_DATA_DIR=${shellWord(resolve(dataDir))} node ${shellWord(program)}`;
}

/** Where the cached records are, for people. */
export function cachePlace({ dataDir, databaseUrl }: Pick<Settings, "dataDir" | "databaseUrl">): string {
  return databaseUrl === "" ? `in ${resolve(dataDir)}` : "in the database of TENON_DATABASE_URL";
}
