// Builds what the npm package ships: compiled modules with declarations in dist/, and beside them the files that they read. `npm pack`
// runs it. The sources themselves need no build.
// `client-package/` in it is the package with the client alone, `bundle/` the command with its modules joined.
//
//   node generator/build-package.ts [--out DIR]
//   node generator/build-package.ts --bundle    only the command, from the sources, for `make run`

import { execFileSync } from "node:child_process";
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { bundle } from "./bundle.ts";
import { buildClientPackage } from "./client-package.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist") }, bundle: { type: "boolean" } } });
const out = resolve(values.out);
// The folders of the package are made anew there, so the sources would be removed.
if (out === resolve(root)) throw new Error("--out must not be the repository itself");
if (values.bundle) {
  await bundle(root, join(out, "bundle"));
  process.exit();
}

/** The folders of the package. Whatever in them is not TypeScript is copied as it is: data, templates, generated validators and pages. */
const places = ["generated", "generator", "runtime", "spec"];
/** Not for users of the package: tools of this repository, and the entry of the command, which the package has beside dist/. */
const own = /^(generator\/(build-package|bundle|bundle-name|client-package|publish|release-faults)\.|runtime\/cli\/tenon\.js$)/;
/** How the model was trained; users need only the model. */
const training = join(root, "runtime/semantic/model/training");

for (const place of places) rmSync(join(out, place), { recursive: true, force: true });
// `make check` checks the types, which takes half of the compiler's time.
execFileSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "--project", "tsconfig.build.json", "--noCheck", "--outDir", out],
  {
    cwd: root,
    stdio: "inherit",
  },
);
// The compiler copies it, because modules import it. The package has its own, one folder higher: see `renamed`.
rmSync(join(out, "package.json"));
for (const place of places)
  cpSync(join(root, place), join(out, place), {
    recursive: true,
    filter: (from) => !/(?<!\.d)\.ts$/.test(from) && from !== training,
  });
for (const place of places)
  for (const path of readdirSync(join(out, place), { recursive: true, encoding: "utf8" })) {
    const file = join(out, place, path);
    if (own.test(`${place}/${path.replaceAll("\\", "/")}`)) rmSync(file);
    else if (/\.(js|d\.ts)$/.test(path)) renamed(file);
  }
buildClientPackage(root, out);
await bundle(out, join(out, "bundle"));

/**
 * Lets a compiled module name others by their compiled names. The compiler renames only imports in modules, neither those in
 * declarations nor the addresses of modules that are started as threads.
 */
function renamed(file: string): void {
  const text = readFileSync(file, "utf8");
  const compiled = text
    .replace(/((?:from|import|new URL)\s*\(?\s*"\.{1,2}\/[^"\n]+)\.ts"/g, '$1.js"')
    .replace(/"((?:\.\.\/)+package\.json)"/g, '"../$1"')
    // The docs site stands beside the compiled folders.
    .replaceAll('"../../dist/', '"../../');
  if (compiled !== text) writeFileSync(file, compiled);
}
