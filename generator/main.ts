// The generator's input and output: files, messages, exit status.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { readResults, saveResults } from "./cache/results-file.ts";
import { toolVersion } from "./cache/tool-version.ts";
import { generatedMark } from "./emit/emitter.ts";
import { Generator } from "./generate.ts";
import { type FileChange, type Report, textReport } from "./report.ts";
import { specFolders } from "./spec-folders.ts";
import { watchFolder } from "./watch.ts";

/** Results for the next run, beside the compile cache: below the folder that the generator is started in. */
const resultsFile = ".cache/generator/results";

export interface GeneratorOptions {
  /** Folder of the specs: one folder per connector. */
  readonly spec: string;
  /** Folder that is written. */
  readonly out: string;
  /** Write nothing; a difference between the folder and the specs is a failure. */
  readonly check?: boolean;
  /** Name of the package from which generated code imports the runtime. Absent where it imports the sources of this repository. */
  readonly library?: string;
  /** Takes messages and problems. Default: text on standard output and standard error. */
  readonly report?: Report;
}

/**
 * Generates once.
 *
 * @returns the exit status: 1 when a spec is wrong, or when a generated file differs with `check`
 */
export async function generateOnce(options: GeneratorOptions): Promise<number> {
  const version = toolVersion();
  const results = readResults(resultsFile, version);
  const status = await run(new Generator(results), options);
  saveResults(resultsFile, results, version);
  return status;
}

/** Generates on every save. It starts without earlier results, so that everything that the first save needs is loaded when it comes. */
export async function generateAndWatch(options: GeneratorOptions): Promise<void> {
  const generator = new Generator();
  let running = run(generator, options);
  await running;
  watchFolder(options.spec, () => {
    // A file that was listed may be gone when it is read. The next save generates again.
    running = running
      .then(() => run(generator, options))
      .catch((thrown: unknown) => {
        console.error(`cannot generate: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
        return 1;
      });
  });
  (options.report ?? textReport).watching(options.spec);
}

async function run(generator: Generator, options: GeneratorOptions): Promise<number> {
  const { spec, out, library, report = textReport } = options;
  const started = performance.now();
  const { files, diagnostics } = await generator.generate(specFolders(spec, out), library, report.step);
  if (diagnostics.length > 0) {
    report.problems(diagnostics);
    return 1;
  }
  const changes = compare(out, files);
  const named = changes.map(({ kind, path }) => ({ kind, path: `${out}/${path}` }));
  if (options.check === true) {
    if (changes.length > 0) report.differences(named);
    return changes.length === 0 ? 0 : 1;
  }
  for (const change of changes) apply(out, change);
  report.written(named, files.size, Math.round(performance.now() - started));
  return 0;
}

interface Change extends FileChange {
  readonly text: string;
}

/** The differences between the files on disk and those that should be there. */
function compare(root: string, wanted: ReadonlyMap<string, string>): Change[] {
  const found = existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    : [];
  // The generator removes only files that it has written.
  const orphans = found
    .filter((path) => !wanted.has(path) && readFileSync(join(root, path), "utf8").slice(0, 500).includes(generatedMark))
    .map((path): Change => ({ kind: "removed", path, text: "" }));
  const present = new Set(found);
  const written = [...wanted]
    .filter(([path, text]) => !present.has(path) || readFileSync(join(root, path), "utf8") !== text)
    .map(([path, text]): Change => ({ kind: "wrote", path, text }));
  return [...written, ...orphans].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function apply(root: string, change: Change): void {
  const path = join(root, change.path);
  if (change.kind === "wrote") {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, change.text);
    return;
  }
  rmSync(path);
  for (let folder = dirname(path); folder !== root && readdirSync(folder).length === 0; folder = dirname(folder))
    rmdirSync(folder);
}
