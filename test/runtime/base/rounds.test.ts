import { describe, expect, it, vi } from "vitest";
import { Rounds } from "../../../runtime/base/rounds.ts";

/** Resolves when the immediates that are there now have run. */
const round = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe("rounds of the event loop", () => {
  it("have one turn of each caller, however many of one wait", async () => {
    const rounds = new Rounds();
    const done: string[] = [];
    const seen: string[][] = [];
    const take = (name: string) => rounds.take(name.slice(0, 1), () => void done.push(name));
    const all = ["a1", "a2", "a3", "b1", "b2", "c1"].map(take);
    while (done.length < 6) {
      seen.push(done.splice(0));
      if (seen.flat().length === 6) break;
      await round();
      await Promise.resolve();
    }
    await Promise.all(all);
    expect(seen.filter((names) => names.length > 0)).toEqual([["a1", "b1", "c1"], ["a2", "b2"], ["a3"]]);
  });

  it("let a caller begin at once who has had no turn in this one", async () => {
    const rounds = new Rounds();
    const done: string[] = [];
    const first = rounds.take("a", () => void done.push("a1"));
    const second = rounds.take("a", () => void done.push("a2"));
    const other = rounds.take("b", () => void done.push("b1"));
    expect(done).toEqual(["a1", "b1"]);
    await Promise.all([first, second, other]);
    expect(done).toEqual(["a1", "b1", "a2"]);
    await round();
    const again = rounds.take("a", () => void done.push("a3"));
    expect(done.at(-1)).toBe("a3");
    await again;
  });

  it("have so many turns of all callers together where that is limited, and callers take turns", async () => {
    const rounds = new Rounds({ most: 1 });
    const done: string[] = [];
    const all = ["a1", "a2", "b1", "b2"].map((name) => rounds.take(name.slice(0, 1), () => void done.push(name)));
    const seen: number[] = [];
    while (done.length < 4) {
      seen.push(done.length);
      await round();
      await Promise.resolve();
    }
    await Promise.all(all);
    expect(seen).toEqual([1, 2, 3]);
    expect(done).toEqual(["a1", "b1", "a2", "b2"]);
  });

  it("have a few turns of each caller where that is allowed, and nobody overtakes who waits", async () => {
    const rounds = new Rounds({ each: 2 });
    const done: string[] = [];
    const all = ["a1", "a2", "a3", "b1"].map((name) => rounds.take(name.slice(0, 1), () => void done.push(name)));
    expect(done).toEqual(["a1", "a2", "b1"]);
    all.push(rounds.take("a", () => void done.push("a4")));
    await round();
    await Promise.all(all);
    expect(done).toEqual(["a1", "a2", "b1", "a3", "a4"]);
    expect(rounds.turn("c")).toBeUndefined();
  });

  it("go on when work fails", async () => {
    const rounds = new Rounds();
    const fail = () => {
      throw new Error("failed");
    };
    await expect(rounds.take("a", fail)).rejects.toThrow("failed");
    await expect(rounds.take("a", fail)).rejects.toThrow("failed");
    expect(await rounds.take("a", () => 5)).toBe(5);
  });

  it("leave the event loop to others for some time where that is wanted", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    try {
      const rounds = new Rounds({ most: 1, pause: 2 });
      const done: string[] = [];
      for (const name of ["a", "b", "c"]) void rounds.take(name, () => void done.push(name));
      const seen: number[] = [];
      for (let ms = 0; ms < 5; ms++) {
        await round();
        seen.push(done.length);
        vi.advanceTimersByTime(1);
      }
      expect(seen).toEqual([1, 1, 2, 2, 3]);
    } finally {
      vi.useRealTimers();
    }
  });
});
