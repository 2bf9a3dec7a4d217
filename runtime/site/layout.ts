import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import type { HashedAssets } from "./hashed-assets.ts";
import type { Rendered } from "./markdown.ts";
import { type PageGroup, rootOf, type SitePage } from "./page.ts";
import type { ProjectFacts } from "./project.ts";

// With `strict`, a misspelled name in a template is an error.
const template = Handlebars.compile(readFileSync(new URL("templates/layout.hbs", import.meta.url), "utf8"), { strict: true });

/** What all pages have around them. */
export interface Frame {
  readonly groups: readonly PageGroup[];
  readonly project: ProjectFacts;
  readonly assets: HashedAssets;
  /** What the navigation calls a page. */
  readonly labelOf: (page: SitePage) => string;
}

/** A page with everything around it: navigation, table of contents, the pages before and after it. */
export function layOut(page: SitePage, rendered: Rendered, { groups, project, assets, labelOf }: Frame): string {
  const root = rootOf(page);
  const home = page.path === "index";
  const link = (other: SitePage) => ({ href: `${root}${other.path}.html`, label: labelOf(other) });
  const listed = groups.flatMap(({ pages }) => pages).filter(({ unlisted }) => !unlisted);
  const at = listed.findIndex(({ path }) => path === page.path);
  const around = (other: SitePage | undefined) => (at < 0 || other === undefined ? [] : [link(other)]);
  const group = groups.find(({ pages }) => pages.some(({ path }) => path === page.path));
  const headings = rendered.headings.filter(({ level }) => level <= 3);
  const { url } = project;
  return template({
    root,
    headTitle: home ? `${rendered.title}` : `${rendered.title} · Tenon`,
    title: rendered.title,
    summary: rendered.summary,
    canonical: page.root === undefined ? [`${url ?? ""}${url === undefined ? fileName(page) : `${page.path}.html`}`] : [],
    addresses: url === undefined ? [] : [`${url}${page.path}.html`],
    stylesheet: `${root}${assets.pathOf("site.css")}`,
    themeScript: `${root}${assets.pathOf("theme.js")}`,
    script: `${root}${assets.pathOf("site.js")}`,
    icon: `${root}${assets.pathOf("icon.svg")}`,
    twins: page.root === undefined ? [`${root}${page.path}.md`] : [],
    bodyClass: bodyClass(page),
    sections: sectionsOf(groups, root),
    groups: groups.map((one) => navigationOf(one, one === group, page, link)),
    crumbs: group === undefined || home ? [] : [group.title],
    html: page.html ?? rendered.html,
    previous: around(listed[at - 1]),
    next: around(listed[at + 1]),
    toc: headings.length < 2 || home ? [] : [{ headings }],
    version: project.version,
    license: project.license,
    ...repositoryLinks(page, project),
  });
}

/** The links in the head of each page. Connectors share one, which leads to their list: there is no room for each of them. */
function sectionsOf(groups: readonly PageGroup[], root: string) {
  const links = groups.map(({ title, pages, overview, connector }) =>
    connector === true
      ? { title: "Connectors", href: `${root}index.html#connectors` }
      : { title, href: `${root}${(overview ?? pages[0])?.path}.html` },
  );
  return links.filter(({ title }, at) => links.findIndex((other) => other.title === title) === at);
}

/** A group in the navigation. Of one with many pages, only those readers see the pages who are on one of them. */
function navigationOf(group: PageGroup, isOwn: boolean, page: SitePage, link: (page: SitePage) => object) {
  const { title, pages, long, overview } = group;
  const listed = pages.filter(({ unlisted }) => !unlisted);
  if (long === true && !isOwn) {
    const first = pages.slice(0, 1).map((one) => ({ ...link(overview ?? one), label: title }));
    return { links: first, lists: [] };
  }
  const entries = listed.map((one) => ({ ...link(one), current: one.path === page.path ? ' aria-current="page"' : "" }));
  const all = overview === undefined ? [] : [{ ...link(overview), label: "All codes", current: "" }];
  return { links: [], lists: [{ title, pages: [...all, ...entries] }] };
}

function bodyClass({ path, root, split }: SitePage): string {
  if (path === "index") return "home";
  return ["page", ...(root === undefined ? [] : ["missing"]), ...(split === undefined ? [] : ["reference"])].join(" ");
}

function fileName({ path }: SitePage): string {
  return `${path.split("/").at(-1)}.html`;
}

/** Links to the repository and to the source of a page there. Where the address of the repository is not known, the source is named. */
function repositoryLinks({ source }: SitePage, { repository }: ProjectFacts) {
  const known = repository !== undefined && source !== undefined;
  return {
    repositories: repository === undefined ? [] : [repository],
    edits: known ? [`${repository}/edit/main/${source}`] : [],
    named: known || source === undefined ? [] : [source],
  };
}
