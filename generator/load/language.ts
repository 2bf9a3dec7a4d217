import { readFileSync, statSync } from "node:fs";

/** The languages of an author's files: of specs, and of simulated platforms. */
export type Language = "connector" | "simulator";

/** The bundle of the command finds a file by its whole name alone. */
const files: Readonly<Record<Language, URL>> = {
  connector: new URL("../../spec/connector.schema.json", import.meta.url),
  simulator: new URL("../../spec/simulator.schema.json", import.meta.url),
};

interface Known {
  readonly state: string;
  readonly text: string;
}

const known = new Map<Language, Known>();

/** A language, as it is on disk now: it may be edited while a watcher runs. */
export function languageText(language: Language = "connector"): string {
  const { mtimeNs, size, ino } = statSync(files[language], { bigint: true });
  const state = [mtimeNs, size, ino].join();
  const before = known.get(language);
  if (before?.state === state) return before.text;
  const text = readFileSync(files[language], "utf8");
  known.set(language, { state, text });
  return text;
}
