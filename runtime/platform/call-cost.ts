import type { RateLimitRules } from "../contract/index.ts";
import { type Amounts, type LimitRules, partName } from "../fleet/index.ts";
import type { Job } from "./job.ts";

// What a call takes from the limits of a platform.

const minute = 60_000;
/** Milliseconds after which a process that syncs lets another one with the same credential go on. */
const backgroundTurn = 5_000;

/** The points that a call takes from the platform's limit per minute; 0 where there is no such limit. */
export function pointsAMinute({ bucket, write, points }: Job, rules: RateLimitRules): number {
  const budget = rules.points?.[bucket];
  if (budget === undefined) return 0;
  // A call that takes more of the hourly budget counts with that. A minute must have room for any call.
  return write ? budget.write : Math.min(Math.max(budget.read, points), budget.perMinute);
}

/** The name of the limit of one call; names of limits have no slash. */
export const callLimit = (call: string) => `call ${encodeURIComponent(call)}`;

/** What a call takes of the limits that processes share; the names are those of {@link limitRules}. */
export function needOf(job: Job, rules: RateLimitRules): Amounts {
  const { bucket, points, write, background, limit } = job;
  const cost = pointsAMinute(job, rules);
  return {
    calls: 1,
    ...(cost > 0 ? { [`${bucket} points`]: cost } : {}),
    ...(rules.headers === undefined ? {} : { [bucket]: points }),
    ...(background ? { "background calls": 1 } : {}),
    ...(limit !== undefined && Object.hasOwn(rules.calls ?? {}, limit) ? { [callLimit(limit)]: 1 } : {}),
    ...(write && rules.writes !== undefined ? { writing: 1, "writes a minute": 1, "writes an hour": 1 } : {}),
  };
}

/**
 * What a call takes of its caller's part of the limits that processes share: of each limit that {@link needOf} names, except those that
 * let one call pass at a time, and the limits of single calls, which are small.
 */
export function callerNeedOf(job: Job, rules: RateLimitRules): Amounts {
  const { caller, share, background } = job;
  if (share >= 1 || background) return {};
  const need = Object.entries(needOf(job, rules)).filter(([name]) => name !== "writing" && !name.startsWith("call "));
  return Object.fromEntries(need.map(([of, amount]) => [partName({ of, share, caller }), amount]));
}

/** The limits of a credential that all processes keep together. */
export function limitRules({ points, calls = {}, writes, concurrent, background, headers }: RateLimitRules): LimitRules {
  const sliding = (limit: number, span: number) => ({ limit, span, refill: "sliding" as const });
  const perMinute = (["graphql", "rest"] as const).flatMap((bucket) => {
    const limit = points?.[bucket]?.perMinute;
    return limit === undefined ? [] : [[`${bucket} points`, sliding(limit, minute)] as const];
  });
  const ofCalls = Object.entries(calls).map(([call, limit]) => [callLimit(call), sliding(limit, minute)] as const);
  const written = writes && {
    "writes a minute": sliding(writes.perMinute, minute),
    "writes an hour": sliding(writes.perHour, 60 * minute),
  };
  return {
    rates: { ...Object.fromEntries([...perMinute, ...ofCalls]), ...written },
    slots: {
      calls: { limit: concurrent },
      "background calls": { limit: background?.concurrent ?? 1, turn: backgroundTurn },
      ...(writes === undefined ? {} : { writing: { limit: 1, pause: writes.spacing } }),
    },
    budgets: headers === undefined ? [] : ["graphql", "rest"],
  };
}
