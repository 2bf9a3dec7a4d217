import MarkdownIt, { type Token } from "markdown-it";
import { codeBlock } from "./code.ts";
import { escapeHtml } from "./html.ts";
import { tableHtml } from "./table.ts";
import { type Tab, tabsHtml } from "./tabs.ts";

/** A heading of a page, for its table of contents and the search. */
export interface Heading {
  readonly level: number;
  readonly id: string;
  readonly title: string;
}

/** The text of a part of a page, from one heading to the next. */
export interface Section extends Heading {
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly title: string;
  /** The first paragraph as plain text. */
  readonly summary: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** How fenced blocks with a role (the second word after the fence) become HTML: `json request`, `json answer` … */
export type Blocks = Readonly<Record<string, (content: string, more: string | undefined) => string>>;

/** Roles of the blocks that stand beside the text of a section, where the window is wide enough. */
const beside: ReadonlySet<string> = new Set(["request", "answer", "document"]);

/**
 * Turns the Markdown of a page into HTML. Raw HTML in the Markdown is shown as text.
 *
 * @param split whether the samples of a section stand beside its text
 */
export function renderMarkdown(markdown: string, blocks: Blocks, split = false): Rendered {
  const text = markdown.replace(/^<!--[\s\S]*?-->\s*/, "");
  const tokens = parser.parse(text, {});
  const headings = nameHeadings(tokens);
  const ids = new Set(headings.map(({ id }) => id));
  const html = split ? splitHtml(tokens, blocks, ids) : tokensHtml(tokens, blocks, ids);
  const title = headings.find(({ level }) => level === 1)?.title ?? "";
  const first = tokens.findIndex(({ type }) => type === "paragraph_open");
  const summary = first < 0 ? "" : plainText(tokens[first + 1]);
  return { html, title, summary, headings: headings.filter(({ level }) => level > 1), sections: sectionsOf(tokens, title) };
}

const parser = new MarkdownIt({ html: false, linkify: false, typographer: false });

parser.renderer.rules.link_open = (tokens, index, options, _environment, self) => {
  const token = tokens[index];
  const href = String(token?.attrGet("href") ?? "");
  token?.attrSet("href", pageAddress(href));
  return self.renderToken(tokens, index, options);
};

/** Links lead to the Markdown twins in Markdown, and to the pages in HTML. */
function pageAddress(href: string): string {
  return /^[a-z]+:/.test(href) ? href : href.replace(/\.md(?=#|$)/, ".html");
}

parser.renderer.rules.heading_open = (tokens, index) => {
  const token = tokens[index];
  const id = String(token?.attrGet("id") ?? "");
  return `<${token?.tag} id="${escapeHtml(id)}">`;
};
parser.renderer.rules.heading_close = (tokens, index) => {
  const open = tokens[index - 2];
  const id = escapeHtml(String(open?.attrGet("id") ?? ""));
  const title = escapeHtml(plainText(tokens[index - 1]));
  const link = open?.tag === "h1" ? "" : ` <a class="anchor" href="#${id}" aria-label="Link to “${title}”">#</a>`;
  return `${link}</${open?.tag}>\n`;
};

/** Gives every heading an id that is unique in its page: its words, as GitHub writes them in addresses. */
function nameHeadings(tokens: readonly Token[]): Heading[] {
  const seen = new Map<string, number>();
  return tokens.flatMap((token, index) => {
    if (token.type !== "heading_open") return [];
    const title = plainText(tokens[index + 1]);
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, "")
      .replaceAll(" ", "-");
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    const id = count === 0 ? slug : `${slug}-${count}`;
    token.attrSet("id", id);
    return [{ level: Number(token.tag.slice(1)), id, title }];
  });
}

/** The sections of a page, each with its text and, where it has samples, these beside it. */
function splitHtml(tokens: readonly Token[], blocks: Blocks, ids: Set<string>): string {
  const sections: Token[][] = [[]];
  for (const token of tokens) {
    if (token.type === "heading_open" && token.tag === "h2") sections.push([]);
    sections.at(-1)?.push(token);
  }
  const isBeside = ({ type, info }: Token) => type === "fence" && beside.has(info.split(/\s+/)[1] ?? "");
  return sections
    .map((section) => {
      const samples = section.filter(isBeside);
      if (samples.length === 0) return tokensHtml(section, blocks, ids);
      const text = section.filter((token) => !isBeside(token));
      return `<section class="split"><div class="text">${tokensHtml(text, blocks, ids)}</div><div class="beside">${tokensHtml(samples, blocks, ids)}</div></section>\n`;
    })
    .join("");
}

/** Renders tokens one block at a time, because tables and fenced blocks become HTML of their own. */
function tokensHtml(tokens: Token[], blocks: Blocks, ids: Set<string>): string {
  const parts: string[] = [];
  let plain: Token[] = [];
  let section = "";
  const flush = () => {
    parts.push(parser.renderer.render(plain, parser.options, {}));
    plain = [];
  };
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.type === "fence") {
      flush();
      const [language = "", role = "", more] = token.info.trim().split(/\s+/);
      if (role === "tab") {
        const tabs = tabsFrom(tokens, index);
        parts.push(`<div class="tabs">${tabsHtml(`tabs-${index}`, "Choose one", tabs)}</div>`);
        index += tabs.length - 1;
        continue;
      }
      const block = Object.hasOwn(blocks, role) ? blocks[role] : undefined;
      // A block of a file has the file's path in the place of a role.
      const title = role.includes("/") ? role : undefined;
      parts.push(block === undefined ? codeBlock(token.content, language, title) : block(token.content, more));
    } else if (token.type === "table_open") {
      flush();
      const end = tokens.findIndex(({ type }, at) => at > index && type === "table_close");
      parts.push(tableHtml(rowsOf(tokens.slice(index, end)), (name) => unusedId(`${section}.${name}`, ids)));
      index = end;
    } else {
      if (token.type === "heading_open") section = String(token.attrGet("id") ?? "");
      plain.push(token);
    }
  }
  flush();
  return parts.join("");
}

