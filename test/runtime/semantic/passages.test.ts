import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contextOf } from "../../../runtime/semantic/context.ts";
import { cutPassages } from "../../../runtime/semantic/passages.ts";
import { anyCharacter } from "../../support/any-character.ts";

const texts = (body: string) => cutPassages(body).map(({ text }) => text);
const sentence = (topic: string, words: number) => `${`${topic} `.repeat(words - 1)}${topic}.`;
const broken = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

describe("passages", () => {
  it("pack sentences up to 120 words", () => {
    const body = [sentence("one", 50), sentence("two", 50), sentence("three", 50)].join(" ");
    expect(texts(body)).toEqual([`${sentence("one", 50)} ${sentence("two", 50)}`, sentence("three", 50)]);
  });

  it("have offsets into the original text", () => {
    const body = `Intro line.\n\n<!-- hint -->\n## Steps\n\n1. ${sentence("first", 70)}\n2. ${sentence("second", 70)}`;
    const passages = cutPassages(body);
    expect(
      passages.map(({ at, end }) =>
        body
          .slice(at, end)
          .replace(/<!--.*?-->/, "")
          .replace(/\s+/g, " ")
          .trim(),
      ),
    ).toEqual(passages.map(({ text }) => text));
    expect(passages.length).toBe(2);
  });

  it("begin at a heading when enough was said before", () => {
    expect(texts(`${sentence("before", 40)}\n\n# After\n\nMore.`)).toEqual([sentence("before", 40), "# After More."]);
    expect(texts("Short.\n\n# After\n\nMore.")).toEqual(["Short. # After More."]);
    // Only the first sentence of a heading begins one.
    const heading = `# After. ${sentence("there", 40)} Still there.`;
    expect(texts(`${sentence("before", 40)}\n${heading}`)).toEqual([sentence("before", 40), heading]);
  });

  it("cut a sentence that is too long between words, and a word that is too long between characters", () => {
    expect(cutPassages("word ".repeat(300)).map(({ text }) => text.split(" ").length)).toEqual([120, 120, 60]);
    for (const { text } of cutPassages("語".repeat(5000) + "😀".repeat(5000))) {
      expect(text.length).toBeLessThanOrEqual(2400);
      expect(text).not.toMatch(broken);
    }
  });

  it("end a sentence at a Chinese or Japanese mark", () => {
    const body = `${"語".repeat(1100)}。${"文".repeat(1100)}。`.repeat(2);
    expect(texts(body).every((text) => text.endsWith("。"))).toBe(true);
  });

  it.each([
    ["a comment", "Keep. <!-- Describe the bug --> Also keep.", "Keep. Also keep."],
    ["a comment without an end", "Keep. <!-- Describe the bug", "Keep."],
    ["an image", "See ![screen shot](https://example.com/a.png) here.", "See here."],
    ["the address of a link", "See [the docs](https://example.com/a/b/c/d/e) here.", "See [the docs here."],
    ["a long address", "At https://example.com/a/very/long/path/to/some/page it fails.", "At it fails."],
    ["a quoted reply", "> Did you try it?\n\nYes, I did.", "Yes, I did."],
    [
      "a stack trace",
      "It fails.\n\n```\nTypeError: no\n    at run (/app/a.js:1:2)\n    at async /app/b.js:3:4\n```\n",
      "It fails. ``` TypeError: no",
    ],
    ["frames of Python", 'Boom:\n  File "/app/a.py", line 3, in run\nValueError: bad', "Boom: ValueError: bad"],
    ["a tag of HTML", '<details><summary>Log</summary><a href="x">text</a></details> Vec<String>', "Log text Vec<String>"],
    ["a hash", `Since ${"0123456789abcdef".repeat(4)} it fails.`, "Since it fails."],
  ])("leave out %s", (_what, body, wanted) => {
    expect(texts(body)).toEqual([wanted]);
  });

  it("keep what would be left out when nothing else is there", () => {
    expect(texts("> Did you try it?")).toEqual(["> Did you try it?"]);
  });

  it("are none for a text without words", () => {
    for (const body of ["", "   \n\n", "---\n***\n```\n```", "🎉"]) expect(texts(body)).toEqual([]);
  });

  it("keep their hash when another paragraph changes", () => {
    const [first, second] = [sentence("stay", 110), sentence("old", 110)];
    const hashes = (body: string) => cutPassages(body).map(({ hash }) => hash);
    const before = hashes(`${first}\n\n${second}`);
    const after = hashes(`${first}\n\n${sentence("new", 110)}`);
    expect(after[0]).toBe(before[0]);
    expect(after[1]).not.toBe(before[1]);
    expect(hashes(`${first.replaceAll(" ", "\n")}`)).toEqual([before[0]]);
  });

  it("are in order, do not overlap, and hold every word of a text without noise", () => {
    const words = fc.array(fc.stringMatching(/^[a-zA-Z0-9é語]{1,12}[.,!?]?$/), { maxLength: 400 });
    const gap = fc.constantFrom(" ", "\n", "\n\n", "\n- ", "\n# ", "\n```\n");
    fc.assert(
      fc.property(words, gap, (given, between) => {
        const body = given.join(between);
        const passages = cutPassages(body);
        let last = 0;
        for (const { at, end, text } of passages) {
          expect(at).toBeGreaterThanOrEqual(last);
          expect(body.slice(at, end).replace(/\s+/g, " ").trim()).toBe(text);
          last = end;
        }
        const found = passages.flatMap(({ text }) => text.split(" ")).filter((one) => !/^[-#`]+$/.test(one));
        expect(found).toEqual(given);
      }),
    );
  });

  it("survive any text in little time", () => {
    const hostile = [
      "<!--",
      "](",
      "![",
      "<a ",
      "at x(",
      "\n",
      ".",
      "😀",
      "> a\n",
      "http://",
      "a:",
      "-",
      " ",
      "- \n",
      '."',
      "\ud800",
    ];
    for (const one of hostile) expect(cutPassages(one.repeat(100_000)).length).toBeLessThanOrEqual(500);
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (body) => void cutPassages(body)));
  });
});

