#!/usr/bin/env node
// The first step of the command, in plain JavaScript that any Node can read: it checks the version of Node, and starts a newer one where
// needed.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A clone of the repository has the sources beside this file; the npm package has the command as a bundle, which every Node can read. */
const compiled = !existsSync(new URL("./main.ts", import.meta.url));
const rooms = compiled ? "../../dist/runtime" : "..";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
/** Node 22.18 and 24 run TypeScript as it is; 22.12 to 22.17 do when asked. */
const runs = major > 22 || (major === 22 && minor >= 18);
const runsWhenAsked = major === 22 && minor >= 12;
const typesFlags = ["--experimental-strip-types", "--disable-warning=ExperimentalWarning"];
const fetched = fileURLToPath(new URL("../../.node/bin/node", import.meta.url));

if (runs || (runsWhenAsked && (compiled || process.execArgv.includes(typesFlags[0])))) {
  const { useCompileCache } = await import(`${rooms}/base/compile-cache.js`);
  useCompileCache();
  await import(compiled ? "../../dist/bundle/main.js" : "./main.ts");
} else if (runsWhenAsked) {
  await restart(process.execPath, [...typesFlags, fileURLToPath(import.meta.url)]);
} else if (existsSync(fetched)) {
  await restart(fetched, [fileURLToPath(import.meta.url)]);
} else {
  const help = compiled ? "install a newer one." : "run `make setup` in the repository, which fetches one into it.";
  console.error(`tenon needs Node 22.12 or newer and this is ${process.versions.node}: ${help}`);
  process.exitCode = 69;
}

/** Runs the command again under another Node; signals and the exit status pass through. */
async function restart(node, nodeArguments) {
  // Loaded only here, because each press of the tab key runs this file.
  const { spawn } = await import("node:child_process");
  const child = spawn(node, [...nodeArguments, ...process.argv.slice(2)], { stdio: "inherit" });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    }
  });
}
