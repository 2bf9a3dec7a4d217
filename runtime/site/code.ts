import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import graphql from "highlight.js/lib/languages/graphql";
import json from "highlight.js/lib/languages/json";
import typescript from "highlight.js/lib/languages/typescript";
import yaml from "highlight.js/lib/languages/yaml";
import { escapeHtml } from "./html.ts";

for (const [name, language] of Object.entries({ bash, graphql, json, typescript, yaml }))
  highlighter.registerLanguage(name, language);
highlighter.registerAliases(["sh"], { languageName: "bash" });
highlighter.registerAliases(["ts"], { languageName: "typescript" });

/** What a reader calls a language. Where a block has no name of its own, this stands above it. */
const names: Readonly<Record<string, string>> = {
  sh: "Shell",
  bash: "Shell",
  json: "JSON",
  yaml: "YAML",
  ts: "TypeScript",
  typescript: "TypeScript",
  graphql: "GraphQL",
};

/** Marks that have no colour: every brace and comma of JSON has one, which would be a megabyte of the site. */
const uncoloured = /<span class="hljs-punctuation">([^<]*)<\/span>/g;

/** A block of code with its colours. The button that copies it is added in the browser, where it can work. */
export function codeBlock(code: string, language: string, title: string = names[language] ?? "Text"): string {
  const text = code.replace(/\n$/, "");
  const known = highlighter.getLanguage(language) !== undefined;
  const html = known ? highlighter.highlight(text, { language }).value.replace(uncoloured, "$1") : escapeHtml(text);
  return `<div class="code"><div class="code-head">${escapeHtml(title)}</div><pre tabindex="0"><code>${html}</code></pre></div>\n`;
}
