import { randomBytes } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { secretKeyForm } from "./access-settings.ts";
import { codeOf, SettingsError } from "./settings-error.ts";

/** The file with the secret key of a data folder whose operator has set none. */
export function keptSecretFile(dataDir: string): string {
  return join(dataDir, "secret-key");
}

/** The secret keys that a data folder keeps; empty where it keeps none. @throws SettingsError when they cannot be used */
export function keptSecret(dataDir: string): readonly string[] {
  const file = keptSecretFile(dataDir);
  return existsSync(file) ? readSecretKeys(file, "TENON_DATA_DIR") : [];
}

/**
 * Makes a secret key, which only the user of this process may read, and keeps it in the data folder. Where another process has made one in
 * the meantime, that one counts.
 *
 * @throws SettingsError when it cannot be stored
 */
export function makeSecret(dataDir: string): readonly string[] {
  const file = keptSecretFile(dataDir);
  const part = `${file}.${process.pid}.part`;
  try {
    writeFileSync(part, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx", flush: true });
    // The file appears with all of its text, and never in the place of another one.
    linkSync(part, file);
  } catch (thrown) {
    if (!existsSync(file)) throw new SettingsError(`TENON_DATA_DIR: ${file} cannot be made (${codeOf(thrown)})`);
  } finally {
    rmSync(part, { force: true });
  }
  return keptSecret(dataDir);
}

/** Reads secret keys, one a line, the current one first. @param setting the one that names the file @throws SettingsError */
export function readSecretKeys(file: string, setting: string): readonly string[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (thrown) {
    throw new SettingsError(`${setting}: ${file} cannot be read (${codeOf(thrown)})`);
  }
  const keys = text.split("\n").map((line) => line.trim());
  const found = keys.filter((line) => line !== "");
  if (found.length === 0 || !found.every((key) => secretKeyForm.test(key)))
    throw new SettingsError(
      `${setting}: ${file} must hold one key a line, each of 32 to 512 visible ASCII characters without commas`,
    );
  return found;
}
