import { expect, it } from "vitest";
import { searchTooSlow } from "../../../../runtime/store/ending.ts";
import { StatementTurns } from "../../../../runtime/store/postgres/search/statement-turns.ts";

const limitsOf = (id: string, more = {}) => ({
  caller: { id, worked: () => undefined },
  deadline: performance.now() + 100_000,
  ...more,
});

it("SQL has half of the connections, and each caller one of them", async () => {
  const turns = new StatementTurns(5, 8);
  const begun: string[] = [];
  const gates = new Map<string, () => void>();
  const run = (name: string) =>
    turns.take(limitsOf(name.charAt(0)), async () => {
      begun.push(name);
      await new Promise<void>((resolve) => gates.set(name, resolve));
    });
  const all = ["a1", "a2", "b1", "c1"].map(run);
  const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));
  await settled();
  expect(begun).toEqual(["a1", "b1"]);
  gates.get("b1")?.();
  await settled();
  expect(begun).toEqual(["a1", "b1", "c1"]);
  gates.get("a1")?.();
  await settled();
  expect(begun).toEqual(["a1", "b1", "c1", "a2"]);
  for (const end of gates.values()) end();
  await Promise.all(all);
});

it("SQL that waits leaves at its deadline, and when nobody wants it any longer", async () => {
  const turns = new StatementTurns(1);
  const gate = Promise.withResolvers<void>();
  const first = turns.take(limitsOf("a"), () => gate.promise);
  const gone = new AbortController();
  const left = turns.take(limitsOf("b", { signal: gone.signal }), () => Promise.reject(new Error("begun")));
  const late = turns.take(limitsOf("c", { deadline: performance.now() }), () => Promise.reject(new Error("begun")));
  gone.abort();
  await expect(left).rejects.toMatchObject({ code: "search_timeout" });
  await expect(late).rejects.toMatchObject({ code: "search_timeout" });
  const next = turns.take(limitsOf("d"), async () => "done");
  gate.resolve();
  await first;
  expect(await next).toBe("done");
});

it("as many statements run to their end as half of the processors, and one more for a short time until its turn has come", async () => {
  const turns = new StatementTurns(8, 4);
  const gates = [0, 1].map(() => Promise.withResolvers<void>());
  const alone: boolean[] = [];
  const long = ["a", "b"].map((id, at) =>
    turns.take(limitsOf(id), (limits) => {
      alone.push(limits.alone);
      return gates[at]?.promise ?? Promise.reject(new Error("none"));
    }),
  );
  const times: (number | undefined)[] = [];
  const third = turns.take(limitsOf("c"), async ({ brief }) => {
    times.push(brief);
    if (times.length > 1) return "done";
    // What begins while the short time runs gets none until that has ended.
    expect(await Promise.race([fourth, "waits"])).toBe("waits");
    gates[0]?.resolve();
    throw searchTooSlow();
  });
  const fourth = turns.take(limitsOf("d"), async () => "fourth");
  expect(await third).toBe("done");
  expect(await fourth).toBe("fourth");
  expect(times).toEqual([100, undefined]);
  expect(alone).toEqual([true, false]);
  gates[1]?.resolve();
  await Promise.all(long);
});
