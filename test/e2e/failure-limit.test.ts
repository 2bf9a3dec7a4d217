import { describe, expect, it, vi } from "vitest";
import type { Fault, Platform } from "../support/github/start.ts";
import { reads, writes } from "./support/calls.ts";
import { alone, bad, good, type Reply } from "./support/service.ts";
import { hello } from "./support/world.ts";

// Rate limits of the platform: wait when the deadline allows it, else say how long to wait.

// Most of these tests wait.
vi.setConfig({ maxConcurrency: 15 });

const at = { owner: "octocat", repo: "hello-world" };
const issue = { ...at, number: 1, fields: ["number"] };
const created = ({ world }: Platform) => hello(world).issues.filter((one) => one.title === "once").length;
/** Sooner than any of the resets below. */
const soon = { timeoutMs: 15_000 };

/** @param least seconds that are left when the call begins; the wait that is told is shorter by what the call itself took */
async function expectLimited(call: Promise<Reply>, least: number, most: number): Promise<void> {
  const begun = performance.now();
  const reply = await call;
  const took = (performance.now() - begun) / 1000;
  expect(bad(reply, 429, "rate_limited")["retryable"]).toBe(true);
  const seconds = Number(reply.headers.get("retry-after"));
  expect(seconds).toBeGreaterThanOrEqual(least - took);
  expect(seconds).toBeLessThanOrEqual(most);
}

const resets: [fault: Fault, seconds: number][] = [
  [{ kind: "primary-limit", resetIn: 40 }, 40],
  [{ kind: "primary-limit", form: "RATE_LIMIT", resetIn: 40 }, 40],
  [{ kind: "secondary-limit", status: 200, retryAfter: 30 }, 30],
  [{ kind: "secondary-limit", status: 200, form: "message", retryAfter: 30 }, 30],
  [{ kind: "secondary-limit", status: 403, retryAfter: 30 }, 30],
  [{ kind: "secondary-limit", status: 429, retryAfter: 30 }, 30],
  [{ kind: "secondary-limit", status: 403, retryAfter: 30, remaining: 4000, resetIn: 3000 }, 30],
  [{ kind: "secondary-limit", status: 200, remaining: 0, resetIn: 20 }, 20],
  [{ kind: "secondary-limit", status: 429, remaining: 0, resetIn: 20 }, 20],
  // No platform counts for days: after five minutes, a single call finds out.
  [{ kind: "primary-limit", resetIn: 1_000_000 }, 300],
  // Neither of the two says when: a minute.
  [{ kind: "secondary-limit", status: 200 }, 60],
  [{ kind: "secondary-limit", status: 200, form: "message" }, 60],
  [{ kind: "secondary-limit", status: 403 }, 60],
  [{ kind: "secondary-limit", status: 429, remaining: 4000, resetIn: 3000 }, 60],
];

