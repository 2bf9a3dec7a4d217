// Reads OpenAPI documents as their users' tools do, and prints what they find fault with, one fault in each line: Spectral with its rules
// for OpenAPI, and openapi-typescript.
//
//   node openapi-tools.js <file>...

import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import spectralCore from "@stoplight/spectral-core";
import rulesets from "@stoplight/spectral-rulesets";

// openapi-typescript prints with the interface that TypeScript had until version 6, which ts-morph has a copy of.
const printer = `import { ts } from ${JSON.stringify(import.meta.resolve("ts-morph"))}; export default ts;`;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "typescript" && context.parentURL?.includes("/openapi-typescript/")
      ? { url: `data:text/javascript,${encodeURIComponent(printer)}`, shortCircuit: true }
      : next(specifier, context),
});
const { default: typesOf, astToString } = await import("openapi-typescript");

const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[rulesets.oas, "recommended"]] });
for (const file of process.argv.slice(2)) {
  const document = JSON.parse(readFileSync(file, "utf8"));
  const found = await spectral.run(document);
  for (const { code, message, path } of found) console.log(`${file} ${code}: ${message} /${path.join("/")}`);
  // It writes its warnings to the console.
  if (!astToString(await typesOf(document)).includes("export interface components")) console.log(`${file}: no types`);
}
