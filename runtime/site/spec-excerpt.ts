import { readFileSync } from "node:fs";
import { isNode, isScalar, parseDocument } from "yaml";

// Parts of the specs of this repository in written pages. A page has a line `<!-- spec: file path -->` where a part belongs, and
// `<!-- spec: file -->` for a whole file.

const specs = new URL("../../spec/", import.meta.url);

/** Puts each part in its place, as it is written in the spec. @throws Error for a place that the spec does not have */
export function withSpecs(markdown: string): string {
  return markdown.replace(/^<!-- spec: (\S+)(?: (\S+))? -->$/gm, (_, file: string, path?: string) => {
    const text = readFileSync(new URL(file, specs), "utf8");
    const part = path === undefined ? text.trim() : excerpt(text, path.split("."));
    return `\`\`\`yaml\n# spec/${file}\n${part}\n\`\`\``;
  });
}

function excerpt(text: string, keys: readonly string[]): string {
  const found = parseDocument(text).getIn(keys, true);
  const [start = 0, end = 0] = (isNode(found) ? found.range : undefined) ?? [];
  if (end === 0) throw new Error(`the spec has no "${keys.join(".")}"`);
  const lineStart = text.lastIndexOf("\n", start) + 1;
  const value = text.slice(start, end).trimEnd();
  const inBlock = text.slice(lineStart, start).trim() === "";
  const outer = keys.map((key, depth) => `${"  ".repeat(depth)}${key}:`).join("\n");
  if (!inBlock || isScalar(found)) return `${outer} ${value}`;
  const dedented = value.replaceAll(`\n${" ".repeat(start - lineStart)}`, `\n${"  ".repeat(keys.length)}`);
  return `${outer}\n${"  ".repeat(keys.length)}${dedented}`;
}
