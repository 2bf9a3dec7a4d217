import { expect, it } from "vitest";
import { CallerShares } from "../../../runtime/platform/caller-shares.ts";
import type { Job } from "../../../runtime/platform/job.ts";
import { SlidingWindow } from "../../../runtime/platform/window.ts";

it.each(["graphql", "rest"] as const)(
  "forgets callers who have used nothing lately, where the hour's points of %s are known",
  (known) => {
    const other = known === "rest" ? "graphql" : "rest";
    const window = () => new SlidingWindow(1_000, 60_000);
    const budget = { graphql: { remaining: 9, reset: 0 }, rest: { remaining: 9, reset: 0 } };
    const points = { graphql: window(), rest: window() };
    const shares = new CallerShares({ concurrent: 9 }, { active: () => 0, weight: () => 1, points, writes: [window()], budget });
    const job = (caller: string, more: Partial<Job> = {}): Job => ({
      ...{ caller, bucket: other, share: 0.5, write: false, points: 1, background: false, deadline: 0, ...more },
      signal: new AbortController().signal,
    });
    const call = (one: Job, now: number, cost = { points: 1, writes: 1 }) => {
      shares.begin(one, cost, now);
      shares.end(one);
    };
    budget[known] = { remaining: 9, reset: 1e6 };
    for (let serial = 0; serial < 995; serial++) call(job(`filler ${serial}`), 0);
    call(job("quiet"), 0);
    shares.begin(job("active"), { points: 1, writes: 1 }, 0);
    call(job("counted", { bucket: known }), 0);
    call(job("recent"), 119_000);
    call(job("writer", { write: true }), 119_000, { points: 0, writes: 1 });
    call(job("newcomer"), 120_000);
    // Whoever is remembered has used more of this budget than its share.
    for (const bucket of ["graphql", "rest"] as const) budget[bucket] = { remaining: 0, reset: 1e6 };
    const isKnown = (caller: string, bucket: Job["bucket"] = other) =>
      shares.freeAt(job(caller, { bucket }), { points: 1, writes: 1 }, 120_000) === 1e6;
    expect(
      ["quiet", "filler 0", "filler 994", "active", "recent", "writer", "newcomer"].filter((caller) => isKnown(caller)),
    ).toEqual([...["active", "recent", "writer", "newcomer"]]);
    expect(isKnown("counted", known)).toBe(true);
  },
);
