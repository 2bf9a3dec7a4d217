import MiniSearch from "minisearch";
import { connectors } from "../main/connectors.ts";
import { termsOf } from "./assets/terms.js";
import type { Rendered } from "./markdown.ts";
import type { PageGroup, SitePage } from "./page.ts";
import { synonyms } from "./synonyms.ts";

/** One section of a page, as the search in the browser finds and shows it. */
interface Entry {
  readonly id: number;
  readonly href: string;
  /** The connector or the part of the site that the page belongs to. */
  readonly group: string;
  readonly page: string;
  readonly title: string;
  readonly text: string;
  /** Raises the score. Pages that explain something stand before those that list it for one connector or one error. */
  readonly weight: number;
}

/** Options of the index. The browser reads the index with the same ones, so they stand in its file. */
const options = { fields: ["title", "page", "group", "text"], storeFields: ["href", "group", "page", "title", "text", "weight"] };

/** Pages that list everything of a kind, as the pages of connectors and of single errors do. */
const lists: ReadonlySet<string> = new Set([
  ...[
    "index",
    "settings",
    "commands",
    "routes",
    "spec-language",
    "simulator-language",
    "recipes",
    "changelog",
    "license",
    "testing",
    "testing-faults",
    "state-machines",
    "state-machines-writes",
    "decisions",
    "decisions-service",
  ],
  // "How it works", beside the guides.
  ...["postgresql-internals", "postgresql-connections", "processes-internals", "webhooks-internals", "sql-reference"],
]);

/** Pages about one feature, which mention everything beside it. */
const features: ReadonlySet<string> = new Set(["approve-writes", "changes", "credentials", "mcp", "webhooks", "webhooks-out"]);

/** Several platforms have things of one name: most readers look for those of the connector with the most entities. */
const largest = connectors.reduce((a, b) => (Object.keys(b.entities).length > Object.keys(a.entities).length ? b : a)).name;

/** Pages that explain something stand before those that list it. */
function weightOf({ path }: SitePage): number {
  if (path.includes("/") && !path.startsWith("errors/") && !path.startsWith(`${largest}/`)) return 0.5;
  if (path.includes("/") || lists.has(path)) return 1;
  return features.has(path) ? 2 : 3;
}

/** The file of the search: a section is found by its heading, the title of its page, and its text. */
export function searchIndex(groups: readonly PageGroup[], renderedOf: (page: SitePage) => Rendered): string {
  const sections = groups.flatMap(({ title: group, pages }) =>
    pages.flatMap((page) => {
      const rendered = renderedOf(page);
      return rendered.sections.map((section) => ({
        href: `${page.path}.html${section.id === "" ? "" : `#${section.id}`}`,
        group,
        page: rendered.title,
        title: section.title,
        text: section.text,
        weight: weightOf(page),
      }));
    }),
  );
  const index = new MiniSearch<Entry>({
    ...options,
    tokenize: termsOf,
    processTerm: (term) => term,
    extractField: (entry, name) => entry[name as keyof Entry],
  });
  index.addAll(sections.map((section, id) => ({ id, ...section })));
  return JSON.stringify({ options, index: index.toJSON(), synonyms });
}
