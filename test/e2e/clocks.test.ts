import { describe, expect, it } from "vitest";
import { alone, good } from "./support/service.ts";

// The platform tells by its own clock when its budget is full again. That clock and ours may differ by minutes.

const minutes = 60_000;

describe.each([
  ["five minutes ahead", 5 * minutes],
  ["five minutes behind", -5 * minutes],
])("a platform whose clock is %s", (_title, ahead) => {
  const refusals = (log: readonly string[]) => log.filter((line) => line.includes("because of its rate limits"));

  it.concurrent("gets no call inside the wait that it has told, and answers every call within its deadline", () =>
    alone({}, async ({ platform, tenon }) => {
      platform.ahead = ahead;
      const ask = () => tenon.run("viewer", "get", { fields: ["login"] });
      good(await ask());
      platform.fail({ kind: "quota", on: "graphql", remaining: 3, resetIn: 5 });
      good(await ask());
      const replies = await Promise.all(Array.from({ length: 10 }, ask));
      // Two have room; the others go out when the budget is full again.
      for (const reply of replies) good(reply);
      expect(refusals(tenon.log)).toEqual([]);
      expect(platform.requests).toHaveLength(12);
    }));

  it.concurrent("is obeyed, too, when it only refuses: one call finds out, and none is lost", () =>
    alone({}, async ({ platform, tenon }) => {
      platform.ahead = ahead;
      const ask = () => tenon.run("viewer", "get", { fields: ["login"] });
      good(await ask());
      platform.fail({ kind: "quota", on: "graphql", remaining: 0, resetIn: 5 });
      good(await ask());
      for (const reply of await Promise.all(Array.from({ length: 10 }, ask))) good(reply);
      expect(refusals(tenon.log)).toHaveLength(1);
      expect(platform.requests).toHaveLength(13);
    }));

  it.concurrent("says how long to wait where that is longer than the deadline", () =>
    alone({}, async ({ platform, tenon }) => {
      platform.ahead = ahead;
      platform.fail({ kind: "quota", on: "graphql", remaining: 1, resetIn: 120 });
      good(await tenon.run("viewer", "get", { fields: ["login"] }));
      const reply = await tenon.run("viewer", "get", { fields: ["login"] });
      expect([reply.status, reply.body["code"]]).toEqual([429, "rate_limited"]);
      const seconds = Number(reply.headers.get("retry-after"));
      expect(seconds).toBeGreaterThan(110);
      expect(seconds).toBeLessThan(125);
      expect(platform.requests).toHaveLength(1);
    }));
});
