import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fitted, type Response } from "../../../runtime/mcp/budget.ts";
import { clean } from "../../../runtime/mcp/clean.ts";

describe("a value for a model", () => {
  it("has only visible characters at every depth", () => {
    expect(clean({ "a\u200B": [{ b: "c\u202E" }, null, 1, true] })).toEqual({ a: [{ b: "c" }, null, 1, true] });
  });
});

const meta = {};
const sized = ({ data, meta, text = JSON.stringify({ data, meta }) }: Response) => {
  return Buffer.byteLength(JSON.stringify({ content: [{ type: "text", text }] }));
};

describe("a response for a model", () => {
  it("stays whole when it fits", () => {
    const response = { data: [{ body: "x".repeat(5000) }], meta };
    expect(fitted(response, { most: 20_000 })).toEqual({
      response: { ...response, text: JSON.stringify(response) },
      kept: 1,
      left: 0,
    });
  });

  it("has its long texts cut first, each marked", () => {
    const data = [{ title: "t", body: "x".repeat(5000) }, { body: "y".repeat(4100) }];
    const { response, left } = fitted({ data, meta }, { most: 9000 });
    expect([response.data, left]).toEqual([
      [
        { title: "t", body: `${"x".repeat(4000)}… [cut: 1000 more characters]` },
        { body: `${"y".repeat(4000)}… [cut: 100 more characters]` },
      ],
      0,
    ]);
    expect(response.meta["cuts"]).toEqual([
      { path: "data.0.body", left_out: 1000, unit: "characters" },
      { path: "data.1.body", left_out: 100, unit: "characters" },
    ]);
  });

  it("has no character cut in two", () => {
    const { response } = fitted({ data: [{ body: `${"x".repeat(3999)}😀${"y".repeat(5000)}` }], meta }, { most: 9000 });
    expect(response.data).toEqual([{ body: `${"x".repeat(3999)}… [cut: 5002 more characters]` }]);
  });

  it("then has records left out at the end, and says how many", () => {
    const data = Array.from({ length: 100 }, (_, number) => ({ number }));
    const { response, kept, left } = fitted({ data, meta }, { most: 1400, ended: (count) => ({ end_cursor: `after ${count}` }) });
    expect([kept > 20, kept + left, response.data]).toEqual([true, 100, data.slice(0, kept)]);
    expect(response.meta).toMatchObject({
      cuts: [{ path: "data", left_out: left, unit: "records" }],
      end_cursor: `after ${kept}`,
      advice: expect.stringContaining("cursor"),
    });
  });

  it("of one record that is too long has inner lists cut, and no data where that is not enough", () => {
    const listed = { body: "x".repeat(5000), labels: Array.from({ length: 300 }, (_, index) => `label ${index}`) };
    const { response } = fitted({ data: listed, meta }, { most: 3000 });
    expect(response.data).toMatchObject({ labels: Array.from({ length: 20 }, (_, index) => `label ${index}`) });
    expect(response.meta["cuts"]).toContainEqual({ path: "data.labels", left_out: 280, unit: "elements" });
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field_${index}`, "value"]));
    const none = fitted({ data: many, meta }, { most: 3000 }).response;
    expect(none.meta["advice"]).toBe("The record is too long to show. Read it with only the fields that you need.");
    expect(none).toMatchObject({
      data: null,
      meta: { cuts: [{ path: "data", left_out: 1, unit: "records" }] },
    });
  });

  it("has at least one record of a list, so that a walk goes on", () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`field_${index}`, "value"]));
    const { response, kept, left } = fitted({ data: [many, { number: 2 }], meta }, { most: 3000 });
    expect([response.data, kept, left]).toEqual([[null], 1, 1]);
    expect(response.meta["cuts"]).toEqual([
      { path: "data", left_out: 1, unit: "records" },
      { path: "data.0", left_out: 1, unit: "records" },
    ]);
  });

  it("leaves out the lists and objects of metadata that fits in no other way, and says so", () => {
    const many = Object.fromEntries(Array.from({ length: 900 }, (_, nth) => [`list ${nth}`, ["x".repeat(30)]]));
    const { response } = fitted({ data: [], meta: { ...many, end_cursor: "next", took_ms: 5 } }, { most: 15_000 });
    expect(response.meta).toEqual({
      ...{ end_cursor: "next", took_ms: 5, cuts: [{ path: "meta", left_out: 1, unit: "elements" }] },
      advice: expect.stringContaining("lists were cut"),
    });
  });

  it("counts metadata: many warnings leave less room, and are cut themselves", () => {
    const warnings = Array.from({ length: 500 }, (_, index) => ({
      path: `data.${index}`,
      code: "list_cut",
      message: "m".repeat(90),
    }));
    const data = Array.from({ length: 100 }, (_, number) => ({ number, text: "t".repeat(200) }));
    const few = fitted({ data, meta: { warnings: warnings.slice(0, 60), end_cursor: "c".repeat(300) } }, { most: 15_000 });
    expect(few.kept).toBeLessThan(fitted({ data, meta }, { most: 15_000 }).kept);
    const { response } = fitted({ data: data.slice(0, 2), meta: { warnings, end_cursor: "c".repeat(5000) } }, { most: 15_000 });
    expect(response.meta["end_cursor"]).toBe("c".repeat(5000));
    expect(response.meta["warnings"]).toHaveLength(20);
    expect(response.meta["cuts"]).toEqual([{ path: "meta.warnings", left_out: 480, unit: "elements" }]);
  });

  it("never has more bytes than allowed", () => {
    const texts = fc.string({ unit: "grapheme", maxLength: 3000 });
    const record = fc.record({ title: texts, labels: fc.array(texts, { maxLength: 40 }), number: fc.integer() });
    const warning = fc.record({ path: fc.constantFrom("data", "data.1.labels"), code: texts, message: texts });
    const given = fc.record({
      data: fc.oneof(record, fc.array(record, { maxLength: 30 })),
      meta: fc.record({ warnings: fc.array(warning, { maxLength: 30 }), end_cursor: fc.constant("next") }),
    });
    fc.assert(
      fc.property(given, fc.integer({ min: 4000, max: 30_000 }), (one, most) => {
        const { response, kept, left } = fitted(one, { most });
        const rows = Array.isArray(one.data) ? one.data.length : 1;
        return (
          sized(response) <= most &&
          response.meta["end_cursor"] === "next" &&
          (kept + left === rows || response.data === null) &&
          (!Array.isArray(response.data) || response.data.length === kept)
        );
      }),
      { numRuns: 60 },
    );
  });
});