describe("contexts", () => {
  const body = "alpha beta gamma delta epsilon zeta eta theta iota kappa";
  const at = body.indexOf("epsilon");
  const passage = { at, end: at + "epsilon".length };

  it("are the whole text when it fits", () => {
    expect(contextOf(body, passage, body.length)).toBe(body);
  });

  it("are centred on the passage and cut between words", () => {
    expect(contextOf(body, passage, 20)).toBe("delta epsilon zeta");
  });

  it("begin behind a word that is cut, and end before one", () => {
    expect(contextOf(body, passage, 18)).toBe("epsilon zeta");
    expect(contextOf(body, { at: at - 1, end: passage.end }, 16)).toBe("epsilon");
  });

  it("begin and end between the characters of a word that is too long to be left out", () => {
    const smiles = "😀".repeat(6);
    expect([5, 6].map((size) => contextOf(smiles, { at: 6, end: 8 }, size))).toEqual(["😀😀", "😀😀😀"]);
  });

  it("show the beginning of a passage that is longer", () => {
    expect(contextOf(body, { at: 6, end: body.length }, 12)).toBe("beta gamma");
  });

  it("are never longer than asked for, never cut a character, and hold a passage that fits with room for its neighbours", () => {
    const text = fc.array(fc.constantFrom("word", "ab", "😀😀", "語", " ", "\n"), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 200 }), (parts, seed, size) => {
        const given = parts.join("");
        const passages = cutPassages(given);
        const one = passages[seed % Math.max(1, passages.length)];
        if (one === undefined) return;
        const context = contextOf(given, one, size);
        expect(context.length).toBeLessThanOrEqual(size);
        expect(context).not.toMatch(broken);
        expect(given).toContain(context);
        if (one.end - one.at + 2 * 41 <= size) expect(context).toContain(given.slice(one.at, one.end).trim());
      }),
    );
  });
});
