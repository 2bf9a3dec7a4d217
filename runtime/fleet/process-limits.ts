import { withDeadline } from "../base/deadline.ts";
import type { Ask, LimitRules, SharedLimits, Slice } from "./shared-limits.ts";

/** Called when the limits cannot be reached any longer, and when they can be again: with the milliseconds that it took. */
export type LimitsListener = (isAway: boolean, ms: number) => void;

/** Shared limits as all parts of one process use them. */
export interface ProcessLimits extends SharedLimits {
  /** From now on each outage is reported once, and its end once. */
  watch(listener: LimitsListener): void;
  /**
   * Gives back what the process holds at the moment, so that nobody waits until it counts as ended. Nothing may be under way any longer,
   * and nothing is given from then on. It never rejects: what cannot be given back now is free after a while.
   */
  close(): Promise<void>;
}

/** Milliseconds of the longest wait of a process that ends while the limits cannot be reached. */
const longestClose = 1_000;

/** What an owner holds of the limits of a key. */
interface Holding {
  readonly key: string;
  readonly rules: LimitRules;
  readonly owner: string;
  readonly slice: Slice;
}

export function processLimits(limits: SharedLimits): ProcessLimits {
  let tell: LimitsListener = () => undefined;
  /** When the outage began, as of `performance.now()`; undefined while there is none. */
  let away: number | undefined;
  let failures = 0;
  let closed = false;
  /** By owner. */
  const holdings = new Map<string, Holding>();
  const succeeded = (before: number) => {
    // A renewal that was under way when another one failed says nothing of the time since then.
    if (away === undefined || before !== failures) return;
    tell(false, performance.now() - away);
    away = undefined;
  };
  const failed = () => {
    failures++;
    if (away === undefined) tell(true, 0);
    away ??= performance.now();
  };
  return {
    watch: (listener) => {
      tell = listener;
    },
    renew: async (key, rules, ask) => {
      if (closed) throw new Error("The process shares no limits any longer.");
      const before = failures;
      try {
        const slice = await limits.renew(key, rules, ask);
        if (isAny(slice.given) || isAny(ask.running)) holdings.set(ask.owner, { key, rules, owner: ask.owner, slice });
        else holdings.delete(ask.owner);
        succeeded(before);
        return slice;
      } catch (thrown) {
        failed();
        throw thrown;
      }
    },
    close: async () => {
      closed = true;
      const last = [...holdings.values()].map(({ key, rules, ...held }) => limits.renew(key, rules, lastAsk(held)));
      await withDeadline(longestClose, Promise.allSettled(last), () => []);
    },
  };
}

function isAny(amounts: Ask["running"]): boolean {
  return Object.values(amounts).some((amount) => amount > 0);
}

/** Ends all uses, and wants nothing. How much of the rates was used is not known here, so all that was given counts as used. */
function lastAsk({ owner, slice }: Pick<Holding, "owner" | "slice">): Ask {
  const nothing = { extra: {}, running: {}, reports: {}, lost: {}, wait: 0, waits: {}, accepted: false, wanted: [], likely: [] };
  return { owner, slice: slice.number, spent: slice.given, ...nothing };
}
