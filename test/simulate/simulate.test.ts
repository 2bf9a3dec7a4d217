import { execFile } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Covered } from "./world.ts";

/** Simulates a seed in a process of its own, as `make simulate` does. */
function simulated(seed: number, hours: number, fault?: string): Promise<Covered> {
  const args = [join(import.meta.dirname, "one.ts"), String(seed), String(hours), ...(fault === undefined ? [] : [fault])];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { maxBuffer: 2 ** 26 }, (_error, out, err) => {
      if (out === "") reject(new Error(err));
      else resolve(JSON.parse(out) as Covered);
    });
  });
}

describe("the simulation", () => {
  it("finds nothing where everything holds", async () => {
    const { violation, counts } = await simulated(1, 0.3);
    expect(violation).toBeUndefined();
    expect(counts["rounds"]).toBe(1);
    expect(counts["fencedWrites"]).toBeGreaterThan(10);
  });

  it("finds a fault that is planted, and the same again from the same seed", async () => {
    const found = await simulated(2, 0.4, "a lease that two have");
    expect(found.violation).toMatch(/ got a lease of repository=octocat\/hello-world \w+ that .* has$/);
    expect(await simulated(2, 0.4, "a lease that two have")).toEqual(found);
  });
});
