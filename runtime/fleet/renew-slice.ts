import { countedNames, countRule, isCounted, type Part, partFreeIn, partLeft, wantedParts, withoutOldParts } from "./parts.ts";
import { freeIn, giveBack, leftOf, type RateState, take, usedOf } from "./rates.ts";
import { type Amounts, type Ask, type LimitRules, type RateRule, type Slice, sliceTime } from "./shared-limits.ts";

/** What is known of a budget: what the platform said was left, null where it says nothing; and until when, in milliseconds since 1970. */
interface Budget {
  readonly left: number | null;
  readonly reset: number;
}

interface Owner {
  readonly until: number;
  readonly slice: number;
  /** What the slice gave of rates, each with the time that {@link take} returned. */
  readonly rates: Readonly<Record<string, readonly [amount: number, at: number]>>;
  /** Slots that it may use, and what it may take from budgets, calls under way among them. */
  readonly held: Amounts;
  /** Slots that were in use. */
  readonly running: Amounts;
  /**
   * Since when it has had slots that owners take in turns, and since when it waits for such slots and nothing else, having none of them.
   */
  readonly turns?: Amounts;
  readonly waiting?: Amounts;
  /** When it asked last. */
  readonly askedAt?: number;
}

/** What is kept of the limits of one key. It is stored as JSON. */
export interface LimitState {
  readonly at: number;
  readonly slices: number;
  readonly owners: Readonly<Record<string, Owner>>;
  readonly rates: Readonly<Record<string, RateState>>;
  readonly budgets: Readonly<Record<string, Budget>>;
  /** Until when no call may go out (under the empty name), and until when a slot stays free and a rate is not used. */
  readonly waits: Amounts;
  /** Whether the platform has accepted no call since the last wait. */
  readonly trial?: boolean;
}

export const noState: LimitState = { at: 0, slices: 0, owners: {}, rates: {}, budgets: {}, waits: {} };

const minute = 60_000;
/** Milliseconds after which an owner that has not asked again counts as ended: what it holds is free. */
const ownerTime = 15_000;
/** Milliseconds of the longest wait. Platforms count by the hour, so a longer wait is a mistake and must not stop all calls. */
const longestWait = 65 * minute;
/** Milliseconds by which the ends of one window of a platform may differ, as its answers and clocks tell them. */
const tolerance = 5_000;
/** Milliseconds after which to ask again for what another owner holds. */
const shortWait = 100;
/** Milliseconds after which an owner that has not asked again no longer waits. */
const longestSilence = 10 * shortWait;
/** Milliseconds after which to ask again, while another owner's call finds out what the budget is. */
const probeWait = 50;

/**
 * Takes back the last slice of an owner, notes what it reports, and makes the next one. This function alone decides which owner may use how
 * much of a limit. A store only keeps the state, and runs the renewals of one key one after the other.
 *
 * @param clock milliseconds since 1970; the same clock for all owners
 */
