import { describe, expect, it } from "vitest";
import { Turns } from "../../../runtime/base/turns.ts";

/** Resolves when the immediates that are there now have run. */
const round = () => new Promise<void>((resolve) => void setImmediate(resolve));

describe("turns", () => {
  it("are given to callers in turn", async () => {
    const turns = new Turns(1);
    const done: string[] = [];
    await Promise.all(["a1", "a2", "a3", "b1"].map((name) => turns.run(name.slice(0, 1), () => void done.push(name))));
    expect(done).toEqual(["a1", "a2", "b1", "a3"]);
  });

  it("begin at once where none is taken", async () => {
    const turns = new Turns(1);
    let begun = false;
    const taken = turns.run("a", () => {
      begun = true;
    });
    expect(begun).toBe(true);
    await taken;
  });

  it("last as long as their work, of which so much is done at once", async () => {
    const turns = new Turns(2);
    const ends = [0, 1, 2].map(() => Promise.withResolvers<void>());
    let begun = 0;
    const all = ends.map(({ promise }) =>
      turns.run("a", () => {
        begun++;
        return promise;
      }),
    );
    await round();
    expect(begun).toBe(2);
    ends[0]?.resolve();
    await all[0];
    await round();
    expect(begun).toBe(3);
    for (const { resolve } of ends) resolve();
    await Promise.all(all);
  });

  it("end when their work fails", async () => {
    const turns = new Turns(1);
    await expect(
      turns.run("a", () => {
        throw new Error("failed");
      }),
    ).rejects.toThrow("failed");
    expect(await turns.run("a", () => 5)).toBe(5);
  });
});
