// Builds the documentation: `node runtime/site/main.ts [--out DIR]`. It needs no network.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { buildSite } from "./build.ts";
import { readConnectors, readTexts } from "./sources.ts";

const { values } = parseArgs({ options: { out: { type: "string", default: "dist/docs" } } });
const started = performance.now();
const files = buildSite(readConnectors(), readTexts());
// Written beside the old site, which is then replaced at once: a service may be reading it.
const fresh = `${values.out}.new`;
rmSync(fresh, { recursive: true, force: true });
let size = 0;
for (const [path, content] of files) {
  const file = join(fresh, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  size += typeof content === "string" ? Buffer.byteLength(content) : content.length;
}
rmSync(values.out, { recursive: true, force: true });
renameSync(fresh, values.out);
console.log(
  `${values.out}: ${files.size} files, ${(size / 1024 / 1024).toFixed(1)} MiB, ${Math.round(performance.now() - started)} ms`,
);
