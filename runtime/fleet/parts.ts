import { freeIn, type RateState, usedOf } from "./rates.ts";
import type { Ask, LimitRules, RateRule } from "./shared-limits.ts";

/** A caller's part of a limit: its share of what the other callers have not used. Whoever has used nothing of it may begin all the same. */
export interface Part {
  /** The rate, slot or budget. */
  readonly of: string;
  /** More than 0, less than 1. */
  readonly share: number;
  readonly caller: string;
}

/** Parts that are counted. Above that, the callers who have used least are forgotten: that gives them least. */
const mostParts = 2_000;

/** The name under which a part stands among rates, slots and budgets; none of their own names has a slash. */
export function partName({ of, share, caller }: Part): string {
  return `${of}/${share}/${caller}`;
}

/** @returns undefined where the name is of a limit itself */
export function partOf(name: string): Part | undefined {
  const [of = "", share, ...caller] = name.split("/");
  return share === undefined ? undefined : { of, share: Number(share), caller: caller.join("/") };
}

/** Whether a use counts after its end too, as of rates and the parts of rates and budgets. */
export function isCounted(rules: LimitRules, name: string): boolean {
  const part = partOf(name);
  return part === undefined ? Object.hasOwn(rules.rates, name) : !Object.hasOwn(rules.slots, part.of);
}

/**
 * The rule by which something is counted; undefined where nothing is.
 *
 * @param resetIn milliseconds until a budget is full again; undefined where it is unknown
 */
export function countRule(
  rules: LimitRules,
  name: string,
  resetIn: (budget: string) => number | undefined,
): RateRule | undefined {
  const part = partOf(name);
  if (part === undefined) return rules.rates[name];
  const rate = rules.rates[part.of];
  if (rate !== undefined) return { limit: 0, span: rate.span, refill: "sliding" };
  const span = rules.budgets.includes(part.of) ? resetIn(part.of) : undefined;
  return span === undefined ? undefined : { limit: 0, span, refill: "reset" };
}

/**
 * How much a caller may still have of its part.
 *
 * @param own what it uses of the limit now
 * @param left what is left of the limit for everybody
 * @param first what the first of its calls that wait needs
 */
export function partLeft({ share }: Part, own: number, left: number, first: number): number {
  const amount = share * (own + Math.max(0, left)) - own;
  return own > 0 ? amount : Math.max(amount, first);
}

/** Milliseconds until a caller may have so much of its part of something that is counted. */
export function partFreeIn(
  { share }: Part,
  rule: RateRule,
  state: RateState | undefined,
  left: number,
  amount: number,
  now: number,
) {
  const own = usedOf(rule, state, now);
  return freeIn({ ...rule, limit: share * (own + Math.max(0, left)) }, state, amount, now);
}

/** The parts that something waits for. */
export function wantedParts({ wanted, likely }: Pick<Ask, "wanted" | "likely">): [name: string, part: Part][] {
  const names = new Set([...wanted, ...likely].flatMap(({ need }) => Object.keys(need)));
  return [...names].flatMap((name) => {
    const part = partOf(name);
    return part === undefined ? [] : [[name, part] as [string, Part]];
  });
}

/** Forgets the parts of which nothing is used any longer, and the smallest where there are too many. */
export function withoutOldParts(rates: Readonly<Record<string, RateState>>, used: (name: string) => number) {
  const kept: Record<string, RateState> = {};
  const parts: [name: string, state: RateState, used: number][] = [];
  for (const [name, state] of Object.entries(rates)) {
    if (partOf(name) === undefined) kept[name] = state;
    else if (used(name) > 0) parts.push([name, state, used(name)]);
  }
  if (parts.length > mostParts) parts.sort(([, , first], [, , second]) => second - first);
  for (const [name, state] of parts.slice(0, mostParts)) kept[name] = state;
  return kept;
}

/** What is counted among names, and all rates. */
export function countedNames(rules: LimitRules, ...names: readonly object[]): string[] {
  const all = new Set([...Object.keys(rules.rates), ...names.flatMap((amounts) => Object.keys(amounts))]);
  return [...all].filter((name) => isCounted(rules, name));
}
