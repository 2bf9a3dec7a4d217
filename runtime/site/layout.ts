import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import type { HashedAssets } from "./hashed-assets.ts";
import type { Rendered } from "./markdown.ts";
import { type Group, type Page, rootOf } from "./page.ts";
import type { Project } from "./project.ts";

// With `strict`, a misspelled name in a template is an error.
const template = Handlebars.compile(readFileSync(new URL("templates/layout.hbs", import.meta.url), "utf8"), { strict: true });

/** What all pages have around them. */
export interface Frame {
  readonly groups: readonly Group[];
  readonly project: Project;
  readonly assets: HashedAssets;
  /** What the navigation calls a page. */
  readonly labelOf: (page: Page) => string;
}

/** A page with everything around it: navigation, table of contents, the pages before and after it. */
export function layOut(page: Page, rendered: Rendered, { groups, project, assets, labelOf }: Frame): string {
  const root = rootOf(page);
  const home = page.path === "index";
  const link = (other: Page) => ({ href: `${root}${other.path}.html`, label: labelOf(other) });
  const listed = groups.flatMap(({ pages }) => pages).filter(({ unlisted }) => !unlisted);
  const at = listed.findIndex(({ path }) => path === page.path);
  const around = (other: Page | undefined) => (at < 0 || other === undefined ? [] : [link(other)]);
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
    bodyClass: home ? "home" : page.root === undefined ? "page" : "page missing",
    sections: groups.flatMap(({ title, pages }) => pages.slice(0, 1).map(({ path }) => ({ title, href: `${root}${path}.html` }))),
    groups: groups.map((one) => ({
      title: one.title,
      open: one === group || (one.long !== true && group?.long !== true) ? " open" : "",
      pages: one.pages
        .filter(({ unlisted }) => !unlisted)
        .map((other) => ({ ...link(other), current: other.path === page.path ? ' aria-current="page"' : "" })),
    })),
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

function fileName({ path }: Page): string {
  return `${path.split("/").at(-1)}.html`;
}

/** Links to the repository and to the source of a page there. Where the address of the repository is not known, the source is named. */
function repositoryLinks({ source }: Page, { repository }: Project) {
  const known = repository !== undefined && source !== undefined;
  return {
    repositories: repository === undefined ? [] : [repository],
    edits: known ? [`${repository}/edit/main/${source}`] : [],
    named: known || source === undefined ? [] : [source],
  };
}
