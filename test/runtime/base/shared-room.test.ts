import { expect, it } from "vitest";
import { SharedRoom } from "../../../runtime/base/shared-room.ts";

it("room that several share is never all taken by those who have some, and comes back", () => {
  const room = new SharedRoom(120);
  const takeAll = (who: string) => {
    let count = 0;
    for (; room.has(who, 1); count++) room.take(who, 1);
    return count;
  };
  expect([takeAll("a"), takeAll("b"), takeAll("c")]).toEqual([60, 30, 15]);
  room.give("a", 60);
  expect(takeAll("b")).toBe(52 - 30);
  expect([room.has("d", 53), room.has("d", 54)]).toEqual([true, false]);
});

it("room that several share may be taken beyond all of it where nothing is taken, because that could never be taken otherwise", () => {
  const room = new SharedRoom(10);
  expect(room.has("a", 11)).toBe(true);
  room.take("a", 11);
  expect([room.has("a", 1), room.has("b", 1)]).toEqual([false, false]);
});
