import type { RateLimitRules } from "../../../runtime/contract/index.ts";
import type { Job } from "../../../runtime/platform/job.ts";
import type { Scheduler } from "../../../runtime/platform/scheduler.ts";

/** A platform with limits for calls at once, writes and points. */
export const rules: RateLimitRules = {
  headers: { remaining: "r", reset: "s" },
  requestId: "i",
  concurrent: 3,
  writes: { spacing: 1000, perMinute: 5, perHour: 7 },
  points: { graphql: { perMinute: 10, read: 1, write: 5 }, rest: { perMinute: 100, read: 1, write: 5 } },
};

const { points: _points, ...others } = rules;
/** Where only an hour has a budget. */
export const withoutMinutes: RateLimitRules = others;

/** A read of one point, unless `more` says otherwise. */
const job = (more: Partial<Job> = {}): Job => ({
  bucket: "graphql",
  write: false,
  points: 1,
  background: false,
  deadline: performance.now() + 600_000,
  signal: new AbortController().signal,
  caller: "a",
  share: 1,
  ...more,
});

/** Runs a call that takes `ms`; tells when it began and how it ended. */
export function start(scheduler: Scheduler, more: Partial<Job> = {}, ms = 0) {
  const told = { began: undefined as number | undefined, error: undefined as unknown };
  void scheduler
    .run(job(more), async () => {
      told.began = performance.now();
      if (ms > 0) await new Promise((resume) => setTimeout(resume, ms));
    })
    .catch((thrown: unknown) => {
      told.error = thrown;
    });
  return told;
}
