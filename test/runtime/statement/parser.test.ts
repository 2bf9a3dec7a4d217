import { describe, expect, it } from "vitest";
import { asTenonError } from "../../../runtime/base/errors.ts";
import { tableOf } from "../../../runtime/contract/index.ts";
import { parseStatement } from "../../../runtime/statement/index.ts";

describe("the parser", () => {
  it("takes a statement of each caller in turn, and refuses those of whoever has most waiting", async () => {
    const ended: string[] = [];
    const worked: string[] = [];
    const parse = (id: string) => {
      const caller = { id, worked: () => void worked.push(id) };
      return parseStatement("SELECT 1", [], caller).then(
        () => void ended.push(id),
        (thrown) => void ended.push(asTenonError(thrown).code),
      );
    };
    const all = Array.from({ length: 110 }, () => parse("hog"));
    await Promise.all([...all, parse("other")]);
    const parsed = ended.filter((one) => one !== "overloaded");
    // The second was first in line when the other came.
    expect(parsed.slice(0, 4)).toEqual(["hog", "hog", "other", "hog"]);
    expect([parsed.length, ended.length]).toEqual([101, 111]);
    expect(worked).toEqual(parsed);
  });

  it.each(["", " ", ";", "-- nothing"])("says of %j that it has no statement", async (text) => {
    await expect(parseStatement(text, [])).rejects.toThrow("The text has no statement. Write a SELECT.");
  });

  it.each([
    [
      "SELECT on FROM notes",
      'Syntax error at or near "on". A column or a table with this name is written in double quotes: "on".',
    ],
    ["SELECT id FROM notes GROUP BY user", 'A column or a table with this name is written in double quotes: "user".'],
    [
      "SELECT 1 AS one FROM order",
      'Syntax error at or near "order". A column or a table with this name is written in double quotes',
    ],
    ["SELECT id FROM FROM notes", /near "FROM"\. \(line/],
  ])("says where a name needs quotes: %s", async (text, message) => {
    const fields = { id: { type: "string" as const, index: "exact" as const } };
    const tables = [tableOf("notes", { fields: { ...fields, user: fields.id, on: fields.id } }), tableOf("order", { fields })];
    await expect(parseStatement(text, tables)).rejects.toThrow(message);
  });

  it("counts what a wrong statement took, too", async () => {
    const times: number[] = [];
    const caller = { id: "a", worked: (ms: number) => void times.push(ms) };
    await expect(parseStatement("SELECT FROM FROM", [], caller)).rejects.toThrow();
    expect(times).toEqual([expect.any(Number)]);
  });
});
