import type { Page } from "./page.ts";
import type { ConnectorSource } from "./sources.ts";
import { markdownTable } from "./tables.ts";

/** The front page: its text, and the connectors that there are. */
export function frontPage(text: string, connectors: readonly ConnectorSource[]): Page {
  const rows = connectors.map(({ name, openapi }) => [
    `[${openapi.info.title.replace(/^Tenon: /, "")}](${name}/index.md)`,
    String(openapi.tags.length),
    openapi.info.description,
  ]);
  const table = markdownTable(["connector", "entities", "what it is"], rows);
  return { path: "index", label: "Tenon", markdown: text.replace("<!-- connectors -->", table) };
}
