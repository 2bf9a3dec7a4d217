import { describe, expect, it } from "vitest";
import { formOf, sentHeaders, sentObject, sentQuery } from "../../../runtime/execute/sent-params.ts";

describe("parameters in a body", () => {
  it("stand at their paths, below the place of all of them; what is absent, null and empty stays so", () => {
    const sent = [
      "title",
      { param: "owner", name: "owner.id" },
      { param: "first", name: "people[0].name" },
      "labels",
      "body",
      "none",
    ];
    const params = { title: "t", owner: 1, first: "a", labels: [], body: null };
    const object = { title: "t", owner: { id: 1 }, people: [{ name: "a" }], labels: [], body: null };
    expect(sentObject(sent, params)).toEqual(object);
    expect(sentObject(sent, params, "issue")).toEqual({ issue: object });
    expect(sentObject(["a"], { a: 1 }, "list[0]")).toEqual({ list: [{ a: 1 }] });
    expect(sentObject(["a"], {}, "issue")).toEqual({ issue: {} });
    expect(sentObject([{ param: "a", name: "odata\\.count" }], { a: 1 })).toEqual({ "odata.count": 1 });
  });

  it("have the names of the spec, whatever these mean to JavaScript", () => {
    const sent = [
      "plain",
      { param: "a", name: "__proto__.polluted" },
      { param: "b", name: "inner.constructor.prototype.polluted" },
    ];
    const object = sentObject(sent, { plain: 1, a: "yes", b: "yes" });
    expect(JSON.stringify(object)).toBe(
      '{"plain":1,"__proto__":{"polluted":"yes"},"inner":{"constructor":{"prototype":{"polluted":"yes"}}}}',
    );
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });

  it("are a form where the platform takes forms", () => {
    expect(decodeURIComponent(formOf({ a: "x y", b: { c: [1, 2] }, d: null }))).toBe("a=x+y&b[c][0]=1&b[c][1]=2&d=");
  });
});

describe("objects in a query or a form", () => {
  const when = { gte: 1, lt: { day: 2 } };
  it.each([
    ["brackets", when, "when[gte]=1&when[lt][day]=2"],
    ["brackets", [1, 2], "when[0]=1&when[1]=2"],
    ["json", when, 'when={"gte":1,"lt":{"day":2}}'],
    ["repeat", { gte: 1, lt: null }, "gte=1&lt="],
    [",", { gte: 1, lt: 2 }, "when=gte,1,lt,2"],
    [" ", [1, 2], "when=1+2"],
  ])("stand there as %s", (join, value, expected) => {
    expect(decodeURIComponent(sentQuery([{ param: "w", name: "when", join }], { w: value }).toString())).toBe(expected);
    expect(decodeURIComponent(formOf({ when: value }, [{ param: "w", name: "when", join }]))).toBe(expected);
  });
});

describe("parameters in a query", () => {
  it.each([
    ["repeat", "ids=1&ids=2"],
    [",", "ids=1%2C2"],
    ["|", "ids=1%7C2"],
  ])("join lists by %s", (join, expected) => {
    expect(sentQuery([{ param: "list", name: "ids", join }], { list: [1, 2] }).toString()).toBe(expected);
  });

  it("are left out where they are absent or null", () => {
    expect(sentQuery(["a", "b"], { b: null }).toString()).toBe("");
  });
});

it("parameters in headers cannot add another header", () => {
  expect(sentHeaders([{ param: "from", name: "From" }], { from: "a@b.c\r\nX-Admin: 1" })).toEqual({ From: "a@b.c X-Admin: 1" });
});
