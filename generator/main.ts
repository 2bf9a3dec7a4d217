// The generator's input and output: arguments, files, messages, exit status. It ends with 1 when a spec is wrong or, with `--check`,
// when a generated file differs.
//
//   node generator/cli.ts [--check | --watch] [--spec DIR] [--out DIR]

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { Results } from "./cache/results.ts";
import { readResults, saveResults } from "./cache/results-file.ts";
import { toolVersion } from "./cache/tool-version.ts";
import { type Diagnostic, formatDiagnostic } from "./diagnostic/diagnostic.ts";
import { generatedMark } from "./emit/emitter.ts";
import { Generator } from "./generate.ts";
import { specFolders } from "./spec-folders.ts";
import { watchFolder } from "./watch.ts";

/** Results for the next run, beside the compile cache: below the folder that the generator is started in. */
const resultsFile = ".cache/generator/results";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
    spec: { type: "string", default: "spec" },
    out: { type: "string", default: "generated" },
  },
});

const version = toolVersion();
const results = values.watch ? new Results() : readResults(resultsFile, version);
const generator = new Generator(results);
if (values.watch) {
  // A watcher starts without earlier results, so that everything that the first save needs is loaded when it comes.
  let running = run();
  await running;
  watchFolder(values.spec, () => {
    running = running.then(run);
  });
  console.log(`watching ${values.spec}/ (end with Ctrl-C)`);
} else {
  process.exitCode = await run();
}

/** Generates once, and gives the exit status. */
async function run(): Promise<number> {
  const started = performance.now();
  const { files, diagnostics } = await generator.generate(specFolders(values.spec, values.out));
  const status = diagnostics.length > 0 ? tell(diagnostics) : values.check ? check(files) : write(files, started);
  saveResults(resultsFile, results, version);
  return status;
}

function tell(diagnostics: readonly Diagnostic[]): number {
  for (const one of diagnostics) console.error(formatDiagnostic(one));
  console.error(`${diagnostics.length} problem${diagnostics.length === 1 ? "" : "s"}; nothing was written`);
  return 1;
}

function check(files: ReadonlyMap<string, string>): number {
  const changes = compare(values.out, files);
  for (const { kind, path } of changes) console.error(`${kind === "wrote" ? "differs" : "left over"}: ${values.out}/${path}`);
  if (changes.length === 0) return 0;
  console.error("generated files differ from the specs: run `make generate` and commit the result");
  return 1;
}

function write(files: ReadonlyMap<string, string>, started: number): number {
  const changes = compare(values.out, files);
  for (const change of changes) apply(values.out, change);
  for (const { kind, path } of changes) console.log(`${kind}: ${values.out}/${path}`);
  console.log(`${files.size} files, ${changes.length} changed, ${Math.round(performance.now() - started)} ms`);
  return 0;
}

interface Change {
  readonly kind: "wrote" | "removed";
  readonly path: string;
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
