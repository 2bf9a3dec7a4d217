import { readFileSync } from "node:fs";

const file = new URL("../../spec/connector.schema.json", import.meta.url);

/** The spec language, as it is on disk now: it may be edited while a watcher runs. */
export function languageText(): string {
  return readFileSync(file, "utf8");
}
