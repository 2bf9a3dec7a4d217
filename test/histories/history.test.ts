import { describe, expect, it } from "vitest";
import { createRandom } from "../../runtime/simulated/github/seed/random.ts";
import { check, falsified, type Line, type Operation } from "./history.ts";

/** A history as a good system makes it: each operation takes effect at one moment between its beginning and its end. */
function goodHistory(seed: number): Line[] {
  const random = createRandom(seed);
  const registers = new Map<string, string>();
  const numbers = new Map<string, number>();
  const lines: Line[] = [];
  let time = 0;
  let token = 0;
  let id = 0;
  let before = "";
  const add = (process: string, begin: Operation, end: Operation, type: Line["type"] = "done") => {
    // What one process does does not overlap.
    const line = { process, id: ++id };
    time += 10;
    lines.push({ ...line, at: time - (process === before ? 0 : random.below(9)), type: "begin", operation: begin });
    lines.push({ ...line, at: time + random.below(9), type, operation: end });
    before = process;
  };
  let owner = "w1";
  for (let step = 0; step < 120; step++) {
    const key = `K${random.below(3)}`;
    const what = random.below(step === 0 ? 1 : 8);
    if (what === 0) {
      owner = `w${1 + random.below(3)}`;
      add(owner, { kind: "lease" }, { kind: "lease", token: ++token });
    } else if (what < 4) {
      const write = { kind: "write", key, value: `v${step}`, token } as const;
      const isLost = random.chance(0.1);
      if (!isLost || random.chance(0.5)) registers.set(key, write.value);
      add(owner, write, write, isLost ? "lost" : "done");
    } else if (what < 6) add("r1", { kind: "read", key }, { kind: "read", key, value: registers.get(key) ?? null });
    else {
      const name = `C${random.below(6)}`;
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      add("c1", { kind: "create", key: name }, { kind: "create", key: name, number });
    }
  }
  for (const [key, number] of numbers)
    add("end", { kind: "found", key, numbers: [number] }, { kind: "found", key, numbers: [number] });
  return lines;
}

/** Lines of operations, one after the other: who, how it ended, what. */
const told = (...some: readonly (readonly [string, Line["type"], Operation])[]): Line[] =>
  some.flatMap(([process, type, operation], place) => [
    { process, id: place, at: place * 10, type: "begin" as const, operation },
    { process, id: place, at: place * 10 + 5, type, operation },
  ]);
const lease = (token: number): Operation => ({ kind: "lease", token });
const write = (value: string, token = 1): Operation => ({ kind: "write", key: "K", value, token });
const read = (value: string | null): Operation => ({ kind: "read", key: "K", value });
const create = (number: number): Operation => ({ kind: "create", key: "C", number });
const found = (...numbers: number[]): Operation => ({ kind: "found", key: "C", numbers });

describe("the check of histories", () => {
  it("accepts what a good system does, and no such history with a falsified line", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const history = goodHistory(seed);
      expect([seed, check(history)]).toEqual([seed, []]);
      const lie = falsified(history, createRandom(seed));
      expect(lie).toBeDefined();
      expect([seed, check(lie ?? [])]).not.toEqual([seed, []]);
    }
  });

  it.each([
    [
      "a read of what was overwritten",
      told(["w", "done", lease(1)], ["w", "done", write("a")], ["w", "done", write("b")], ["r", "done", read("a")]),
    ],
    [
      "a read that does not find an acknowledged write",
      told(["w", "done", lease(1)], ["w", "done", write("a")], ["r", "done", read(null)]),
    ],
    [
      "reads that go back",
      told(["w", "done", lease(1)], ["w", "lost", write("a")], ["r", "done", read("a")], ["r", "done", read(null)]),
    ],
  ])("refuses %s", (_title, history) => {
    expect(check(history)).toEqual(["No order of the writes and reads of K explains what the reads found."]);
  });

  it.each([
    ["that was not done", read(null)],
    ["that was done", read("a")],
  ])("accepts a write with an unknown end %s", (_title, seen) => {
    expect(check(told(["w", "done", lease(1)], ["w", "lost", write("a")], ["r", "done", seen]))).toEqual([]);
  });

  it("accepts a write with an unknown end that is done late", () => {
    const history = told(["w", "done", lease(1)], ["w", "lost", write("a")], ["r", "done", read(null)], ["r", "done", read("a")]);
    expect(check(history)).toEqual([]);
  });

  it("takes a refused write as not done", () => {
    const history = told(["w", "done", lease(1)], ["w", "refused", write("a")], ["r", "done", read("a")]);
    expect(check(history)).toHaveLength(1);
  });

  it.each([
    ["was done twice", [create(1)], found(1, 2), "The write C was done 2 times: 1, 2."],
    ["was answered in two ways", [create(1), create(2)], found(1), "The write C was answered in several ways: 1, 2."],
    ["was lost", [create(1)], found(), "The write C was acknowledged as 1, and was lost."],
  ])("names a write with an idempotency key that %s", (_title, creations, end, fault) => {
    const history = told(...creations.map((one) => ["c", "done", one] as const), ["e", "done", end]);
    expect(check(history)).toContain(fault);
  });

  it("names a write under a lease that somebody else has, one without a lease, and a token that two have", () => {
    const late = told(["w", "done", lease(1)], ["x", "done", lease(2)], ["w", "done", write("a")]);
    expect(check(late)).toEqual(["w wrote K with the fencing token 1 although x had 2."]);
    expect(check(told(["w", "done", write("a")]))).toEqual(["w wrote K with the fencing token 1, which it was not given."]);
    expect(check(told(["w", "done", lease(1)], ["x", "done", lease(1)]))).toEqual(["The fencing token 1 was given to w and x."]);
  });

  it("refuses an end without a beginning", () => {
    expect(() => check([{ process: "w", id: 1, at: 1, type: "done", operation: read("a") }])).toThrow("without a beginning");
  });
});
