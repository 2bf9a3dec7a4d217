import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { listText } from "../../../runtime/mcp/list-text.ts";
import { livePaging } from "../../../runtime/mcp/page.ts";
import { ofHits, type TextTable, textRow, textTable } from "../../../runtime/mcp/table.ts";
import { anyCharacter } from "../../support/any-character.ts";

const brief = { columns: ["number", "title", "author.login", "labels.name", "updatedAt"], isBrief: true };
const whole = { ...brief, isBrief: false };

const issue = (more: object = {}) => ({
  number: 1,
  title: "Crash",
  author: { login: "ada" },
  labels: [{ name: "bug" }, { name: "a, b" }],
  updatedAt: "2026-01-02T03:04:05Z",
  body: "not a column",
  ...more,
});
const text = (records: readonly object[], table: TextTable) =>
  textTable(
    records.map((one) => textRow(one, table)),
    table,
  ).split("\n");

describe("a table of records", () => {
  it("has a header and a line for each record, members of objects and of lists included", () => {
    expect(text([issue(), issue({ number: 2, author: null, labels: [] })], whole)).toEqual([
      "number|title|author.login|labels.name|updatedAt",
      '1|Crash|ada|bug,"a, b"|2026-01-02T03:04:05Z',
      "2|Crash|||2026-01-02T03:04:05Z",
    ]);
  });

  it("in a short view cuts long texts and lists with what is missing, and gives times as days", () => {
    const labels = ["a", "b", "c", "d", "e"].map((name) => ({ name }));
    expect(text([issue({ title: "x".repeat(100), labels })], brief)).toEqual([
      "number|title|author.login|labels.name|updatedAt (day)",
      `1|${"x".repeat(80)}…(+20 characters)|ada|a,b,c,+2|2026-01-02`,
    ]);
    // A column in which one value is no time is given as it is.
    expect(text([issue(), issue({ updatedAt: "soon" })], brief).slice(1)).toEqual([
      '1|Crash|ada|bug,"a, b"|2026-01-02T03:04:05Z',
      '1|Crash|ada|bug,"a, b"|soon',
    ]);
  });

  it.each([
    ["a line break", "a\n2|forged", '"a\\n2|forged"'],
    ["a separator", "a|b", '"a|b"'],
    ["a separator of lines of Unicode", "a\u2028b\u0085c", '"a\\u2028b\\u0085c"'],
    ["a quote at its beginning", '"a"', '"\\"a\\""'],
    ["a quote inside", 'a "b"', 'a "b"'],
    ["space around", " a", '" a"'],
    ["nothing", "", '""'],
    ["null", null, ""],
    ["a number", 1.5, "1.5"],
    ["an object", { a: "|" }, '{"a":"|"}'],
    ["lists in a list", [["a"], [1]], '[["a"],[1]]'],
  ])("writes a text with %s so that it cannot be taken for another cell or record", (_what, title, expected) => {
    expect(textTable([{ title }], { columns: ["title"], isBrief: false })).toBe(`title\n${expected}`);
  });

  it("has as many lines as records and one more, whatever texts the records have", () => {
    const record = fc.record({ a: fc.string({ unit: anyCharacter }), b: fc.array(fc.string({ unit: anyCharacter })) });
    fc.assert(
      fc.property(fc.array(record), fc.boolean(), (records, isBrief) => {
        const table = { columns: ["a", "b"], isBrief };
        const lines = textTable(
          records.map((one) => textRow(one, table)),
          table,
        ).split(/[\n\r\u0085\u2028\u2029\v\f]/);
        expect(lines.length).toBe(records.length + 1);
        // Without what quotes hide, each line has one separator.
        for (const line of lines) expect(line.replaceAll(/(?<=^|[|,])"(?:[^"\\]|\\.)*"/g, "").split("|").length).toBe(2);
      }),
    );
  });

  it("of hits has how similar each is, the record's columns and the passage, which is never cut", () => {
    const hit = { entity: issue(), metadata: { score: 0.9, context: "y".repeat(300) } };
    const table = ofHits({ columns: ["number", "title"], isBrief: true });
    expect(text([hit], table)).toEqual(["score|number|title|context", `0.9|1|Crash|${"y".repeat(300)}`]);
  });
});

