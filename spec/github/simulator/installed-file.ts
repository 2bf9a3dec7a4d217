import { readFileSync } from "node:fs";

/** The text of a file in an installed package. By path: these packages export neither the file nor, to `require`, anything at all. */
export function installedText(path: string): string {
  return readFileSync(new URL(`../../../node_modules/${path}`, import.meta.url), "utf8");
}
