/** Makes text of a spec safe inside a TypeScript comment. ts-morph does not escape the end of a comment. */
export function commentText(text: string): string {
  return oneLine(text).replaceAll("*/", "*\u200b/");
}

/** Makes text of a spec safe inside a table of Markdown. */
export function tableText(text: string): string {
  return oneLine(text).replaceAll("|", "\\|");
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
