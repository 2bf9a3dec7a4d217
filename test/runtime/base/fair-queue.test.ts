import { expect, it } from "vitest";
import { FairQueue } from "../../../runtime/base/fair-queue.ts";

function filled(most: number, ...items: readonly string[]) {
  const queue = new FairQueue<string>(most);
  // An item is the name of its caller and a number.
  const refused = items.flatMap((item) => queue.add(item.charAt(0), item) ?? []);
  const rest = () => Array.from({ length: queue.size }, () => queue.next());
  return { queue, refused, rest };
}

it("callers take turns, and the items of one caller keep their order", () => {
  const { rest } = filled(10, "a1", "a2", "a3", "b1", "c1", "b2");
  expect(rest()).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
});

it("a caller who comes again waits for one turn of each other", () => {
  const { queue, rest } = filled(10, "a1", "a2", "a3", "b1");
  expect([queue.next(), queue.next()]).toEqual(["a1", "b1"]);
  queue.add("b", "b2");
  expect(rest()).toEqual(["a2", "b2", "a3"]);
});

it("beyond its bound the newest item of the caller with the most is refused", () => {
  const { refused, rest } = filled(3, "a1", "a2", "a3", "b1", "c1", "a4");
  expect(refused).toEqual(["a3", "a2", "a4"]);
  expect(rest()).toEqual(["a1", "b1", "c1"]);
});

it("the item of a caller alone is refused when there is no room", () => {
  const { refused, rest } = filled(2, "a1", "a2", "a3");
  expect(refused).toEqual(["a3"]);
  expect(rest()).toEqual(["a1", "a2"]);
});

it("items can be taken out before their turn", () => {
  const { queue, rest } = filled(10, "a1", "a2", "b1");
  queue.remove("a1");
  queue.remove("unknown");
  expect(rest()).toEqual(["a2", "b1"]);
  expect(queue.next()).toBe(undefined);
  queue.add("c", "c1");
  expect([queue.clear(), queue.size]).toEqual([["c1"], 0]);
});

it("a caller who was served a moment ago waits for one who comes now", () => {
  const { queue, rest } = filled(10, "a1", "a2", "a3");
  expect(queue.next()).toBe("a1");
  queue.add("b", "b1");
  queue.add("b", "b2");
  expect(rest()).toEqual(["b1", "a2", "b2", "a3"]);
});

it("items are listed in the order of their turns, and one that is taken out of order ends its caller's turn", () => {
  const { queue, rest } = filled(10, "a1", "a2", "a3", "b1", "c1", "b2");
  expect(queue.inTurn()).toEqual(["a1", "b1", "c1", "a2", "b2", "a3"]);
  queue.remove("a2");
  queue.served("a");
  expect(queue.inTurn()).toEqual(["b1", "c1", "a1", "b2", "a3"]);
  queue.remove("c1");
  queue.served("c");
  expect(rest()).toEqual(["b1", "a1", "b2", "a3"]);
});
