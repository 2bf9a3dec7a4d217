// What users of the generator import as `tenon/generator`.

export type { SpecFolder } from "./connector.ts";
export { type Diagnostic, formatDiagnostic } from "./diagnostic/diagnostic.ts";
export { type Change, type ChangeKind, changeKinds } from "./diff/change.ts";
export { type Generated, Generator } from "./generate.ts";
export { type Initialized, type InitOptions, initSpec } from "./init/init.ts";
export type { SourceFile } from "./load/source.ts";
export { type GeneratorOptions, generateAndWatch, generateOnce } from "./main.ts";
export { diffSpecs, type SpecDiff } from "./spec-diff.ts";
export { specFolders } from "./spec-folders.ts";

/** Folder with the files of a new connector, in which `{{name}}` and its like stand for its name. */
export const scaffold = new URL("./scaffold/", import.meta.url);