/** The blocks with the role `tab` that follow one another from a place on. The word after the role is the title of the tab. */
function tabsFrom(tokens: readonly Token[], from: number): Tab[] {
  const tabs: Tab[] = [];
  for (const { type, info, content } of tokens.slice(from)) {
    const [language = "", role, name = ""] = info.trim().split(/\s+/);
    if (type !== "fence" || role !== "tab") break;
    tabs.push({ name, title: name, html: codeBlock(content, language) });
  }
  return tabs;
}

/** An id for an entry of a list, which it marks as used. */
function unusedId(name: string, ids: Set<string>): string {
  const plain = name.replace(/[^\w.-]+/g, "-").replace(/^-|-$/g, "");
  let id = plain;
  for (let count = 1; ids.has(id); count++) id = `${plain}-${count}`;
  ids.add(id);
  return id;
}

/** The cells of a table as HTML, row by row; the first row is the head. */
function rowsOf(tokens: readonly Token[]): string[][] {
  const rows: string[][] = [];
  for (const [index, { type }] of tokens.entries()) {
    if (type === "tr_open") rows.push([]);
    if (type === "th_open" || type === "td_open")
      rows.at(-1)?.push(parser.renderer.renderInline(tokens[index + 1]?.children ?? [], parser.options, {}));
  }
  return rows;
}

function plainText(token: Token | undefined): string {
  return (token?.children ?? [])
    .map(({ type, content }) => (type === "softbreak" ? " " : content))
    .join("")
    .replace(/\s+/g, " ");
}

function sectionsOf(tokens: readonly Token[], title: string): Section[] {
  const sections: { level: number; id: string; title: string; text: string }[] = [{ level: 1, id: "", title, text: "" }];
  for (const [index, token] of tokens.entries()) {
    if (token.type === "heading_open" && token.tag !== "h1")
      sections.push({
        level: Number(token.tag.slice(1)),
        id: String(token.attrGet("id") ?? ""),
        title: plainText(tokens[index + 1]),
        text: "",
      });
    else if (token.type === "inline" && tokens[index - 1]?.type !== "heading_open") {
      const last = sections.at(-1);
      if (last !== undefined) last.text = `${last.text} ${plainText(token)}`.trim();
    }
  }
  return sections;
}
