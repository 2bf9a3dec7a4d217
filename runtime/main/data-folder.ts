import { accessSync, constants, mkdirSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { SettingsError } from "./settings/settings.ts";

/**
 * Makes the folder for what the service keeps, where it is not there yet.
 *
 * @throws SettingsError when it cannot be made, is not a folder, or may not be written to
 */
export function makeDataFolder(folder: string): void {
  try {
    make(resolve(folder));
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (thrown) {
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : String(thrown);
    throw new SettingsError(`TENON_DATA_DIR: the folder ${folder} cannot be made or written to (${code}); choose another one`);
  }
}

/**
 * One folder at a time, each tried once: `mkdirSync` with `recursive` tries again without end where a parent exists but takes no new
 * folder, as below /proc.
 */
function make(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) make(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (thrown) {
    // Another process may have made it in the meantime.
    if (!isFolder(folder)) throw thrown;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
