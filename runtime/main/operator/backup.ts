import { closeSync, copyFileSync, existsSync, mkdirSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { SettingsError } from "../settings/settings.ts";

/** What a service keeps in its data directory. The hash of the API key is a small file that is written once. */
const databases = ["accounts.sqlite", "context-store.sqlite"];
const keyFile = "api-key.json";

/** More pages than a file can have: all are copied in one step. Copying in several would begin anew with every change of the file. */
const allPages = 0x7fffffff;

export interface BackedUp {
  readonly file: string;
  readonly bytes: number;
}

/**
 * Copies what a service keeps in its data directory, while the service runs. Each file is copied as it was at one moment, and is checked.
 *
 * @param target a folder that has none of these files; it is made when it is missing
 * @throws SettingsError when there is nothing to copy, the folder has such a file already, or a copy is damaged
 */
export async function backupFiles(dataDir: string, target: string): Promise<BackedUp[]> {
  const found = [...databases, keyFile].filter((name) => existsSync(join(dataDir, name)));
  if (found.length === 0) throw new SettingsError(`TENON_DATA_DIR: the folder ${dataDir} has nothing to copy`);
  const taken = found.find((name) => existsSync(join(target, name)));
  if (taken !== undefined)
    throw new SettingsError(`${join(target, taken)} is there already; choose a folder without an earlier copy`);
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const done: BackedUp[] = [];
  for (const name of found) {
    const part = join(target, `${name}.part`);
    rmSync(part, { force: true });
    // Only the user of this process may read the copies.
    closeSync(openSync(part, "wx", 0o600));
    if (name === keyFile) copyFileSync(join(dataDir, name), part);
    else await copyDatabase(join(dataDir, name), part);
    // A copy gets its name when it is complete.
    renameSync(part, join(target, name));
    done.push({ file: name, bytes: statSync(join(target, name)).size });
  }
  return done;
}

async function copyDatabase(file: string, part: string): Promise<void> {
  const source = new Database(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    await source.backup(part, { progress: () => allPages });
  } finally {
    source.close();
  }
  const copy = new Database(part, { fileMustExist: true });
  try {
    // A copy is a single file, without a write-ahead log beside it.
    copy.pragma("journal_mode = DELETE");
    renameLogs(copy);
    const state = copy.pragma("quick_check(1)", { simple: true });
    if (state !== "ok") throw new SettingsError(`${file} is damaged: ${String(state)}`);
  } finally {
    copy.close();
  }
}

/**
 * Gives the change logs of a copy other names. Where the copy is used, it stores other changes under the numbers that the running service
 * gives from now on: who follows the log has to begin anew there.
 */
function renameLogs(copy: Database.Database): void {
  if (copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'store_change_heads'").get() !== undefined)
    copy.exec("UPDATE store_change_heads SET log = lower(hex(randomblob(6)))");
}