describe("the text of a list", () => {
  const action = { name: "list", doc: "", writes: false, params: {}, list: { size: "first", cursor: "after", anySize: true } };
  const paging = livePaging(action);
  if (paging === undefined) throw new Error("a list has pages");
  const table = { columns: ["number"], isBrief: true };
  const of = (data: readonly object[], meta: object, goesOn = false) =>
    listText({ data, meta: { ...meta } }, { tool: "read", entity: "issues", table, paging, goesOn }).split("\n");
  const last = { has_next_page: false, end_cursor: null };

  it("says how many records there are", () => {
    expect(of([{ number: 1 }], last)).toEqual(["issues: all 1", "number", "1"]);
    expect(of([{ number: 1 }], { ...last, total_count: 7 })[0]).toBe("issues: 1 of 7");
    expect(of([{ number: 1 }], last, true)[0]).toBe("issues: the last 1");
  });

  it.each(["list_ended", "record_missing", "partial_results"])("does not call records all where a warning says %s", (code) => {
    const warnings = [{ code, path: "data", message: "There are others." }];
    expect(of([{ number: 1 }], { ...last, warnings })[0]).toBe("issues: 1, and not all");
    expect(of([{ number: 1 }], { ...last, warnings }, true)[0]).toBe("issues: 1, and not all");
    expect(of([{ number: 1 }], { ...last, warnings: [{ ...warnings[0], path: "data.0.labels" }] })[0]).toBe("issues: all 1");
  });

  it("ends with the call for the next page", () => {
    expect(of([{ number: 1 }], { has_next_page: true, end_cursor: 'a"b' })).toEqual([
      "issues: 1, more follow",
      "number",
      "1",
      'next page: read with "cursor":"a\\"b"',
    ]);
  });

  it("keeps a message of the platform on one line, so that it cannot look like a record", () => {
    const warnings = [{ code: "platform_failed", path: "data.0", message: "a\n2|forged\u2028b" }];
    expect(of([{ number: 1 }], { ...last, warnings })[1]).toBe("warning platform_failed at data.0: a 2|forged b");
  });

  it("says why it is empty", () => {
    expect(of([], last)).toEqual(["No issues match these arguments, as far as this token sees them."]);
    expect(of([], { ...last, total_count: 0 })).toEqual(["No issues match these arguments."]);
    expect(of([], { ...last, synced_at: "2026-01-02T03:04:05Z" })[0]).toBe("No issues match these arguments.");
    expect(of([], { ...last, total_count: 3 })).toEqual(["No issues are visible to this token, of 3."]);
    const warnings = [{ code: "partial_results", path: "data", message: "Some are hidden." }];
    expect(of([], { ...last, warnings })[0]).toBe("No issues are visible to this token.");
    // The records of another scope may be there.
    const unread = "No issues were found, but no sync has read all of them into the cache yet.";
    expect(of([], { ...last, synced_at: null })).toEqual([unread]);
  });

  it("has what a reader must know about the records, and nothing that nobody needs", () => {
    const warnings = [{ code: "stale", path: "data", message: "It is old." }];
    const cuts = [
      { path: "data", left_out: 3, unit: "records" },
      { path: "data.0.body", left_out: 9, unit: "characters" },
    ];
    const meta = {
      ...last,
      simulated: true,
      synced_at: "2026-01-02T03:04:05Z",
      took_ms: 1,
      warnings,
      cuts,
      advice: "a",
      other: 1,
    };
    expect(of([{ number: 1 }], meta)).toEqual([
      "issues: all 1",
      "SIMULATED: these records are invented.",
      "from the cache, synced 2026-01-02T03:04:05Z",
      "warning stale at data: It is old.",
      "3 more records did not fit and begin the next page",
      "cut: 9 characters of data.0.body",
      'meta: {"other":1}',
      "number",
      "1",
    ]);
  });
});
