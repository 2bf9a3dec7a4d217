import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Where the generator's own sources lie, below the repository: all that it imports. A test compares this list with the imports. */
export const sourcePlaces = ["generator", "runtime/contract", "runtime/base"] as const;

/** What npm has installed, with the version and the checksum of each package. */
const installed = join(root, "node_modules/.package-lock.json");

/**
 * A hash of everything besides the specs that the generator's output depends on: its sources and templates by content, the
 * installed packages, and Node. Undefined when it cannot be known which packages are installed.
 */
export function toolVersion(): string | undefined {
  if (!existsSync(installed)) return undefined;
  const hash = createHash("sha256").update(process.version).update(readFileSync(installed));
  for (const path of sourcePlaces.flatMap((place) => filesBelow(join(root, place)))) {
    const content = readFileSync(path);
    hash.update(`\0${path}\0${content.length}\0`).update(content);
  }
  return hash.digest("base64url");
}

function filesBelow(place: string): string[] {
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
