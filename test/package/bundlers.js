// `bundlers.js <bundler> <name>` bundles `<name>.mjs` of the working directory for browsers, as the bundler's own users do, into the folder
// `<bundler>/<name>`. Prints its errors and warnings, one in each line.

import { resolve } from "node:path";
import { build as esbuild } from "esbuild";
import { build as rolldown } from "rolldown";
import { build as vite } from "vite";
import webpack from "webpack";

const [bundler, program] = process.argv.slice(2);
const input = resolve(`${program}.mjs`);
const folder = resolve(bundler, program);

const bundlers = {
  esbuild: async () => {
    const options = { bundle: true, format: "esm", splitting: true, outExtension: { ".js": ".mjs" }, logLevel: "silent" };
    const built = await esbuild({ entryPoints: [input], outdir: folder, platform: "browser", ...options }).catch((e) => e);
    return [...built.errors, ...built.warnings].map(({ text, location }) => `${location?.file}: ${text}`);
  },
  rolldown: async () => {
    const said = [];
    const onLog = (_level, { message }) => said.push(message);
    await rolldown({ input, platform: "browser", onLog, output: { dir: folder, entryFileNames: "[name].mjs" } });
    return said;
  },
  vite: async () => {
    const said = [];
    const rolldownOptions = {
      input,
      onLog: (_level, { message }) => said.push(message),
      output: { entryFileNames: "[name].mjs" },
    };
    await vite({ configFile: false, logLevel: "silent", build: { outDir: folder, rolldownOptions } });
    return said;
  },
  webpack: async () => {
    const output = { path: folder, filename: "[name].mjs" };
    const built = await new Promise((done, fail) =>
      webpack({ mode: "production", entry: input, output }, (thrown, stats) => (thrown ? fail(thrown) : done(stats))),
    );
    const { errors, warnings } = built.toJson();
    return [...errors, ...warnings].map(({ message }) => message);
  },
};

for (const line of await bundlers[bundler]()) console.log(line);
