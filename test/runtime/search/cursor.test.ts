import { describe, expect, it } from "vitest";
import { readCursor, type SortPosition, writeCursor } from "../../../runtime/search/index.ts";
import { plan, query } from "./parsing.ts";

describe("a cursor", () => {
  const sort = [{ commentsCount: "desc" }, { title: "asc" }, { isDraft: "asc" }, { updatedAt: "asc" }];
  const own = query({ eq: { state: "open" } }, sort);
  const place: SortPosition = [3, "caf\u00e9 \ud83d\ude00\u0000", null, 1_704_067_200_000, "key"];
  const cursor = writeCursor("issues", own, place);
  const rewritten = (change: (parts: unknown[]) => unknown) =>
    Buffer.from(JSON.stringify(change(JSON.parse(Buffer.from(cursor, "base64url").toString())))).toString("base64url");

  it("leads back to its position", () => {
    expect(readCursor("issues", own, plan, cursor)).toEqual(place);
  });

  it("may be put into an address unchanged", () => {
    expect(cursor).toMatch(/^[\w-]+$/);
  });

  it("is the same however filter and sort are written", () => {
    const other = query({ and: [{ eq: { state: "open" } }] }, [
      { comments_count: "desc" },
      { title: "asc" },
      { is_draft: "asc" },
      { updated_at: "asc" },
    ]);
    expect(readCursor("issues", other, plan, cursor)).toEqual(place);
    const joined = query({ eq: { state: "open", isDraft: true }, gt: { commentsCount: 1 } });
    const otherwise = query({ gt: { commentsCount: 1 }, eq: { isDraft: true, state: "open" } });
    expect(readCursor("issues", otherwise, plan, writeCursor("issues", joined, ["key"]))).toEqual(["key"]);
    const atNoon = query({ gt: { updatedAt: "2024-01-01T12:00:00Z" } });
    const elsewhere = query({ gt: { updated_at: "2024-01-01T13:00:00+01:00" } });
    expect(readCursor("issues", elsewhere, plan, writeCursor("issues", atNoon, ["key"]))).toEqual(["key"]);
  });

  it("is not valid for another filter, another sort or another entity", () => {
    const others = [
      query({ eq: { state: "closed" } }, sort),
      query({ neq: { state: "open" } }, sort),
      { sort: own.sort },
      query({ eq: { state: "open" } }, sort.slice(0, 3)),
      query({ eq: { state: "open" } }, [{ commentsCount: "asc" }, ...sort.slice(1)]),
      query({ eq: { state: "open" } }, [{ score: "desc" }, ...sort.slice(1)]),
    ];
    for (const other of others) expect(readCursor("issues", other, plan, cursor)).toBeUndefined();
    expect(readCursor("pull_requests", own, plan, cursor)).toBeUndefined();
  });

  it("is not valid when it is cut off", () => {
    for (let length = 0; length < cursor.length; length++)
      expect(readCursor("issues", own, plan, cursor.slice(0, length))).toBeUndefined();
  });

  it("is not valid when it is made up", () => {
    const strange = ["", "x", "null", "%", "W10", "e30", "MQ", Buffer.from("[".repeat(100_000)).toString("base64url")];
    for (const one of strange) expect(readCursor("issues", own, plan, one)).toBeUndefined();
  });

  it("is not valid when its values are not of the sort's types", () => {
    const replaced = (at: number, value: unknown) => rewritten((parts) => parts.with(at, value));
    expect(readCursor("issues", own, plan, replaced(1, 4))).toEqual([4, ...place.slice(1)]);
    const wrong: [number, unknown][] = [
      [0, "another digest"],
      [1, "4"],
      [1, {}],
      [2, 1],
      [2, ["x"]],
      [3, 0],
      [4, "2024-01-01"],
      [4, true],
      [5, null],
      [5, 1],
      [5, ["key"]],
    ];
    for (const [at, value] of wrong) expect(readCursor("issues", own, plan, replaced(at, value))).toBeUndefined();
    expect(
      readCursor(
        "issues",
        own,
        plan,
        rewritten((parts) => [...parts, "key"]),
      ),
    ).toBeUndefined();
    expect(
      readCursor(
        "issues",
        own,
        plan,
        rewritten((parts) => parts.slice(0, -1)),
      ),
    ).toBeUndefined();
    expect(
      readCursor(
        "issues",
        own,
        plan,
        rewritten((parts) => ({ ...parts })),
      ),
    ).toBeUndefined();
  });
});
