import { describe, expect, it } from "vitest";
import { Results } from "../../../generator/cache/results.ts";
import { Diagnostics, formatDiagnostic } from "../../../generator/diagnostic/diagnostic.ts";
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

it("a column is counted without a byte order mark", () => {
  const diagnostics = new Diagnostics();
  const source = readSource({ path: "x.yaml", text: "\uFEFFa: 1\n" }, diagnostics);
  expect([source?.value, source?.at(["a"])]).toEqual([{ a: 1 }, { file: "x.yaml", line: 1, column: 1 }]);
  readSource({ path: "x.yaml", text: "\uFEFFa: *none\n" }, diagnostics);
  expect(diagnostics.sorted()).toMatchObject([{ line: 1, column: 4 }]);
});

describe("a text that an earlier run has read", () => {
  const text = `
shared: &shared { doc: Name., type: string }
fields:
  name: *shared
  size: { type: integer, doc: "How large" }
list: [1, two, { three: null }]
`;
  const paths = [
    ["shared"],
    ["fields", "name"],
    ["fields", "name", "type"],
    ["fields", "size", "doc"],
    ["list", 2, "three"],
    ["none"],
  ];

  /** The results of a run, as the next run reads them. */
  const saved = (results: Results) => new Results([...results.newestFirst()].reverse());
  const read = (yaml: string, results: Results, merge = false) => {
    const diagnostics = new Diagnostics();
    const source = readSource({ path: "x.yaml", text: yaml }, diagnostics, results, merge);
    return { source, found: diagnostics.sorted() };
  };

  it("has the same value and the same positions, also those that nothing has looked up before", () => {
    const results = new Results();
    const first = read(text, results).source;
    const before = paths.slice(0, 4).map((path) => first?.at(path));
    const next = saved(results);
    const second = read(text, next).source;
    expect(next.added).toBe(false);
    expect(second?.value).toEqual(first?.value);
    expect(paths.slice(0, 4).map((path) => second?.at(path))).toEqual(before);
    expect(next.added).toBe(false);
    expect(paths.slice(4).map((path) => second?.at(path))).toEqual(paths.slice(4).map((path) => first?.at(path)));
    expect(second?.inside(["fields", "size", "doc"], 4)).toEqual(first?.inside(["fields", "size", "doc"], 4));
    // The next run knows what this one has looked up.
    expect(next.added).toBe(true);
    const third = saved(next);
    expect(paths.map((path) => read(text, third).source?.at(path))).toEqual(paths.map((path) => first?.at(path)));
    expect(third.added).toBe(false);
  });

  it("is a position in the file that has the text now", () => {
    const results = new Results();
    read(text, results);
    const other = readSource({ path: "other.yaml", text }, new Diagnostics(), results);
    expect(other?.at(["fields", "name"])).toEqual({
      file: "other.yaml",
      line: 4,
      column: 3,
      origin: { file: "other.yaml", line: 2, column: 1 },
    });
  });

  it("has its merged mappings only where they are wanted", () => {
    const results = new Results();
    const merged = "a: &a { one: 1 }\nb: { <<: *a, two: 2 }\n";
    for (let time = 0; time < 2; time++) {
      expect(read(merged, results).source?.value).toEqual({ a: { one: 1 }, b: { "<<": { one: 1 }, two: 2 } });
      expect(read(merged, results, true).source?.value).toEqual({ a: { one: 1 }, b: { one: 1, two: 2 } });
    }
  });

  it.each([".inf", "-.inf", ".nan", "-0.0", "[1, { deep: .inf }]"])("has a number that JSON cannot express: %s", (number) => {
    const results = new Results();
    const first = read(`a: ${number}`, results).source?.value;
    expect(read(`a: ${number}`, saved(results)).source?.value).toEqual(first);
  });

  it.each(["a: 1\na: 2", "a: [1", "a: *none", "a: !strange 1"])("has its faults each time: %s", (wrong) => {
    const results = new Results();
    const first = read(wrong, results);
    expect(first.found.length).toBeGreaterThan(0);
    expect(read(wrong, saved(results))).toEqual({ ...first, source: first.source && expect.anything() });
    expect(read(wrong, results).found).toEqual(first.found);
  });
});

describe("a file that is not a spec", () => {
  it.each([
    [
      "has several documents",
      "a: 1\n---\na: 2\n",
      "2:1 the file has several YAML documents (put what follows `---` into a file of its own)",
    ],
    ["is not in UTF-8", "a: 1\nb: Gr\uFFFD\uFFFDe\n", "2:6 this is not text in UTF-8 (save the file in this encoding)"],
    [
      "has aliases of aliases",
      `a: &a [x, x]\n${Array.from("bcdefghijklmno", (name, at) => `${name}: &${name} [*${"abcdefghijklmn"[at]}, *${"abcdefghijklmn"[at]}]\n`).join("")}`,
      "1:1 the file has more than 10000 aliases (`*name`)",
    ],
  ])("%s", (_name, text, expected) => {
    const diagnostics = new Diagnostics();
    expect(readSource({ path: "x.yaml", text }, diagnostics)).toBeUndefined();
    expect(diagnostics.sorted().map(formatDiagnostic)).toEqual([`x.yaml:${expected.replace(" ", " SPEC001 ")}`]);
  });

  it("may have one alias in many places", () => {
    const text = `a: &a same\n${Array.from({ length: 300 }, (_, at) => `k${at}: *a\n`).join("")}`;
    expect(readSource({ path: "x.yaml", text }, new Diagnostics())?.value).toMatchObject({ k299: "same" });
  });
});