export function renewSlice(
  state: LimitState,
  rules: LimitRules,
  ask: Ask,
  clock: number,
): { readonly state: LimitState; readonly slice: Slice } {
  // Clocks may be set back.
  const now = Math.max(clock, state.at);
  const owners = Object.fromEntries(
    Object.entries(state.owners).filter(([name, { until }]) => name !== ask.owner && until > now),
  );
  const own = state.owners[ask.owner];
  const budgets = reported(state.budgets, ask, now);
  const ruleOf = (name: string) => countRule(rules, name, (budget) => budgets[budget] && budgets[budget].reset - now);
  const settled = settle(state.rates, rules, ruleOf, own, ask, now);
  const waits = waitsOf(state.waits, rules, own, ask, now);
  const wait = Math.max(0, (waits[""] ?? 0) - now);
  const trial = wait > 0 || (state.trial === true && !ask.accepted);
  const slice = state.slices + 1;
  const others = Object.values(owners);
  const hand = { rules, ruleOf, ask, now, own, others, rates: settled, waits, budgets, trial };
  const { given, freeIn, waiting } = wait > 0 ? nothing : give(hand);
  const rates: Record<string, RateState> = { ...settled };
  const taken: Record<string, readonly [amount: number, at: number]> = {};
  for (const name of countedNames(rules, given)) {
    const [amount, rule] = [given[name] ?? 0, ruleOf(name)];
    if (amount === 0 || rule === undefined) continue;
    const [next, at] = take(rule, rates[name], amount, now);
    rates[name] = next;
    taken[name] = [amount, at];
  }
  // What is in use stays so; what was given comes on top of it.
  const held: Record<string, number> = {};
  for (const name of new Set([...Object.keys(ask.running), ...Object.keys(given)])) {
    if (isCounted(rules, name)) continue;
    const sum = (ask.running[name] ?? 0) + (given[name] ?? 0);
    if (sum > 0) held[name] = sum;
  }
  const turns: Record<string, number> = {};
  for (const [name, { turn }] of Object.entries(rules.slots))
    if (turn !== undefined && (held[name] ?? 0) > 0) turns[name] = own?.turns?.[name] ?? now;
  const passOn = Object.keys(turns).filter((name) => (given[name] ?? 0) === 0 && mustGiveWay(hand, name));
  const idle = waiting.filter((name) => (held[name] ?? 0) === 0);
  const since = Object.fromEntries(idle.map((name) => [name, own?.waiting?.[name] ?? now]));
  const times = { until: now + ownerTime, askedAt: now, turns, waiting: since };
  owners[ask.owner] = { ...times, slice, rates: taken, held, running: ask.running };
  const left: Record<string, number> = {};
  const resetIn: Record<string, number> = {};
  for (const [name, rule] of Object.entries(rules.rates)) left[name] = leftOf(rule, rates[name], now) + (given[name] ?? 0);
  for (const [name, budget] of Object.entries(budgets)) {
    if (budget.left !== null) left[name] = Math.max(0, budget.left);
    resetIn[name] = budget.reset - now;
  }
  return {
    state: { at: now, slices: slice, owners, rates, budgets, waits, trial },
    slice: { number: slice, given, passOn, left, resetIn, freeIn, wait, trial, owners: Object.keys(owners).length },
  };
}

/** The rates after the last slice was taken back. A slice that never reached its owner was not used. */
function settle(
  rates: LimitState["rates"],
  rules: LimitRules,
  ruleOf: Hand["ruleOf"],
  own: Owner | undefined,
  ask: Ask,
  now: number,
): Record<string, RateState> {
  const settled: Record<string, RateState> = { ...rates };
  for (const name of countedNames(rules, own?.rates ?? {}, ask.spent, ask.extra)) {
    const rule = ruleOf(name);
    if (rule === undefined) continue;
    const [amount, at] = own?.rates[name] ?? [0, now];
    const spent = own !== undefined && own.slice !== ask.slice ? 0 : (ask.spent[name] ?? 0);
    // Where the owner was forgotten, its slice still counts as used.
    if (own !== undefined && spent < amount) settled[name] = giveBack(rule, settled[name], amount - spent, at, now);
    const over = (own !== undefined && spent > amount ? spent - amount : 0) + (ask.extra[name] ?? 0);
    if (over > 0) settled[name] = take(rule, settled[name], over, now)[0];
  }
  const used = (name: string) => {
    const rule = ruleOf(name);
    return rule === undefined ? 0 : usedOf(rule, settled[name], now);
  };
  return withoutOldParts(settled, used);
}

function reported(known: LimitState["budgets"], { reports, lost }: Ask, now: number): Record<string, Budget> {
  const budgets: Record<string, Budget> = {};
  for (const [name, budget] of Object.entries(known)) if (budget.reset > now) budgets[name] = budget;
  for (const [name, amount] of Object.entries(lost)) {
    const budget = budgets[name];
    if (budget !== undefined && budget.left !== null) budgets[name] = { ...budget, left: budget.left - amount };
  }
  for (const [name, { left, resetIn }] of Object.entries(reports)) {
    const budget = budgets[name];
    const reset = now + Math.min(resetIn, longestWait);
    if (left === null) budgets[name] = budget ?? { left, reset: now + minute };
    else if (budget === undefined || budget.left === null || reset > budget.reset + tolerance) budgets[name] = { left, reset };
    // Answers come in another order than the platform has counted them, so within one window the smallest number is the newest.
    else budgets[name] = { left: Math.min(left, budget.left), reset: Math.max(reset, budget.reset) };
  }
  return budgets;
}

