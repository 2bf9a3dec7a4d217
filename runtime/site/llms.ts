import type { Rendered } from "./markdown.ts";
import type { PageGroup, SitePage } from "./page.ts";

/** `llms.txt` (llmstxt.org): what the site is, and a link to the Markdown of every page with a line that says what it has. */
export function llmsText(groups: readonly PageGroup[], of: (page: SitePage) => Rendered): string {
  const parts = groups.map(({ title, pages }) => {
    const lines = pages.map((page) => {
      const { title: name, summary } = of(page);
      return `- [${name}](${page.path}.md)${summary === "" ? "" : `: ${summary}`}`;
    });
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  const first = groups[0]?.pages[0];
  return `# Tenon\n\n> ${first === undefined ? "" : of(first).summary}\n\n${parts.join("\n\n")}\n`;
}

/** `llms-full.txt`: all pages one after the other, each with its address. */
export function llmsFullText(groups: readonly PageGroup[]): string {
  const pages = groups.flatMap((group) => group.pages);
  return pages.map(({ path, markdown }) => `<!-- ${path}.md -->\n\n${markdown.trim()}\n`).join("\n\n---\n\n");
}
