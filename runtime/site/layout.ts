import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import type { Rendered } from "./markdown.ts";
import { type Group, type Page, rootOf } from "./page.ts";

// With `strict`, a misspelled name in a template is an error.
const template = Handlebars.compile(readFileSync(new URL("templates/layout.hbs", import.meta.url), "utf8"), { strict: true });

/** A page with everything around it: navigation, table of contents, the pages before and after it. */
export function layOut(page: Page, rendered: Rendered, groups: readonly Group[], labelOf: (page: Page) => string): string {
  const root = rootOf(page.path);
  const home = page.path === "index";
  const link = (other: Page) => ({ href: `${root}${other.path}.html`, label: labelOf(other) });
  const listed = groups.flatMap(({ pages }) => pages).filter(({ unlisted }) => !unlisted);
  const at = listed.findIndex(({ path }) => path === page.path);
  const around = (other: Page | undefined) => (at < 0 || other === undefined ? [] : [link(other)]);
  const group = groups.find(({ pages }) => pages.some(({ path }) => path === page.path));
  const headings = rendered.headings.filter(({ level }) => level <= 3);
  return template({
    root,
    headTitle: home ? `${rendered.title}` : `${rendered.title} · Tenon`,
    summary: rendered.summary,
    markdownHref: `${root}${page.path}.md`,
    bodyClass: home ? "home" : "page",
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
  });
}
