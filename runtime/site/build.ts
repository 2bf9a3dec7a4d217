import { codeBlock } from "./code.ts";
import { answerKey, exampleTabs } from "./examples.ts";
import { fanSvg } from "./fan-picture.ts";
import { hashAssets } from "./hashed-assets.ts";
import { type Frame, layOut } from "./layout.ts";
import { llmsFullText, llmsText } from "./llms.ts";
import { type Blocks, type Rendered, renderMarkdown } from "./markdown.ts";
import { connectorGroup, outline } from "./outline.ts";
import type { PageGroup, SitePage } from "./page.ts";
import { missingPage } from "./pages/missing.ts";
import { pictureSvg } from "./picture.ts";
import { type Project, type ProjectFacts, readProject } from "./project.ts";
import type { SampleRequest } from "./request.ts";
import { schemaFiles } from "./schemas.ts";
import { searchIndex } from "./search-index.ts";
import { sitemap } from "./sitemap.ts";
import { type ConnectorSource, readAssets } from "./sources.ts";

/** Everything that the site consists of, by path. */
export type Site = ReadonlyMap<string, string | Buffer>;

/** Makes the whole site from what the generator wrote for the connectors, and the written texts by name. */
export function buildSite(
  connectors: readonly ConnectorSource[],
  texts: ReadonlyMap<string, string>,
  project: Project = readProject(),
): Site {
  const groups = outline(connectors, texts, project);
  const pages = groups.flatMap((group) => group.pages);
  const { files, of, frame } = buildPages(groups, groups, connectors, project);
  files.set("404.html", layOut(missingPage, of(missingPage), frame));
  files.set("llms.txt", llmsText(groups, of));
  files.set("llms-full.txt", llmsFullText(groups));
  files.set("sitemap.xml", sitemap(pages, project));
  return files;
}

/**
 * Makes the pages of a project's own connectors, which a service serves beside the whole site: their first link leads to its front page,
 * and what they share with it, such as the pages of errors, is there.
 */
export function buildOwnPages(connectors: readonly ConnectorSource[], project: ProjectFacts): Site {
  const own = connectors.map((source): PageGroup => {
    // Each has a link of its own in the head of the pages: there are few.
    const { connector: _, ...group } = connectorGroup(source);
    return group;
  });
  const home: PageGroup = { title: "Tenon", pages: [{ path: "index", label: "Documentation", markdown: "" }] };
  return buildPages([home, ...own], own, connectors, project).files;
}

/** The pages of the groups, with what they load. @param listed the groups in the navigation of each page */
function buildPages(
  listed: readonly PageGroup[],
  groups: readonly PageGroup[],
  connectors: readonly ConnectorSource[],
  project: ProjectFacts,
) {
  const pages = groups.flatMap((group) => group.pages);
  const rendered = new Map(pages.map((page) => [page, renderMarkdown(page.markdown, blocksOf(page, connectors), page.split)]));
  const of = (page: SitePage): Rendered => rendered.get(page) ?? renderMarkdown(page.markdown, {});
  const assets = hashAssets(new Map<string, string | Buffer>(readAssets()).set("search.json", searchIndex(groups, of)));
  const frame: Frame = { groups: listed, project, assets, labelOf: (page) => page.label ?? of(page).title };
  const files = new Map<string, string | Buffer>(assets.files);
  for (const page of pages) {
    files.set(`${page.path}.html`, layOut(page, of(page), frame));
    files.set(`${page.path}.md`, page.markdown);
  }
  for (const connector of connectors) for (const [path, text] of schemaFiles(connector)) files.set(path, text);
  return { files, of, frame };
}

/** How the blocks of a page with a role become HTML. */
function blocksOf({ path }: SitePage, connectors: readonly ConnectorSource[]): Blocks {
  const [folder = ""] = path.split("/");
  let count = 0;
  return {
    request: (content, named = folder) => {
      count += 1;
      const connector = connectors.find(({ name }) => name === named);
      const request = JSON.parse(content) as SampleRequest;
      if (connector === undefined) return codeBlock(content, "json");
      const { name, client, answers } = connector;
      return exampleTabs({ name, client }, request, answers[answerKey(request)], count);
    },
    answer: (content) => `<div class="answer">${codeBlock(content, "json", "Response")}</div>`,
    document: (content) =>
      `<details class="document"><summary>The GraphQL document that it sends</summary>${codeBlock(content, "graphql")}</details>`,
    ask: (content) => codeBlock(content, "json", "Request"),
    told: (content) => codeBlock(content, "json", "Response"),
    output: (content) => codeBlock(content, content.startsWith("{") ? "json" : "text", "Output"),
    call: (content) => codeBlock(content, "json", "Call of a tool"),
    result: (content) => codeBlock(content, "json", "Result"),
    commands: (content) => codeBlock(content, "sh", "Two commands"),
    spec: (content) => codeBlock(content, "yaml", "A whole entity of a spec"),
    picture: pictureSvg,
    fan: fanSvg,
  };
}
