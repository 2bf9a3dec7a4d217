import { describe, expect, it } from "vitest";
import { suggestion } from "../../../runtime/base/suggestion.ts";

describe("the hint for a name that is not allowed", () => {
  it.each([
    ["titel", ["title", "name"], 'did you mean "title"?'],
    ["LENT", ["lent", "on_shelf"], 'did you mean "lent"?'],
    ["onShelf", ["lent", "on_shelf"], 'did you mean "on_shelf"?'],
    ["color", ["lent", "on_shelf"], "allowed: lent, on_shelf"],
    ["color", [], undefined],
    ["color", Array.from({ length: 41 }, (_, index) => `unlike${index}`), undefined],
  ])("%s", (name, allowed, hint) => {
    expect(suggestion(name, allowed)).toBe(hint);
  });
});
