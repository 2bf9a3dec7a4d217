import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Results } from "./results.ts";
import { toolVersion } from "./tool-version.ts";

// Results between two runs of the generator: one file, read whole and written whole.
//
// Why `--check` can rely on it: a file is used only when it was written by the same sources of the generator, the same packages
// and the same Node (`toolVersion`), and when its checksum is right. Each result in it is found only by a hash of all inputs that
// it was made from, file contents included. No date, no file name and no size decides anything. A file that fails any of these
// tests is treated as if it did not exist. Deleting it is always safe.

/** Characters of results that are kept: the connectors of this repository need two thirds. What was used longest ago goes first. */
const capacity = 8 * 1024 * 1024;

/** Results that an earlier run saved, or none. */
export function readResults(file: string, version: string | undefined = toolVersion()): Results {
  const text = version === undefined ? undefined : readIfPresent(file);
  const end = text?.indexOf("\n") ?? -1;
  if (text === undefined || text.slice(0, end) !== header(version, text.slice(end + 1))) return new Results();
  return new Results(entries(text, end + 1));
}

/**
 * Saves results for the next run. Where the file cannot be written, the next run simply starts without them.
 *
 * @param version The version that the results were made with. When the generator's sources have changed since then, some of
 * the results may come from the new sources, so nothing is saved.
 */
export function saveResults(file: string, results: Results, version: string | undefined): void {
  if (!results.added || version === undefined || toolVersion() !== version) return;
  const kept: string[] = [];
  let size = 0;
  for (const [key, json] of results.newestFirst()) {
    size += key.length + json.length;
    if (size > capacity) break;
    kept.push(`${key}\t${json}\n`);
  }
  const body = kept.reverse().join("");
  const unfinished = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(unfinished, `${header(version, body)}\n${body}`);
    renameSync(unfinished, file);
  } catch {
    // A read-only folder or a full disk must not stop the generator, whose own output is elsewhere.
  }
}

/** The entries of the file, a line each, from a place on. */
function* entries(text: string, start: number): Generator<readonly [key: string, json: string]> {
  for (let at = start; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const tab = text.indexOf("\t", at);
    yield [text.slice(at, tab), text.slice(tab + 1, end)];
    at = end + 1;
  }
}

/** First line of the file: the version and a checksum of everything behind this line. */
function header(version: string | undefined, body: string): string {
  return `${version} ${createHash("sha256").update(body).digest("base64url")}`;
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
