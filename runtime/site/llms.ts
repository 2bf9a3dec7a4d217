import { renderMarkdown } from "./markdown.ts";
import type { PageGroup } from "./page.ts";

/** `llms.txt` (llmstxt.org): what the site is, and a link to the Markdown of every page with a line that says what it has. */
export function llmsText(groups: readonly PageGroup[], summary: string): string {
  const parts = groups.map(({ title, pages }) => {
    const lines = pages.map(({ path, markdown }) => {
      const { title: name, summary: text } = renderMarkdown(markdown, {});
      return `- [${name}](${path}.md)${text === "" ? "" : `: ${text}`}`;
    });
    return `## ${title}\n\n${lines.join("\n")}`;
  });
  return `# Tenon\n\n> ${summary}\n\n${parts.join("\n\n")}\n`;
}

/** `llms-full.txt`: all pages one after the other, each with its address. */
export function llmsFullText(groups: readonly PageGroup[]): string {
  const pages = groups.flatMap((group) => group.pages);
  return pages.map(({ path, markdown }) => `<!-- ${path}.md -->\n\n${markdown.trim()}\n`).join("\n\n---\n\n");
}
