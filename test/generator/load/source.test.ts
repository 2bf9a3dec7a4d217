import { describe, expect, it } from "vitest";
import { Diagnostics } from "../../../generator/diagnostic/diagnostic.ts";
import { readSource } from "../../../generator/load/source.ts";

/** Line and column of a word of a text, and of the key that the text belongs to. */
function placesOf(yaml: string, word: string): { readonly word: string; readonly key: string } {
  const source = readSource({ path: "x.yaml", text: yaml }, new Diagnostics());
  if (source === undefined) throw new Error("this is not YAML");
  const text = (source.value as { readonly a: { readonly text: string } }).a.text;
  const place = ({ line, column }: { readonly line: number; readonly column: number }) => `${line}:${column}`;
  return { word: place(source.inside(["a", "text"], text.indexOf(word))), key: place(source.at(["a", "text"])) };
}

describe("the position of a word inside a text", () => {
  it.each([
    ["plain", "a:\n  text: one two three\n", "2:13"],
    ["in double quotes", 'a:\n  text: "one two three"\n', "2:14"],
    ["in single quotes", "a: { text: 'one two three' }\n", "1:17"],
    ["in a block", "a:\n  text: |\n    one\n    two three\n", "4:5"],
    ["in a block with an empty line and deeper lines", "a:\n  text: |\n    one\n\n      deep two three\n", "5:12"],
    ["in a block whose indentation is given", "a:\n  text: |2-\n      one two\n", "3:11"],
    ["in a block behind a comment", "a:\n  text: | # why\n    one two\n", "3:9"],
    ["in a block with line ends of Windows", "a:\r\n  text: |\r\n    one\r\n    1 two\r\n", "4:7"],
    ["at the start of a block", "a:\n  text: |\n    two\n", "3:5"],
  ])("%s", (_name, yaml, expected) => {
    expect(placesOf(yaml, "two").word).toBe(expected);
  });

  it.each([
    ["folded over lines", "a:\n  text: one\n    two\n"],
    ["in a folded block", "a:\n  text: >\n    one\n    two\n"],
    ["with escapes", 'a:\n  text: "\\u006fne two"\n'],
  ])("is that of the key when the text is %s", (_name, yaml) => {
    const { word, key } = placesOf(yaml, "two");
    expect(word).toBe(key);
  });
});