function waitsOf(known: Amounts, rules: LimitRules, own: Owner | undefined, ask: Ask, now: number): Amounts {
  const waits: Record<string, number> = {};
  for (const [name, until] of Object.entries(known)) if (until > now) waits[name] = until;
  if (ask.wait > 0) waits[""] = Math.max(waits[""] ?? 0, now + Math.min(ask.wait, longestWait));
  for (const [name, wait] of Object.entries(ask.waits))
    if (Object.hasOwn(rules.rates, name)) waits[name] = Math.max(waits[name] ?? 0, now + Math.min(wait, longestWait));
  for (const [name, { pause = 0 }] of Object.entries(rules.slots)) {
    const used = (own?.running[name] ?? 0) > 0 || (ask.spent[name] ?? 0) > 0;
    if (pause > 0 && used && (ask.running[name] ?? 0) === 0) waits[name] = now + pause;
  }
  return waits;
}

const nothing: Given = { given: {}, freeIn: {}, waiting: [] };

interface Given {
  readonly given: Amounts;
  readonly freeIn: Amounts;
  /** Slots that are all that was missing for something. */
  readonly waiting: readonly string[];
}

interface Hand {
  readonly rules: LimitRules;
  /** The rule by which something is counted; undefined for what is not. */
  readonly ruleOf: (name: string) => RateRule | undefined;
  readonly ask: Ask;
  readonly now: number;
  /** What is known of the asking owner; undefined where it asks for the first time. */
  readonly own: Owner | undefined;
  readonly others: readonly Owner[];
  readonly rates: LimitState["rates"];
  readonly waits: Amounts;
  readonly budgets: Readonly<Record<string, Budget>>;
  readonly trial: boolean;
}

/** How much may be given of everything, and in how many milliseconds it makes sense to ask again. */
interface Open {
  readonly amount: number;
  readonly again: (amount: number) => number;
}

/**
 * What is given of everything, slots in use not among it: all of what can begin at once, as far as there is enough, and of what is likely
 * to be needed soon at most a quarter of the rest, so that something is left for others. Whoever lacks one thing gets nothing of another,
 * which somebody else can use. After a wait, one owner gets a single call, until the platform has accepted one.
 */
function give(hand: Hand): Given {
  const { wanted, likely } = hand.trial ? singleCall(hand.ask) : hand.ask;
  if (hand.trial && isBusy(hand))
    return { ...nothing, freeIn: Object.fromEntries(Object.keys(hand.rules.slots).map((name) => [name, probeWait])) };
  const open = openOf(hand);
  const given: Record<string, number> = {};
  const freeIn: Record<string, number> = {};
  const waiting: string[] = [];
  const timesOf = (need: Amounts) =>
    Math.min(...Object.entries(need).map(([name, amount]) => Math.floor((restOf(name) + 1e-9) / amount)));
  const restOf = (name: string) => (open[name]?.amount ?? 0) - (given[name] ?? 0);
  const add = (need: Amounts, times: number) => {
    for (const [name, amount] of Object.entries(need)) given[name] = (given[name] ?? 0) + amount * times;
  };
  for (const { need, times } of wanted) {
    const possible = Math.max(0, Math.min(times, timesOf(need)));
    if (possible > 0) add(need, possible);
    if (possible === times) continue;
    const missing = Object.entries(need).filter(([name, amount]) => restOf(name) < amount - 1e-9);
    for (const [name, amount] of missing) freeIn[name] = Math.max(1, open[name]?.again(amount) ?? shortWait);
    const [first, ...others] = missing.map(([name]) => name);
    if (first !== undefined && others.length === 0 && hand.rules.slots[first]?.turn !== undefined) waiting.push(first);
  }
  for (const { need, times } of likely) {
    const possible = Math.min(times, Math.floor(timesOf(need) / 4));
    if (possible > 0) add(need, possible);
  }
  return { given, freeIn, waiting };
}

