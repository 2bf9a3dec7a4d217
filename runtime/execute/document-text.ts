import { isObject } from "../base/is-object.ts";

// The text of what platforms store with markup, so that it can be read and searched.

/** Deeper parts of a document are left out: they may be nested as deep as the stack. */
const deepest = 100;

/**
 * The text of a document that is a tree of objects: nodes, blocks or elements, such as those of ADF, Notion and Slack. Texts that follow
 * each other make one line; every other part has lines of its own. A text stays as it is.
 */
export function markupText(value: unknown): string {
  return linesOf(value, 0).join("\n");
}

function linesOf(value: unknown, depth: number): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value !== "object" || value === null || depth > deepest) return [];
  const parts: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
  const lines: string[] = [];
  let open = false;
  for (const part of parts) {
    const text = isObject(part) ? leafText(part) : undefined;
    if (text !== undefined) {
      if (open) lines[lines.length - 1] += text;
      else lines.push(text);
      open = true;
    } else if (typeof part === "object" && part !== null) {
      open = false;
      for (const line of linesOf(part, depth + 1)) lines.push(line);
    }
  }
  return lines;
}

/** The text of a part that has one itself; undefined for a part that has other parts. */
function leafText({ plain_text: plain, text, type, url }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof plain === "string") return plain;
  if (typeof text === "string") return text;
  return type === "link" && typeof url === "string" ? url : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " " };
/** Tags within a line. Every other tag ends it. */
const inline = /^\/?(a|abbr|b|code|del|em|font|i|ins|kbd|mark|s|small|span|strike|strong|sub|sup|tt|u)$/;

/** The text of HTML without tags, comments, scripts and styles. Its time grows with the length of the text alone. */
export function htmlText(html: string): string {
  const lower = html.toLowerCase();
  let text = "";
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? -1 : endOfTag(lower, open);
    if (end < 0) break;
    const name = /^[a-z!?/][^\s>]{0,20}/.exec(lower.slice(open + 1, open + 22))?.[0];
    text += html.slice(at, name === undefined ? open + 1 : open);
    if (name !== undefined && !inline.test(name.replace(/\/$/, ""))) text += "\n";
    at = name === undefined ? open + 1 : end;
  }
  return decoded(text + html.slice(at))
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}

const markdownMarks =
  /\\([!-/:-@[-`{-~])|!?\[([^[\]]*)\]\([^()\s]*(?:\s"[^"]*")?\)|<(https?:[^<>\s]+)>|<\/?[a-z][^<>]{0,500}>|\*{1,3}|~~|`+|(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)/gi;

/** The text of Markdown without its marks: headings, lists, quotes, emphasis, links and tables. Code stays as it is. */
export function markdownText(markdown: string): string {
  let fence: string | undefined;
  const lines: string[] = [];
  for (const line of markdown.split(/\r?\n/)) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || mark.startsWith(fence))) fence = fence === undefined ? mark : undefined;
    else if (fence !== undefined) lines.push(line);
    else if (!/^[\s|:=-]*$/.test(line)) lines.push(inlineText(line.replace(/^[\s>]*(?:#{1,6} |[-*+] (?:\[[ xX]\] )?)?/, "")));
  }
  return lines.filter((line) => line.trim() !== "").join("\n");
}

function inlineText(line: string): string {
  const cells = /^\|.*\|$/.test(line)
    ? line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
        .join(" ")
    : line;
  return decoded(
    cells.replace(markdownMarks, (_mark, escaped?: string, link?: string, address?: string) => escaped ?? link ?? address ?? ""),
  ).trim();
}

/** The place behind a tag, a comment, or a script or style with all that is in it; -1 where it does not end. */
function endOfTag(lower: string, open: number): number {
  const comment = lower.startsWith("<!--", open);
  const [, raw] = /^<(script|style)[\s>]/.exec(lower.slice(open, open + 8)) ?? [];
  const from = comment ? lower.indexOf("--", open + 4) : raw === undefined ? open : lower.indexOf(`</${raw}`, open);
  const end = from < 0 ? -1 : lower.indexOf(">", from);
  return end < 0 ? -1 : end + 1;
}

function decoded(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z]{2,6});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
    const code = Number(/^#x/i.test(name) ? `0${name.slice(1)}` : name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : whole;
  });
}
