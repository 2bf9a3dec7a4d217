import { expect, it } from "vitest";
import { type Condition, parseQuery } from "../../../../../runtime/simulated/github/search/query.ts";

/** A condition as a text: what is joined by AND in brackets, and what is joined by OR in braces. */
function text(condition: Condition): string {
  switch (condition.kind) {
    case "all":
      return `[${condition.of.map(text).join(" ")}]`;
    case "any":
      return `{${condition.of.map(text).join(" ")}}`;
    case "not":
      return `!${text(condition.of)}`;
    case "text":
      return condition.text;
    case "qualifier":
      return `${condition.name}=${condition.value}`;
  }
}

it.each([
  ["login fails", "[[login fails]]"],
  ["a AND b OR c", "[{[a b] [c]}]"],
  ["a (b OR c)", "[[a {[b] [c]}]]"],
  ["NOT a -b -is:open", "[[!a !b !is=open]]"],
  ['Is:open "two words" label:"a \\"b\\""', '[[is=open two words label=a "b"]]'],
  // What is not finished counts as far as it goes, as on the platform.
  ["a NOT", "[[a ![]]]"],
  ["(a b", "[[[a b]]]"],
  ["a ) b", "[[a] [b]]"],
  ["a OR", "[{[a] []}]"],
  ["", "[]"],
])("GitHub's search reads %j", (query, expected) => {
  expect(text(parseQuery(query))).toBe(expected);
});
