/** A page before it is laid out: its place and its Markdown, from which both of its forms are made. */
export interface SitePage {
  /** Path below the site, without an ending: `github/issues`. */
  readonly path: string;
  /** Title in the navigation, where it differs from the title of the page. */
  readonly label?: string;
  readonly markdown: string;
  /** Where the links of the page to others begin, unless from the page itself. */
  readonly root?: string;
  /** The file of the repository in which the text is changed. */
  readonly source?: string;
  /** A page that no navigation lists, such as the page of one error code. */
  readonly unlisted?: true;
  /** A page of many sections with samples, which stand beside the text. */
  readonly split?: true;
  /** HTML that stands in the place of the rendered Markdown. */
  readonly html?: string;
}

/** Pages that belong together, in their order. */
export interface PageGroup {
  readonly title: string;
  readonly pages: readonly SitePage[];
  /** Shown as one link unless the reader is on one of its pages, because there are many of them. */
  readonly long?: true;
  /** Where that link leads, unless to the first page. */
  readonly overview?: SitePage;
  /** The pages of one connector, of which the navigation at the top has a link for all together. */
  readonly connector?: true;
}

/** The way from a page to the root of the site: `../` for each folder. */
export function rootOf({ path, root }: SitePage): string {
  if (root !== undefined) return root;
  return "../".repeat(path.split("/").length - 1);
}
