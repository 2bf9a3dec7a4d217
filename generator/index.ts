// What users of the generator import as `tenon/generator`.

export { type Diagnostic, formatDiagnostic } from "./diagnostic/diagnostic.ts";
export { type SpecChange, type SpecChangeKind, specChangeKinds } from "./diff/change.ts";
export { type Drift, driftOf } from "./drift/drift.ts";
export { type Described, readDescribed } from "./extract/source.ts";
export { type Extracted, extractDescription } from "./extract.ts";
export { type Generated, Generator } from "./generate.ts";
export { type Initialized, type InitOptions, initSpec } from "./init/init.ts";
export type { SourceFile } from "./load/source.ts";
export { type GeneratorOptions, generateAndWatch, generateOnce } from "./main.ts";
export type { SpecFolder } from "./model/connector.ts";
export { type FileChange, type Report, textReport } from "./report.ts";
export { diffSpecs, type SpecDiff } from "./spec-diff.ts";
export { specFolders } from "./spec-folders.ts";

/**
 * Folders with the files of a new connector, in which `{{name}}` and its like stand for its name: those that every new connector has, those
 * of a small one that works as it is, and those that stand beside a spec that was drafted.
 */
export const scaffold = {
  common: new URL("./scaffold/common/", import.meta.url),
  small: new URL("./scaffold/small/", import.meta.url),
  drafted: new URL("./scaffold/drafted/", import.meta.url),
} as const;
