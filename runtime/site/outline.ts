import { readFigures } from "./figures.ts";
import { frontPage } from "./front.ts";
import type { PageGroup, SitePage } from "./page.ts";
import { errorPages } from "./pages/errors.ts";
import { languagePage } from "./pages/language.ts";
import type { Project } from "./project.ts";
import { completeReference } from "./reference.ts";
import { type ConnectorSource, titleOf } from "./sources.ts";
import { withSpecs } from "./spec-excerpt.ts";
import { withTables } from "./tables.ts";
import { withTermLinks } from "./terms.ts";

/** The written pages by group, in their order. Every text of the folder `text/` has a place here. */
const written = {
  Start: ["quickstart-agent", "quickstart-team", "quickstart-connector", "quickstart-typescript", "concepts", "why"],
  Use: [
    "requests",
    "pagination",
    "errors",
    "cached-search",
    "sql",
    "sql-reference",
    "semantic-search",
    "sync",
    "changes",
    "webhooks",
    "webhooks-out",
    "webhooks-internals",
    "typescript",
    "commands",
    "mcp",
    "machines",
    "another-client",
    "troubleshooting",
    "glossary",
  ],
  Operate: [
    "deployment",
    "operate",
    "monitoring",
    "admin",
    "authentication",
    "credentials",
    "approve-writes",
    "policy",
    "postgresql",
    "postgresql-internals",
    "postgresql-connections",
    "processes-internals",
    "upgrade",
    "limits",
    "settings",
    "routes",
  ],
  "Write a spec": ["tutorial", "recipes", "spec-language", "simulator-language"],
  "Change Tenon": [
    "architecture",
    "decisions",
    "decisions-service",
    "state-machines",
    "state-machines-writes",
    "testing",
    "testing-faults",
  ],
} as const;

/** All pages of the site in their order. @throws Error when a text is missing or has no place */
export function outline(
  connectors: readonly ConnectorSource[],
  texts: ReadonlyMap<string, string>,
  project: Project,
): PageGroup[] {
  const used = new Set(["index"]);
  const text = (name: string): string => {
    const found = texts.get(name);
    if (found === undefined) throw new Error(`there is no text "${name}"`);
    used.add(name);
    return found;
  };
  const page = (name: string): SitePage => ({
    path: name,
    markdown: writtenPage(name, text(name), text("glossary"), connectors),
    source: sourceOf(name),
  });
  const groups = Object.entries(written).map(([title, names]): PageGroup => ({ title, pages: names.map(page) }));
  const errors = groups.flatMap(({ pages }) => pages).find(({ path }) => path === "errors");
  const [start, ...others] = groups;
  const front = frontPage(writtenPage("index", text("index"), text("glossary"), connectors), connectors, readFigures());
  const unplaced = [...texts.keys()].filter((name) => !used.has(name));
  if (unplaced.length > 0) throw new Error(`texts without a place in the outline: ${unplaced.join(", ")}`);
  return [
    { title: "Start", pages: [front, ...(start?.pages ?? [])] },
    ...others,
    ...connectors.map(connectorGroup),
    { title: "Errors", pages: errorPages(), long: true, ...(errors === undefined ? {} : { overview: errors }) },
    { title: "Project", pages: projectPages(project) },
  ];
}

function projectPages({ changelog, licenseText }: Project): SitePage[] {
  return [
    { path: "changelog", markdown: changelog, source: "CHANGELOG.md" },
    { path: "license", markdown: `# License\n\n${licenseText}`, source: "LICENSE" },
  ];
}

function sourceOf(text: string): string {
  return `runtime/site/text/${text}.md`;
}

function writtenPage(name: string, text: string, glossary: string, connectors: readonly ConnectorSource[]): string {
  const linked = name === "glossary" ? text : withTermLinks(text, glossary);
  const language = { "spec-language": "connector", "simulator-language": "simulator" } as const;
  const markdown =
    name === "spec-language" || name === "simulator-language"
      ? languagePage(withSpecs(linked), language[name])
      : withTables(withSpecs(linked), connectors);
  const answersOf = (connector: string | undefined) => connectors.find((one) => one.name === connector)?.answers ?? {};
  return completeReference(markdown, answersOf, () => undefined, "");
}

/** The reference pages of a connector. */
export function connectorGroup(source: ConnectorSource): PageGroup {
  const { name, reference, documents, answers } = source;
  const pages = [...reference].map(([page, markdown]): SitePage => {
    const path = `${name}/${page}`;
    const complete = completeReference(
      markdown.replace(/^<!--[\s\S]*?-->\s*/, ""),
      () => answers,
      (entity, action) => documents.get(`${entity}.${action}`),
      "../",
    );
    const source = `spec/${name}/${page === "index" ? "connector" : page}.yaml`;
    return {
      path,
      markdown: complete,
      label: page === "index" ? "Overview" : page,
      source,
      ...(page === "index" ? {} : { split: true }),
    };
  });
  const overview = pages.filter(({ label }) => label === "Overview");
  return {
    title: titleOf(source),
    pages: [...overview, ...pages.filter(({ label }) => label !== "Overview")],
    long: true,
    connector: true,
  };
}
