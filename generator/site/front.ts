import { markdownTable } from "../print/markdown.ts";
import type { Page } from "./page.ts";
import { type ConnectorSource, titleOf } from "./sources.ts";

/** The front page: its text, and the connectors that there are. */
export function frontPage(text: string, connectors: readonly ConnectorSource[]): Page {
  const rows = connectors.map((source) => [
    `[${titleOf(source)}](${source.name}/index.md)`,
    String(source.openapi.tags.length),
    source.openapi.info.description,
  ]);
  const table = markdownTable(["connector", "entities", "what it is"], rows);
  return { path: "index", label: "Tenon", markdown: text.replace("<!-- connectors -->", table) };
}
