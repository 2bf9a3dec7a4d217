// Builds the documentation: `node runtime/site/main.ts [--out DIR] [--url https://docs.example.com/]`. It needs no network. With `--url`,
// the address at which the site will be, its pages name their own addresses to search engines. With `--generated DIR`, only the pages of
// the connectors in that folder are built: `tenon docs` does so for those of a project.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { buildOwnPages, buildSite } from "./build.ts";
import { compressed } from "./compress.ts";
import { ownFacts, readProject } from "./project.ts";
import { readConnectors, readTexts } from "./sources.ts";

const { values } = parseArgs({
  options: { out: { type: "string", default: "dist/docs" }, url: { type: "string" }, generated: { type: "string" } },
});
const started = performance.now();
const files =
  values.generated === undefined
    ? buildSite(readConnectors(), readTexts(), readProject(values.url))
    : buildOwnPages(readConnectors(pathToFileURL(`${resolve(values.generated)}/`)), ownFacts());
// Written beside the old site, which is then replaced at once: a service may be reading it.
const fresh = `${values.out}.new`;
rmSync(fresh, { recursive: true, force: true });
let size = 0;
let sent = 0;
await Promise.all(
  [...files].map(async ([path, text]) => {
    const content = Buffer.from(text);
    const file = join(fresh, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    const forms = await compressed(path, content);
    for (const [ending, form] of forms) writeFileSync(`${file}${ending}`, form);
    size += content.length;
    sent += forms[0]?.[1].length ?? content.length;
  }),
);
rmSync(values.out, { recursive: true, force: true });
renameSync(fresh, values.out);
const mebibytes = (bytes: number) => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
console.log(
  `${values.out}: ${files.size} files, ${mebibytes(size)}, ${mebibytes(sent)} compressed, ${Math.round(performance.now() - started)} ms`,
);
