import { describe, expect, it } from "vitest";
import type { StorePlan } from "../../../runtime/contract/index.ts";
import { interpretQuery, keyParts, keyText, operatorNames } from "../../../runtime/search/index.ts";
import { conformance, conformanceFiles } from "../../conformance/search.ts";
import { standIn } from "../../support/shaped.ts";

conformance("the interpreter", async (plan, records, query) => {
  const { records: found, more } = interpretQuery(records, query, plan);
  return { keys: found.map((record) => keyText(plan, record)), more };
});

describe("the text of a key", () => {
  const planOf = (...key: string[]) => standIn<StorePlan>({ key });
  const parts = ["", "\0", "\0\0", "\x01", "\x01\x01", "\x01\x02", "\0\x01", "\x02", "a", "a\0", "a\0b", "a\x01", "ab"];
  const pairs = parts.flatMap((one) => parts.map((other) => [one, other] as const));
  const textOf = ([one, other]: (typeof pairs)[number]) => keyText(planOf("one", "other"), { one, other });

  it("is another one for every key, whatever characters its parts have", () => {
    expect(new Set(pairs.map(textOf)).size).toBe(pairs.length);
    for (const pair of pairs) expect(keyParts(textOf(pair), 2)).toEqual(pair);
    for (const one of parts) expect(keyText(planOf("one"), { one })).toBe(one);
  });

  it("is in the order of the parts", () => {
    const inOrder = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
    const byParts = pairs.toSorted(([a, b], [c, d]) => inOrder(a, c) || inOrder(b, d));
    expect(pairs.map(textOf).toSorted(inOrder)).toEqual(byParts.map(textOf));
  });
});

describe("conformance", () => {
  it("has cases for every operator", () => {
    expect(conformanceFiles).toEqual([...operatorNames, "cursor", "lists", "long-texts", "sort"].sort());
  });
});
