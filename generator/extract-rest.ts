// Cuts the operations that a connector's spec binds out of a platform's whole OpenAPI description, with every component
// they reach, so that the repository holds kilobytes where the published description holds hundreds of megabytes.
//
//   node generator/extract-rest.ts DESCRIPTION.json spec/github SOURCE-NAME

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { ConnectorSpec, EntitySpec } from "./load/spec.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** Keys that are for readers of the platform's own site. They would make up most of the extract. */
const unused = new Set([
  "description",
  "summary",
  "title",
  "examples",
  "example",
  "externalDocs",
  "tags",
  "x-github",
  "x-octokit",
  "x-webhooks",
  "x-github-breaking-changes",
]);

const [descriptionFile, folder, source] = process.argv.slice(2);
if (!descriptionFile || !folder || !source) {
  console.error("usage: extract-rest DESCRIPTION.json SPEC-FOLDER SOURCE-NAME");
  process.exit(2);
}
const specs = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => parse(readFileSync(join(folder, file), "utf8")) as ConnectorSpec | EntitySpec);
const outFile = specs.flatMap((spec) => ("platform" in spec ? [join(folder, spec.platform.rest.description)] : []))[0];
const bound = specs.flatMap((spec) =>
  "actions" in spec ? Object.values(spec.actions).flatMap((action) => action.rest ?? []) : [],
);
const operations = [...new Set(bound)].sort();
if (outFile === undefined || operations.length === 0) {
  console.error(`extract-rest: ${folder} has no connector.yaml, or no action with \`rest\``);
  process.exit(1);
}
const description = JSON.parse(readFileSync(descriptionFile, "utf8")) as JsonObject;
const components: JsonObject = {};
const paths: JsonObject = {};
for (const operation of operations) {
  const [method = "", path = ""] = operation.split(" ");
  const found = valueAt(description, ["paths", path, method.toLowerCase()]);
  if (found === undefined) {
    console.error(`extract-rest: the description has no operation "${operation}"`);
    process.exit(1);
  }
  paths[path] = { ...(paths[path] as JsonObject | undefined), [method.toLowerCase()]: copy(found) };
}
const info = valueAt(description, ["info"]) as JsonObject;
const extract = {
  openapi: description["openapi"],
  info: { title: info["title"], version: info["version"], "x-extracted-from": source },
  paths,
  components: sorted(components),
};
writeFileSync(outFile, `${JSON.stringify(extract, null, 1)}\n`);

function valueAt(value: Json | undefined, keys: readonly string[]): Json | undefined {
  let here: Json | undefined = value;
  for (const key of keys) {
    if (here === null || typeof here !== "object" || Array.isArray(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

/** Copies a value without the unused keys, and copies each component that it refers to into the extract. */
function copy(value: Json): Json {
  if (Array.isArray(value)) return value.map(copy);
  if (value === null || typeof value !== "object") return value;
  const reference = value["$ref"];
  if (typeof reference === "string") takeComponent(reference);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !unused.has(key) || isPropertyNamed(key, inner))
      .map(([key, inner]) => [key, copy(inner)]),
  );
}

/** A property of an object may have the name of an unused key, such as "description". Then its value is a schema, not a text. */
function isPropertyNamed(key: string, inner: Json): boolean {
  return !/^examples?$|^x-/.test(key) && typeof inner === "object" && inner !== null && !Array.isArray(inner);
}

function takeComponent(reference: string): void {
  const keys = reference.replace("#/components/", "").split("/");
  const [kind = "", name = ""] = keys;
  components[kind] ??= {};
  const ofKind = components[kind] as JsonObject;
  if (Object.hasOwn(ofKind, name)) return;
  // A component may refer to itself.
  ofKind[name] = null;
  ofKind[name] = copy(valueAt(description, ["components", kind, name]) ?? null);
}

function sorted(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, ofKind]) => [
        kind,
        Object.fromEntries(Object.entries(ofKind as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
  );
}
