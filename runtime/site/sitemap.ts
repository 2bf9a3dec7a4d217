import { escapeHtml } from "./html.ts";
import type { SitePage } from "./page.ts";
import type { Project } from "./project.ts";

/** All pages for search engines. Where the address of the site is not known, the service that shows it puts its own before each path. */
export function sitemap(pages: readonly SitePage[], { url = "" }: Project): string {
  const lines = pages.map(({ path }) => `<url><loc>${escapeHtml(`${url}${path}.html`)}</loc></url>\n`);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${lines.join("")}</urlset>\n`;
}
