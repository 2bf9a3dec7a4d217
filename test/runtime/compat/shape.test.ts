import { describe, expect, it, vi } from "vitest";
import { shaper } from "../../../runtime/compat/shape.ts";

const record = {
  id: 1,
  user: { login: "a", name: "b", deep: { x: 1, y: 2 } },
  "user.login": "flat",
  labels: [{ name: "x" }],
  none: null,
};
const all = { select: [], exclude: [], truncate: false };
const shaped = (shape: object, of: unknown = record) => JSON.parse(JSON.stringify(shaper({ ...all, ...shape }, true)(of)));

describe("select", () => {
  it("takes a name as a key first, and then as a path through objects", () => {
    expect(shaped({ select: ["user.login"] })).toEqual({ "user.login": "flat" });
    expect(shaped({ select: ["user.name", "user.deep.x"] })).toEqual({ user: { name: "b", deep: { x: 1 } } });
  });

  it("leaves out paths to nothing, through null and through lists", () => {
    expect(shaped({ select: ["id", "no", "user.no", "none.x", "labels.name", "labels.0", "user.deep.no.x"] })).toEqual({ id: 1 });
  });

  it("keeps an object that is selected whole, whatever is selected of it besides", () => {
    expect(shaped({ select: ["user", "user.name"] })).toEqual({ user: record.user });
    expect(shaped({ select: ["user.name", "user"] })).toEqual({ user: record.user });
    expect(shaped({ select: ["user.deep", "user.deep.x"] })).toEqual({ user: { deep: record.user.deep } });
  });

  it("takes names of the language's own objects for what they are", () => {
    expect(shaped({ select: ["__proto__", "constructor", "toString.length"] })).toEqual({});
    const odd = JSON.parse('{"__proto__": {"x": 1}, "id": 1}');
    expect(JSON.stringify(shaper({ ...all, select: ["__proto__.x"] }, true)(odd))).toBe('{"__proto__":{"x":1}}');
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

describe("exclude", () => {
  it("removes keys and paths, keeps the objects around them, and leaves the record as it was", () => {
    const before = structuredClone(record);
    expect(shaped({ exclude: ["id", "user.login", "user.deep.x", "labels.name", "none.x", "no"] })).toEqual({
      user: { login: "a", name: "b", deep: { y: 2 } },
      labels: record.labels,
      none: null,
    });
    expect(record).toEqual(before);
  });
});

describe("truncate", () => {
  it("cuts texts of more than 200 characters at every depth, and counts whole characters", () => {
    const long = "é🌍".repeat(150);
    const cut = shaped({ truncate: true }, { a: [{ b: long }], c: "x".repeat(200), d: "🌍".repeat(200) });
    expect([...cut.a[0].b].slice(0, 200).join("")).toBe("é🌍".repeat(100));
    expect([...cut.a[0].b].length).toBeLessThan(260);
    expect([cut.c, cut.d]).toEqual(["x".repeat(200), "🌍".repeat(200)]);
  });

  it("cuts nothing where the answer is one record", () => {
    const long = "x".repeat(500);
    expect(shaper({ ...all, truncate: true }, false)({ long })).toEqual({ long });
  });
});

describe("a shaper", () => {
  it("splits its names once, however many records it shapes", () => {
    const make = shaper({ ...all, select: ["user.deep.x"], exclude: ["user.name"] }, true);
    const split = vi.spyOn(String.prototype, "split");
    try {
      for (const _ of [1, 2, 3]) expect(make(record)).toEqual({ user: { deep: { x: 1 } } });
      expect(split.mock.contexts.map(String).filter((text) => text.startsWith("user."))).toEqual([]);
    } finally {
      split.mockRestore();
    }
  });
});
