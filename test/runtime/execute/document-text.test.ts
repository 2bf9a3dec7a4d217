import { describe, expect, it } from "vitest";
import { htmlText, markdownText, markupText } from "../../../runtime/execute/document-text.ts";

const p = (...content: unknown[]) => ({ type: "paragraph", content });
const t = (text: string, ...marks: unknown[]) => ({ type: "text", text, marks });

describe("the text of a document", () => {
  it.each([
    ["a text", "plain", "plain"],
    [
      "ADF",
      { type: "doc", version: 1, content: [p(t("One "), t("bold", { type: "strong" }), t(".")), p(), p(t("Two"))] },
      "One bold.\nTwo",
    ],
    ["a break in ADF", p(t("a"), { type: "hardBreak" }, t("b")), "a\nb"],
    [
      "a list in ADF",
      {
        type: "bulletList",
        content: [
          { type: "listItem", content: [p(t("x"))] },
          { type: "listItem", content: [p(t("y"))] },
        ],
      },
      "x\ny",
    ],
    [
      "rich text of Notion",
      [
        { type: "text", text: { content: "Hi ", link: null }, plain_text: "Hi " },
        { type: "mention", mention: { type: "user" }, plain_text: "@Ana" },
      ],
      "Hi @Ana",
    ],
    [
      "blocks of Slack",
      [
        {
          type: "rich_text",
          elements: [
            { type: "rich_text_section", elements: [t("See "), { type: "link", url: "https://a.example" }] },
            { type: "rich_text_preformatted", elements: [t("code")] },
          ],
        },
        { type: "section", text: { type: "mrkdwn", text: "*End*" } },
      ],
      "See https://a.example\ncode\n*End*",
    ],
    ["nothing", {}, ""],
  ])("%s", (_what, value, expected) => {
    expect(markupText(value)).toBe(expected);
  });

  it("of a document that is nested more deeply than the stack ends where it is too deep", () => {
    let deep: unknown = p(t("deep"));
    for (let level = 0; level < 100_000; level++) deep = [deep];
    expect(markupText([t("top"), deep])).toBe("top");
  });
});

describe("the text of Markdown", () => {
  it.each([
    ["# A *title*\n\n- [x] done **now**\n> quoted `code`", "A title\ndone now\nquoted code"],
    ['[link](https://a.example "t") ![image](b.png) <https://c.example>', "link image https://c.example"],
    ["snake_case _emphasis_ 2 \\* 3 \\_x\\_", "snake_case emphasis 2 * 3 _x_"],
    ["```js\nconst a = **b**;\n```\nafter", "const a = **b**;\nafter"],
    ["| a | b |\n| --- | :-: |\n| **c** | d |", "a b\nc d"],
    ["Title\n=====\n<b>bold</b> &amp; x", "Title\nbold & x"],
    ["", ""],
  ])("%s", (markdown, expected) => {
    expect(markdownText(markdown)).toBe(expected);
  });

  it("takes no time that grows with the square of its length", () => {
    for (const part of ["[", "![", "[a](", "<a", "*", "_a", "`", "\\", "| ", "> ", "# "])
      expect(markdownText(part.repeat(100_000)).length).toBeGreaterThanOrEqual(0);
  });
});

describe("the text of HTML", () => {
  it.each([
    ["<p>One <b>bold</b>.</p><p>Two</p>", "One bold.\nTwo"],
    ["a<br>b<br/>c", "a\nb\nc"],
    ["1 < 2 &amp;&nbsp;3 &#62; 2 &#x41; &unknown; &#xd800;", "1 < 2 & 3 > 2 A &unknown; &#xd800;"],
    ["<!-- no > comment -->x<script>if (a<b) c</script>y<style>p{}</style>z", "x\ny\nz"],
    ["open <b", "open <b"],
    ["1<2, and <3> too<br>x", "1<2, and <3> too\nx"],
    ["<script>never ends", "<script>never ends"],
    ["", ""],
  ])("%s", (html, expected) => {
    expect(htmlText(html)).toBe(expected);
  });

  it("takes no time that grows with the square of its length", () => {
    const hostile = [
      "<".repeat(400_000),
      "<a".repeat(200_000),
      "<!--".repeat(100_000),
      "<script>".repeat(50_000),
      "&".repeat(400_000),
    ];
    for (const html of hostile) expect(htmlText(html).length).toBeGreaterThan(0);
  });
});
