import { readFileSync } from "node:fs";

/** The languages of an author's files: of specs, and of simulated platforms. */
export type Language = "connector" | "simulator";

/** A language, as it is on disk now: it may be edited while a watcher runs. */
export function languageText(language: Language = "connector"): string {
  return readFileSync(new URL(`../../spec/${language}.schema.json`, import.meta.url), "utf8");
}
