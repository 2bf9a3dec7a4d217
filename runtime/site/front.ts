import { markdownTable } from "../../generator/print/markdown.ts";
import { type Figures, figureTable } from "./figures.ts";
import type { SitePage } from "./page.ts";
import { type ConnectorSource, titleOf } from "./sources.ts";

/** The front page: its text, the connectors that there are, and what was measured. */
export function frontPage(text: string, connectors: readonly ConnectorSource[], figures: Figures): SitePage {
  const rows = connectors.map((source) => [
    `[${titleOf(source)}](${source.name}/index.md)`,
    String([...source.reference.keys()].filter((name) => name !== "index").length),
    source.openapi.info.description,
  ]);
  const table = markdownTable(["connector", "entities", "what it is"], rows);
  const markdown = text.replace("<!-- connectors -->", table).replace("<!-- figures -->", figureTable(figures));
  return { path: "index", label: "Tenon", markdown, source: "runtime/site/text/index.md" };
}
