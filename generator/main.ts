// The generator's only room with input and output: arguments, files, exit status.
//
//   node generator/cli.ts [--check | --watch] [--spec DIR] [--out DIR]

import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { formatDiagnostic } from "./diagnostic.ts";
import { generatedMark } from "./emit/emitter.ts";
import { Generator, type SpecFolder } from "./generate.ts";
import { watchFolder } from "./watch.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    watch: { type: "boolean", default: false },
    spec: { type: "string", default: "spec" },
    out: { type: "string", default: "generated" },
  },
});

const generator = new Generator();
if (values.watch) {
  run();
  watchFolder(values.spec, run);
  console.log(`watching ${values.spec}/ (end with Ctrl-C)`);
} else {
  process.exitCode = run();
}

/** Generates once; gives the exit status. */
function run(): number {
  const started = performance.now();
  const { files, diagnostics } = generator.generate(specFolders(values.spec));
  for (const one of diagnostics) console.error(formatDiagnostic(one));
  if (diagnostics.length > 0) {
    console.error(`${diagnostics.length} problem${diagnostics.length === 1 ? "" : "s"}; nothing was written`);
    return 1;
  }
  const changes = compare(values.out, files);
  if (values.check) {
    for (const change of changes)
      console.error(`${change.kind === "wrote" ? "differs" : "left over"}: ${values.out}/${change.path}`);
    if (changes.length > 0) console.error("generated files differ from the specs: run `make generate` and commit the result");
    return changes.length > 0 ? 1 : 0;
  }
  for (const change of changes) apply(values.out, change);
  for (const change of changes) console.log(`${change.kind}: ${values.out}/${change.path}`);
  console.log(`${files.size} files, ${changes.length} changed, ${Math.round(performance.now() - started)} ms`);
  return 0;
}

function specFolders(root: string): SpecFolder[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => {
      const folder = join(root, name);
      const yaml = readdirSync(folder).filter((file) => /\.ya?ml$/.test(file));
      return {
        path: folder,
        files: yaml.map((file) => ({ path: join(folder, file), text: readFileSync(join(folder, file), "utf8") })),
        read: (reference) => readReference(folder, reference),
        module: (file) => moduleAddress(join(folder, file)),
      };
    });
}

/** A file beside the spec, or `package/file` of a package installed here or further up (its `exports` need not name the file). */
function readReference(folder: string, reference: string): string | undefined {
  const places = [join(folder, reference)];
  for (let here = resolve(folder); ; here = dirname(here)) {
    places.push(join(here, "node_modules", reference));
    if (here === dirname(here)) break;
  }
  const found = places.find((place) => existsSync(place));
  return found === undefined ? undefined : readFileSync(found, "utf8");
}

/** Generated code of a connector stands one folder below `--out`. */
function moduleAddress(path: string): string | undefined {
  return existsSync(path) ? relative(join(values.out, "connector"), path).replaceAll("\\", "/") : undefined;
}

interface Change {
  readonly kind: "wrote" | "removed";
  readonly path: string;
  readonly text: string;
}

/** What differs between the files on disk and those that should be there. */
function compare(root: string, wanted: ReadonlyMap<string, string>): Change[] {
  const found = existsSync(root)
    ? readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    : [];
  // Only what the generator wrote is its to remove.
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
