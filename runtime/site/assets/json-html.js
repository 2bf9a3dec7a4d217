import { make } from "./element.js";

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/** JSON as code in colours, like the code that the site is built with. */
export function jsonCode(text) {
  const code = make("code");
  let at = 0;
  for (const { 0: whole, 1: string, 2: colon, index } of text.matchAll(tokens)) {
    const kind = colon !== undefined ? "hljs-attr" : string !== undefined ? "hljs-string" : "hljs-number";
    const shown = string ?? whole;
    code.append(text.slice(at, index), make("span", { className: kind }, shown));
    at = index + shown.length;
  }
  code.append(text.slice(at));
  return code;
}
