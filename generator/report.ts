import { type Diagnostic, formatDiagnostic } from "./diagnostic/diagnostic.ts";

/** A difference between a file on disk and what the specs ask for. */
export interface FileChange {
  readonly kind: "wrote" | "removed";
  /** Path of the file, with the folder that is written. */
  readonly path: string;
}

/** Takes what a run of the generator has to say. */
export interface Report {
  /** One more of the steps that the connectors need together is about to begin. */
  step(connector: string, done: number, total: number): void;
  /** The specs are wrong, so that nothing was written. */
  problems(diagnostics: readonly Diagnostic[]): void;
  /** Files differ from the specs, and only a check was requested. */
  differences(changes: readonly FileChange[]): void;
  /** Everything was written. */
  written(changes: readonly FileChange[], files: number, ms: number): void;
  /** The folder is watched from now on. */
  watching(folder: string): void;
}

/** Messages as text on standard output, problems on standard error. */
export const textReport: Report = {
  step: () => undefined,
  problems: (diagnostics) => {
    for (const one of diagnostics) console.error(formatDiagnostic(one));
    console.error(`${diagnostics.length} problem${diagnostics.length === 1 ? "" : "s"}; nothing was written`);
  },
  differences: (changes) => {
    for (const { kind, path } of changes) console.error(`${kind === "wrote" ? "differs" : "left over"}: ${path}`);
    console.error("generated files differ from the specs: generate again and commit the result");
  },
  written: (changes, files, ms) => {
    for (const { kind, path } of changes) console.log(`${kind}: ${path}`);
    console.log(`${files} files, ${changes.length} changed, ${ms} ms`);
  },
  watching: (folder) => console.log(`watching ${folder}/ (end with Ctrl-C)`),
};
