import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { RecordedAnswers } from "./examples.ts";

// What the site is made from: what the generator wrote for each connector, and the texts in this folder.

export interface OpenapiDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly components: { readonly schemas: Readonly<Record<string, ObjectSchema>> };
}

/** What the pages read of the schema of an object. */
export interface ObjectSchema {
  readonly properties?: Readonly<
    Record<string, { readonly minimum?: number; readonly maximum?: number; readonly default?: unknown }>
  >;
}

export interface ConnectorSource {
  readonly name: string;
  /** Name of the class in its client library. */
  readonly client: string;
  readonly openapi: OpenapiDocument;
  /** Markdown of its reference pages by name: `index` and one per entity. */
  readonly reference: ReadonlyMap<string, string>;
  /** GraphQL documents by `<entity>.<action>`. */
  readonly documents: ReadonlyMap<string, string>;
  readonly answers: RecordedAnswers;
}

/** What a reader calls the connector. */
export function titleOf({ openapi }: ConnectorSource): string {
  return openapi.info.title.replace(/^Tenon: /, "");
}

const generated = new URL("../../generated/", import.meta.url);
const texts = new URL("text/", import.meta.url);

/** Every connector below `generated/`. */
export function readConnectors(root: URL = generated): ConnectorSource[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .map((name) => readConnector(name, new URL(`${name}/`, root)));
}

function readConnector(name: string, folder: URL): ConnectorSource {
  const answers = new URL("answers.json", folder);
  return {
    name,
    client: clientName(folder),
    openapi: JSON.parse(readFileSync(new URL("openapi.json", folder), "utf8")) as OpenapiDocument,
    reference: readAll(new URL("reference/", folder), ".md"),
    documents: readAll(new URL("documents/", folder), ".graphql"),
    answers: existsSync(answers) ? (JSON.parse(readFileSync(answers, "utf8")) as RecordedAnswers) : {},
  };
}

function clientName(folder: URL): string {
  const file = new URL("client.ts", folder);
  return (existsSync(file) ? /export const (\w+): ConnectorClass/.exec(readFileSync(file, "utf8"))?.[1] : undefined) ?? "";
}

/** The written pages by name. */
export function readTexts(): ReadonlyMap<string, string> {
  return readAll(texts, ".md");
}

function readAll(folder: URL, ending: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((file) => file.endsWith(ending));
  return new Map(files.sort().map((file) => [file.slice(0, -ending.length), readFileSync(new URL(file, folder), "utf8")]));
}

/** Files that the pages load, by name: styles, scripts, fonts. */
export function readAssets(): ReadonlyMap<string, Buffer> {
  const own = new URL("assets/", import.meta.url);
  const files = readdirSync(own)
    .filter((file) => !file.endsWith(".d.ts"))
    .map((file) => [file, readFileSync(new URL(file, own))] as const);
  const packages = packageFiles.map(([name, file]) => [name, readFileSync(fileURLToPath(import.meta.resolve(file)))] as const);
  return new Map([...files, ...packages]);
}

const packageFiles: readonly (readonly [name: string, file: string])[] = [
  ["sans-400.woff2", "@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff2"],
  ["sans-400-italic.woff2", "@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-italic.woff2"],
  ["sans-600.woff2", "@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff2"],
  ["mono-400.woff2", "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-400-normal.woff2"],
  ["mono-600.woff2", "@fontsource/ibm-plex-mono/files/ibm-plex-mono-latin-600-normal.woff2"],
  ["minisearch.js", "minisearch"],
];