describe("a limit that ends after the deadline", () => {
  it.concurrent.each(resets)("is reported to the caller of a read: %j", (fault, seconds) =>
    alone(soon, async ({ platform, tenon }) => {
      platform.fail(fault);
      await expectLimited(tenon.run("issues", "get", issue), seconds - 1, seconds + 3);
      expect(reads(platform).length).toBe(1);
    }),
  );

  const onRest: [fault: Fault, seconds: number][] = [
    [{ kind: "primary-limit", status: 403, resetIn: 40 }, 40],
    [{ kind: "primary-limit", status: 429, resetIn: 40 }, 40],
    [{ kind: "secondary-limit", status: 403, retryAfter: 30 }, 30],
    [{ kind: "secondary-limit", status: 429, retryAfter: 30 }, 30],
    [{ kind: "secondary-limit", status: 403 }, 60],
  ];
  it.concurrent.each(onRest)("is reported to the caller of a write, which did nothing: %j", (fault, seconds) =>
    alone(soon, async ({ platform, tenon }) => {
      platform.fail(fault);
      await expectLimited(tenon.run("issues", "create", { ...at, title: "once" }), seconds - 1, seconds + 3);
      expect([writes(platform).length, created(platform)]).toEqual([1, 0]);
    }),
  );

  it.concurrent("holds back the next calls too", () =>
    alone(soon, async ({ platform, tenon }) => {
      platform.fail({ kind: "secondary-limit", status: 429, retryAfter: 30 });
      const begun = performance.now();
      const least = () => Math.floor(30 - (performance.now() - begun) / 1000);
      for (const [entity, action, params] of [
        ["issues", "get", issue],
        ["users", "get", { username: "octocat" }],
        ["issues", "create", { ...at, title: "once" }],
      ] as const) {
        await expectLimited(tenon.run(entity, action, params), least(), 31);
      }
      expect(platform.requests.length).toBe(1);
    }));

  it.concurrent("of GraphQL's hourly budget does not stop REST, which has its own", () =>
    alone(soon, async ({ platform, tenon }) => {
      platform.fail({ kind: "primary-limit", resetIn: 40, on: "graphql" });
      await expectLimited(tenon.run("issues", "get", issue), 39, 43);
      good(await tenon.run("issues", "create", { ...at, title: "once" }));
      expect(created(platform)).toBe(1);
    }));
});

describe("a limit that ends before the deadline", () => {
  const short: Fault[] = [
    { kind: "primary-limit", resetIn: 0.1 },
    { kind: "secondary-limit", status: 200, retryAfter: 1 },
    { kind: "secondary-limit", status: 200, form: "message", retryAfter: 1 },
    { kind: "secondary-limit", status: 403, retryAfter: 1 },
    { kind: "secondary-limit", status: 429, remaining: 0, resetIn: 0.1 },
  ];
  it.concurrent.each(short)("is waited for by a read: %j", (fault) =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail(fault);
      expect(good(await tenon.run("issues", "get", issue))["data"]).toEqual({ number: 1 });
      expect(reads(platform).length).toBe(2);
    }),
  );

  const shortOnRest: Fault[] = [
    { kind: "primary-limit", status: 403, resetIn: 0.1 },
    { kind: "secondary-limit", status: 403, retryAfter: 1 },
    { kind: "secondary-limit", status: 429, retryAfter: 1 },
  ];
  it.concurrent.each(shortOnRest)("is waited for by a write, which is sent again because nothing was done: %j", (fault) =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail(fault);
      good(await tenon.run("issues", "create", { ...at, title: "once" }));
      expect([writes(platform).length, created(platform)]).toEqual([2, 1]);
    }),
  );
});

describe("the hourly budget", () => {
  it.concurrent("is not exceeded, because the headers say when it is used up", () =>
    alone(soon, async ({ platform, tenon }) => {
      platform.fail({ kind: "quota", on: "graphql", remaining: 2, resetIn: 600 });
      good(await tenon.run("issues", "get", issue));
      good(await tenon.run("issues", "get", issue));
      await expectLimited(tenon.run("issues", "get", issue), 590, 603);
      expect(reads(platform).length).toBe(2);
      // REST has its own budget.
      good(await tenon.run("issues", "create", { ...at, title: "once" }));
    }));

  it.concurrent("of REST is apart from that of GraphQL", () =>
    alone(soon, async ({ platform, tenon }) => {
      platform.fail({ kind: "quota", on: "rest", remaining: 0, resetIn: 600 });
      await expectLimited(tenon.run("issues", "create", { ...at, title: "once" }), 590, 603);
      good(await tenon.run("issues", "get", issue));
      expect(created(platform)).toBe(0);
    }));

  it.concurrent("is waited for when it is full again in time", () =>
    alone({}, async ({ platform, tenon }) => {
      platform.fail({ kind: "quota", on: "graphql", remaining: 1, resetIn: 0.1 });
      good(await tenon.run("issues", "get", issue));
      good(await tenon.run("issues", "get", issue));
    }));
});
