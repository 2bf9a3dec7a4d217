/** Words that also have an everyday meaning: pages link them by hand where they mean the term. */
const everyday: ReadonlySet<string> = new Set(["Action", "Client", "Collection", "Key", "Platform", "Record", "Right"]);

/**
 * Links each term of the glossary where a page first uses it: in running text and lists, not in headings, tables, code or other links.
 *
 * @param glossary Markdown in which each heading of the second level is a term
 */
export function withTermLinks(markdown: string, glossary: string): string {
  const terms = [...glossary.matchAll(/^## (.+)$/gm)].map(([, term = ""]) => term).filter((term) => !everyday.has(term));
  const open = new Map(
    terms.filter((term) => !markdown.includes(`glossary.md#${slug(term)}`)).map((term) => [term.toLowerCase(), slug(term)]),
  );
  // Longer terms first: "secret key" before "key".
  const names = [...open.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(`\\[[^\\]]*\\]\\([^)]*\\)|\`[^\`]*\`|\\b(${names.join("|")})(e?s)?\\b`, "gi");
  let fenced = false;
  return markdown
    .split("\n")
    .map((line) => {
      if (line.startsWith("```")) fenced = !fenced;
      if (fenced || /^(#|\||```|<!--| {4})/.test(line)) return line;
      return line.replace(pattern, (text: string, term: string | undefined) => {
        const key = term?.toLowerCase() ?? "";
        const target = open.get(key);
        if (target === undefined) return text;
        open.delete(key);
        return `[${text}](glossary.md#${target})`;
      });
    })
    .join("\n");
}

function slug(term: string): string {
  return term.toLowerCase().replaceAll(" ", "-");
}
