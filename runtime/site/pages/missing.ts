import type { SitePage } from "../page.ts";

/** What a browser gets at an address that there is not. It may be at any depth, so its links begin at the root of the service. */
export const missingPage: SitePage = {
  path: "404",
  root: "/docs/",
  markdown: `# Page not found

There is nothing at this address. Search the documentation, or start from one of these pages.

- [Start](/docs/index.html)
- [Errors by code](/docs/errors.html)
- [HTTP routes](/docs/routes.html)
- [Commands](/docs/commands.html)
`,
};
