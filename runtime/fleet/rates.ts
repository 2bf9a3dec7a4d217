import { type RateRule, sliceTime } from "./shared-limits.ts";

// How much of a rate is used, as data that can be stored. Nothing here changes what it is given.

/** Of a sliding rate: `[when it began, amount]` of each step, oldest first; at most 62. */
type Steps = readonly (readonly [start: number, amount: number])[];

/** Of a rate that fills evenly: what was left at a time. It is negative when something took more than there was. */
type Level = readonly [left: number, at: number];

/** Of a rate that is full again at a time: what was used until then. */
type Window = readonly [used: number, until: number];

export type RateState = { readonly steps: Steps } | { readonly level: Level } | { readonly window: Window };

/** A sixtieth of the span is counted together. */
const stepOf = ({ span }: RateRule) => Math.max(1, Math.floor(span / 60));

/** What was taken at a time may be used as long as its slice can, so that it counts that much longer. */
const lifeOf = (rule: RateRule) => rule.span + stepOf(rule) + sliceTime;

/** How much is left. @param state undefined where nothing was taken yet @param now milliseconds since 1970 */
export function leftOf(rule: RateRule, state: RateState | undefined, now: number): number {
  if (rule.refill === "sliding") return rule.limit - stepsOf(rule, state, now).reduce((sum, [, amount]) => sum + amount, 0);
  if (rule.refill === "reset") return rule.limit - windowOf(rule, state, now)[0];
  const [left, at] = levelOf(rule, state, now);
  return Math.min(rule.limit, left + (Math.max(0, now - at) / rule.span) * rule.limit);
}

/** How much is used. */
export function usedOf(rule: RateRule, state: RateState | undefined, now: number): number {
  return rule.limit - leftOf(rule, state, now);
}

/** Takes an amount. @returns the state after it, and the time with which it can be given back */
export function take(rule: RateRule, state: RateState | undefined, amount: number, now: number): [RateState, at: number] {
  if (rule.refill === "even") return [{ level: [leftOf(rule, state, now) - amount, now] }, now];
  if (rule.refill === "reset") {
    const [used, until] = windowOf(rule, state, now);
    return [{ window: [used + amount, until] }, until];
  }
  const steps = stepsOf(rule, state, now);
  const last = steps.at(-1);
  if (last === undefined || now - last[0] >= stepOf(rule)) return [{ steps: [...steps, [now, amount]] }, now];
  return [{ steps: [...steps.slice(0, -1), [last[0], last[1] + amount]] }, last[0]];
}

/** Gives back what was taken at a time. What does not count any longer, because its span is over, is not given back. */
export function giveBack(rule: RateRule, state: RateState | undefined, amount: number, at: number, now: number): RateState {
  if (rule.refill === "even") return { level: [Math.min(rule.limit, leftOf(rule, state, now) + amount), now] };
  if (rule.refill === "reset") {
    const [used, until] = windowOf(rule, state, now);
    return { window: [until === at ? Math.max(0, used - amount) : used, until] };
  }
  const steps = stepsOf(rule, state, now);
  return { steps: steps.map(([start, used]) => [start, start === at ? Math.max(0, used - amount) : used] as const) };
}

/** Milliseconds until so much is left; 0 when it is. */
export function freeIn(rule: RateRule, state: RateState | undefined, amount: number, now: number): number {
  let missing = Math.min(amount, rule.limit) - leftOf(rule, state, now);
  // A difference this small is an error of rounding.
  if (missing <= 1e-9) return 0;
  if (rule.refill === "even") return Math.ceil((missing / rule.limit) * rule.span - 1e-6);
  if (rule.refill === "reset") return Math.max(1, windowOf(rule, state, now)[1] - now);
  for (const [start, used] of stepsOf(rule, state, now)) {
    missing -= used;
    if (missing <= 1e-9) return Math.max(1, start + lifeOf(rule) - now);
  }
  return rule.span;
}

function stepsOf(rule: RateRule, state: RateState | undefined, now: number): Steps {
  if (state === undefined || !("steps" in state)) return [];
  return state.steps.filter(([start, amount]) => amount > 0 && start + lifeOf(rule) > now);
}

function levelOf(rule: RateRule, state: RateState | undefined, now: number): Level {
  return state !== undefined && "level" in state ? state.level : [rule.limit, now];
}

function windowOf(rule: RateRule, state: RateState | undefined, now: number): Window {
  return state !== undefined && "window" in state && state.window[1] > now ? state.window : [0, now + rule.span];
}
