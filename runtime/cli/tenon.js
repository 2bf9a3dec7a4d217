#!/usr/bin/env node
// The first step of the command, in plain JavaScript that any Node can read: it checks the version of Node, and starts a newer one where
// needed.

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A clone of the repository has the sources beside this file; the npm package has the command as a bundle, which every Node can read. */
const compiled = !existsSync(new URL("./main.ts", import.meta.url));
const rooms = compiled ? "../../dist/runtime" : "..";

/** Express needs a third of the processor time that it needs on older versions, and TypeScript runs as it is. */
const oldest = 24;
const fetched = fileURLToPath(new URL("../../.node/bin/node", import.meta.url));

if (Number.parseInt(process.versions.node, 10) >= oldest) {
  const { useCompileCache } = await import(`${rooms}/base/compile-cache.js`);
  useCompileCache();
  await import(compiled ? "../../dist/bundle/main.js" : "./main.ts");
} else if (existsSync(fetched)) {
  await restart(fetched, [fileURLToPath(import.meta.url)]);
} else {
  const help = compiled ? "install a newer one." : "run `make setup` in the repository, which fetches one into it.";
  console.error(`tenon needs Node ${oldest} or newer and this is ${process.versions.node}: ${help}`);
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