/** What may be wanted while it is unknown whether the platform accepts calls again. */
function singleCall({ wanted }: Ask): Pick<Ask, "wanted" | "likely"> {
  return { wanted: wanted.slice(0, 1).map(({ need }) => ({ need, times: 1 })), likely: [] };
}

/** Whether an owner has a call under way, or may begin one. */
function isBusy({ rules, ask, others }: Hand): boolean {
  return Object.keys(rules.slots).some((name) => (ask.running[name] ?? 0) + heldOf(others, name) > 0);
}

/**
 * Whether an owner leaves a slot that it asks for to another one: its turn is over and another one waits, or it has no turn and another one
 * waits longer.
 */
function mustGiveWay({ rules, now, own, others }: Hand, name: string): boolean {
  const { turn } = rules.slots[name] ?? {};
  if (turn === undefined) return false;
  const began = own?.turns?.[name];
  if (began !== undefined && now - began < turn) return false;
  const before = began === undefined ? (own?.waiting?.[name] ?? now) : Number.POSITIVE_INFINITY;
  return others.some(({ waiting, askedAt = 0 }) => {
    const since = waiting?.[name];
    return since !== undefined && since < before && now - askedAt < longestSilence;
  });
}

function openOf(hand: Hand): Record<string, Open> {
  const { rules, ask, now, others, rates, waits, budgets } = hand;
  const open: Record<string, Open> = {};
  for (const [name, rule] of Object.entries(rules.rates)) {
    const wait = Math.max(0, (waits[name] ?? 0) - now);
    open[name] = {
      amount: wait > 0 ? 0 : leftOf(rule, rates[name], now),
      again: (amount) => Math.max(wait, freeIn(rule, rates[name], amount, now)),
    };
  }
  for (const [name, { limit }] of Object.entries(rules.slots)) {
    const until = waits[name] ?? 0;
    const free = mustGiveWay(hand, name) ? 0 : limit - (ask.running[name] ?? 0) - heldOf(others, name);
    open[name] = until > now ? { amount: 0, again: () => until - now } : { amount: free, again: () => shortWait };
  }
  for (const name of rules.budgets) {
    // What is held may be used already.
    const held = heldOf(others, name) + (ask.running[name] ?? 0);
    const { left, reset } = budgets[name] ?? { left: undefined, reset: now };
    // As long as it is not known, a single call of all owners goes out and finds it out.
    if (left === undefined) open[name] = { amount: held > 0 ? 0 : firstOf(ask, name), again: () => probeWait };
    else if (left === null) open[name] = { amount: Number.MAX_SAFE_INTEGER, again: () => shortWait };
    else
      open[name] = {
        amount: left - held,
        again: (amount) => (left >= amount ? Math.min(shortWait, reset - now) : reset - now),
      };
  }
  for (const [name, part] of wantedParts(ask)) open[name] = openPart(hand, name, part, open[part.of]?.amount ?? 0);
  return open;
}

function openPart({ rules, ruleOf, ask, now, others, rates, budgets }: Hand, name: string, part: Part, left: number): Open {
  const first = firstOf(ask, name);
  if (!isCounted(rules, name)) {
    const own = (ask.running[name] ?? 0) + heldOf(others, name);
    return { amount: partLeft(part, own, left, first), again: () => shortWait };
  }
  const rule = ruleOf(name);
  const isUnknown = rules.budgets.includes(part.of) && (budgets[part.of]?.left ?? null) === null;
  if (rule === undefined || isUnknown) return { amount: Number.MAX_SAFE_INTEGER, again: () => shortWait };
  // What another owner was given and does not use comes back when its slice ends.
  const longest = others.some((one) => Object.hasOwn(one.rates, name)) ? sliceTime : Number.POSITIVE_INFINITY;
  return {
    amount: partLeft(part, usedOf(rule, rates[name], now), left, first),
    again: (amount) => Math.min(longest, partFreeIn(part, rule, rates[name], left, amount, now)),
  };
}

function firstOf({ wanted }: Ask, name: string): number {
  return wanted.find(({ need }) => need[name] !== undefined)?.need[name] ?? 0;
}

function heldOf(owners: readonly Owner[], name: string): number {
  return owners.reduce((sum, { held }) => sum + (held[name] ?? 0), 0);
}
