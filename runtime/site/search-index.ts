import MiniSearch from "minisearch";
import type { Rendered } from "./markdown.ts";
import type { Page } from "./page.ts";

/** One part of a page, as the search in the browser finds and shows it. */
interface Entry {
  readonly id: number;
  readonly href: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
}

/** Options of the index. The browser reads the index with the same ones, so they stand in its file. */
const options = { fields: ["title", "page", "text"], storeFields: ["href", "page", "title", "summary"] };

/** The index of the search: a part of a page is found by its heading, the title of its page, and its text. */
export function searchIndex(pages: readonly (readonly [Page, Rendered])[]): string {
  const parts = pages.flatMap(([page, { title, sections }]) =>
    sections.map((section) => ({
      href: `${page.path}.html${section.id === "" ? "" : `#${section.id}`}`,
      page: title,
      title: section.title,
      text: section.text,
      summary: section.text.slice(0, 140),
    })),
  );
  const index = new MiniSearch<Entry>(options);
  index.addAll(parts.map((part, id) => ({ id, ...part })));
  return JSON.stringify({ options, index: index.toJSON() });
}
