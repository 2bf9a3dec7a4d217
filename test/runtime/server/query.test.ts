import { describe, expect, it } from "vitest";
import { queryOf, searchOf } from "../../../runtime/server/query.ts";

describe("the parameters of a request", () => {
  // A client may write any host before the path (RFC 9112, 3.2.2), also one that no URL can have.
  it.each(["/a?state=pending", "http://[/a?state=pending", "http://x:99999/a?state=pending", "//[?state=pending"])(
    "are read: %s",
    (url) => {
      expect(queryOf({ url })).toEqual({ state: "pending" });
    },
  );

  it("are none without a question mark, and all that stands behind the first", () => {
    expect([...searchOf({ url: "http://x:99999/a" })]).toEqual([]);
    expect([...searchOf({ url: "/a?to=b?c&d=" })]).toEqual([
      ["to", "b?c"],
      ["d", ""],
    ]);
  });

  it("are refused where one comes several times", () => {
    expect(() => queryOf({ url: "/a?b=1&b=2" })).toThrow('The address has the parameter "b" several times.');
  });
});
