import { describe, expect, it } from "vitest";
import { linkTarget } from "../../../runtime/platform/link.ts";

// Forms of the header that RFC 8288 allows, and forms that it does not.
describe("the header Link", () => {
  it.each([
    ['<https://x.example/a?page=2>; rel="next"', "https://x.example/a?page=2"],
    ["</a?page=2>; rel=next", "/a?page=2"],
    ["<?page=2>;rel=NEXT", "?page=2"],
    ['<a>; rel="prev", <b>; title="x, rel=next"; rel="next last"', "b"],
    ['<a>; rel="first"; rel="next", <b>; rel="last"', undefined],
    ['<a,b;c>; rel="next"', "a,b;c"],
    ['<a>; title="say \\"next\\""; rel=next', "a"],
    ['<a>; rel="previous"; results="false", <b>; rel="next"; results="true"; cursor="0:2:0"', "b"],
    ['<a>; rel="previous"; results="true", <b>; rel="next"; results="false"; cursor="0:2:0"', undefined],
    ["<a>", undefined],
    ['<a>; rel="next",', "a"],
    ["a; rel=next", "unreadable"],
    ['<a>; rel="next" <b>', "unreadable"],
    ["<a", "unreadable"],
    ["", undefined],
  ])("%s", (header, expected) => {
    expect(linkTarget(header, "next")).toBe(expected);
  });
});
