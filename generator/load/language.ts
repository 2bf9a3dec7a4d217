import { readFileSync } from "node:fs";

/** The languages of an author's files: of specs, and of simulated platforms. */
export type Language = "connector" | "simulator";

/** The bundle of the command finds a file by its whole name alone. */
const files: Readonly<Record<Language, URL>> = {
  connector: new URL("../../spec/connector.schema.json", import.meta.url),
  simulator: new URL("../../spec/simulator.schema.json", import.meta.url),
};

/** A language, as it is on disk now: it may be edited while a watcher runs. */
export function languageText(language: Language = "connector"): string {
  return readFileSync(files[language], "utf8");
}
