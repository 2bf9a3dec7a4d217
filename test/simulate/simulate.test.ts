import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Fencing } from "./checks.ts";
import { plantedFaults } from "./planted.ts";
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

  it.each(Object.entries(plantedFaults))("can plant %s", (_name, { file, from }) => {
    const text = readFileSync(join(import.meta.dirname, "../..", file), "utf8");
    expect(text.split(from)).toHaveLength(2);
  });

  it("notices a write with a former fencing token, also after the newer lease was given back", () => {
    const found: string[] = [];
    let token = 0;
    const store = new Fencing(
      () => 0,
      (what) => found.push(what),
    ).watch({
      lease: (_place: object, _owner: string, seconds: number) => (seconds === 0 ? null : ++token),
      note: (_collection: object) => undefined,
    });
    const place = { connector: "github", instance: "github", scope: "repository=octocat/hello-world", syncGroup: "issues" };
    const note = (fencingToken: number) => store.note({ scope: place.scope, entity: "comments", fencingToken });
    store.lease(place, "first", 60);
    note(1);
    store.lease(place, "first", 0);
    store.lease(place, "second", 60);
    // Whoever has lost a lease gives it back, too.
    store.lease(place, "first", 0);
    store.lease(place, "second", 0);
    expect(found).toEqual([]);
    note(1);
    expect(found).toEqual([expect.stringContaining("note was done with the fencing token 1 although 2 was given")]);
  });
});
