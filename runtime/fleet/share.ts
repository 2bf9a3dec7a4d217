import { randomUUID } from "node:crypto";
import { isCounted, partOf } from "./parts.ts";
import {
  type Amounts,
  type BudgetReport,
  type LimitRules,
  type SharedLimits,
  type Slice,
  sliceTime,
  type Wish,
} from "./shared-limits.ts";

// Decision 13 in runtime/site/text/decisions-service.md says why: processes share limits in slices.

export interface ShareOptions {
  readonly limits: SharedLimits;
  /** Names what the limits count; nothing secret. */
  readonly key: string;
  readonly rules: LimitRules;
  /** Called before each renewal: what waits for it, in order. */
  readonly wanted: () => readonly Amounts[];
  /** Called after each renewal, with the new slice; with undefined when the limits cannot be reached. */
  readonly onSlice: (slice: Slice | undefined) => void;
}

/** Milliseconds between two tries to reach the limits. */
const retryTime = 1_000;
/** As how many processes a single one counts itself at least while it cannot know how many there are. */
const fewestOwners = 2;

/**
 * The part of shared limits that one process may use. It holds a slice for at most a second, and then tells what it used and takes another
 * one. Everything but a renewal is synchronous.
 *
 * While the limits cannot be reached nothing is given, and {@link weight} says for how many processes each use has to count in the limits
 * that the process keeps by itself: it then keeps to its equal part of them.
 */
export class Share {
  readonly #options: ShareOptions;
  readonly #owner = randomUUID();
  #slice: Slice | undefined;
  /** Until when the slice can be used, and when the last renewal began, both as of `performance.now()`. */
  #until = Number.NEGATIVE_INFINITY;
  #asked = Number.NEGATIVE_INFINITY;
  /** What was used of the slice, and what was used without one. */
  #spent: Record<string, number> = {};
  #extra: Record<string, number> = {};
  #running: Record<string, number> = {};
  /** What was in use when the last renewal began: it has come on top of what was given. */
  #before: Amounts = {};
  /** How often what was used of the slice, by the JSON of what it needs. */
  #uses = new Map<string, number>();
  #reports: Record<string, BudgetReport> = {};
  #lost: Record<string, number> = {};
  /** Until when the platform wants no calls: as known to any process, as seen by this one, and as this one has reported. */
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #ownPause = Number.NEGATIVE_INFINITY;
  #toldPause = Number.NEGATIVE_INFINITY;
  /** Until when the platform wants no use of one rate, as this process knows and has not reported yet. */
  readonly #holds = new Map<string, number>();
  /** When it makes sense to ask again for what was not given. */
  #freeAt: Record<string, number> = {};
  /** Whether the platform has accepted a call since the last wait, and this is not told yet. */
  #accepted = false;
  #away = false;
  #retryAt = Number.NEGATIVE_INFINITY;
  #renewing: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ShareOptions) {
    this.#options = options;
  }

  /** Whether the limits cannot be reached. */
  get isAway(): boolean {
    return this.#away;
  }

  /** For how many processes each use counts in the limits that the process keeps by itself. */
  get weight(): number {
    return this.#away ? Math.max(fewestOwners, this.#slice?.owners ?? 0) : 1;
  }

  /** What was left for all processes together at the last renewal, less what this one has used since; undefined before the first. */
  left(name: string): { readonly left: number; readonly at: number } | undefined {
    const left = this.#slice?.left[name];
    return left === undefined ? undefined : { left: left - (this.#spent[name] ?? 0), at: this.#asked };
  }

  /** Whether so much can be used now. If not, a renewal is begun, unless it is known to be of no use yet. */
  has(need: Amounts, now: number): boolean {
    if (this.#away) {
      this.#tryAgain(now);
      return true;
    }
    if (this.#isGiven(need, now)) return true;
    if (this.freeAt(need, now) <= now) this.#begin();
    return false;
  }

  /** When asking for this much may succeed at the earliest; `now` where that is unknown. */
  freeAt(need: Amounts, now: number): number {
    if (!this.#away && this.#isGiven(need, now)) return now;
    let earliest = Math.max(now, this.#pausedUntil);
    if (!this.#away) for (const name of Object.keys(need)) earliest = Math.max(earliest, this.#freeAt[name] ?? now);
    return earliest;
  }

  /** Uses so much. Slots, and what is taken from budgets, are in use until {@link end}. */
  use(need: Amounts): void {
    this.#count(need, 1);
    for (const [name, amount] of Object.entries(need)) {
      this.#spend(name, amount);
      if (!isCounted(this.#options.rules, name)) this.#running[name] = (this.#running[name] ?? 0) + amount;
    }
  }

  /** Uses something of a rate whose cost is known only afterwards. */
  spend(name: string, amount: number): void {
    this.#count({ [name]: 1 }, amount);
    this.#spend(name, amount);
  }

  #count(need: Amounts, times: number): void {
    const key = JSON.stringify(need);
    this.#uses.set(key, (this.#uses.get(key) ?? 0) + times);
  }

  #spend(name: string, amount: number): void {
    const spent = this.#away || this.#renewing !== undefined ? this.#extra : this.#spent;
    spent[name] = (spent[name] ?? 0) + amount;
    this.#tellAtEnd();
  }

  /** Ends a use. */
  end(need: Amounts): void {
    const { rules } = this.#options;
    let ended = false;
    for (const [name, amount] of Object.entries(need)) {
      if (isCounted(rules, name)) continue;
      this.#running[name] = Math.max(0, (this.#running[name] ?? 0) - amount);
      // It is free here, whatever the last renewal said.
      delete this.#freeAt[name];
      ended ||= rules.slots[name]?.pause !== undefined || this.#slice?.passOn.includes(name) === true;
    }
    // Others wait for such a slot, or its pause begins now.
    if (ended && !this.#away) this.#begin();
    this.#tellAtEnd();
  }

  /** Notes what an answer of the platform said of a budget. */
  report(name: string, report: BudgetReport): void {
    const known = this.#reports[name];
    const isOlder = known !== undefined && known.left !== null && report.left === null;
    if (!isOlder) this.#reports[name] = report;
    // Whoever waits for the budget to become known need not wait any longer.
    if (this.#slice?.resetIn[name] === undefined) delete this.#freeAt[name];
  }

  /** Notes a call that took something from a budget and has no answer. */
  lose(name: string, amount: number): void {
    this.#lost[name] = (this.#lost[name] ?? 0) + amount;
  }

  /** Tells all processes that the platform wants no calls until a time (as of `performance.now()`). */
  pause(until: number): void {
    this.#ownPause = Math.max(this.#ownPause, until);
    this.#pausedUntil = Math.max(this.#pausedUntil, until);
    if (!this.#away) this.#begin();
  }

  /** Tells all processes that the platform wants no use of one rate until a time (as of `performance.now()`). */
  hold(name: string, until: number): void {
    this.#holds.set(name, Math.max(this.#holds.get(name) ?? until, until));
    if (!this.#away) this.#begin();
  }

  /** Tells all processes that the platform accepts calls again after a wait. */
  accept(): void {
    this.#accepted = true;
    if (!this.#away) this.#begin();
  }

  /** Waits for the end of the renewal that is under way, if one is. It never rejects. */
  async renewed(): Promise<void> {
    await this.#renewing;
  }

  #isGiven(need: Amounts, now: number): boolean {
    if (now >= this.#until || now < this.#pausedUntil || this.#renewing !== undefined) return false;
    return Object.entries(need).every(([name, amount]) => {
      if (this.#slice?.passOn.includes(name)) return false;
      // The last bits of a fraction are no reason to ask again.
      return (this.#slice?.given[name] ?? 0) - this.#usedOf(name) >= amount - 1e-9;
    });
  }

  /** What is used of what the slice gave. A slot that was given can be used again and again, unless a pause has to follow each use. */
  #usedOf(name: string): number {
    const slot = this.#options.rules.slots[partOf(name)?.of ?? name];
    if (slot === undefined || slot.pause !== undefined) return this.#spent[name] ?? 0;
    return (this.#running[name] ?? 0) - (this.#before[name] ?? 0);
  }

  #tryAgain(now: number): void {
    if (now >= this.#retryAt) this.#begin();
  }

  #begin(): Promise<void> {
    this.#renewing ??= this.#renew();
    return this.#renewing;
  }

  async #renew(): Promise<void> {
    // What begins in the same moment is requested together.
    await Promise.resolve();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { limits, key, rules, wanted, onSlice } = this.#options;
    const asked = performance.now();
    const ownPause = this.#ownPause;
    const holds = [...this.#holds];
    const told = { reports: this.#reports, lost: this.#lost, extra: this.#extra, accepted: this.#accepted };
    [this.#reports, this.#lost, this.#extra, this.#accepted] = [{}, {}, {}, false];
    const ask = {
      owner: this.#owner,
      slice: this.#slice?.number ?? 0,
      spent: this.#spent,
      running: { ...this.#running },
      ...told,
      wait: ownPause > this.#toldPause ? Math.max(0, ownPause - asked) : 0,
      waits: Object.fromEntries(holds.flatMap(([name, until]) => (until > asked ? [[name, until - asked]] : []))),
      wanted: grouped(wanted()),
      likely: this.#likely(),
    };
    let slice: Slice | undefined;
    try {
      slice = await limits.renew(key, rules, ask);
      this.#toldPause = ownPause;
      for (const [name, until] of holds) if (this.#holds.get(name) === until) this.#holds.delete(name);
      this.#take(slice, asked, ask.running);
    } catch {
      this.#away = true;
      this.#retryAt = performance.now() + retryTime;
      this.#reports = { ...told.reports, ...this.#reports };
      this.#lost = sumOf(told.lost, this.#lost);
      this.#extra = sumOf(told.extra, this.#extra);
      this.#accepted ||= told.accepted;
    }
    this.#renewing = undefined;
    // The platform asked for a pause meanwhile.
    if (!this.#away && (this.#ownPause > this.#toldPause || this.#holds.size > 0)) this.#begin();
    this.#tellAtEnd();
    onSlice(slice);
  }

  #take(slice: Slice, asked: number, running: Amounts): void {
    const now = performance.now();
    this.#away = false;
    this.#slice = slice;
    this.#asked = asked;
    this.#until = asked + sliceTime;
    this.#spent = {};
    this.#uses.clear();
    this.#before = running;
    // What was not requested with this slice stays as it was reported before. Otherwise it would be requested before the slice is used.
    const known = Object.entries(this.#freeAt).filter(([name, at]) => at > now && slice.given[name] === undefined);
    this.#freeAt = {
      ...Object.fromEntries(known),
      ...Object.fromEntries(Object.entries(slice.freeIn).map(([name, ms]) => [name, now + ms])),
    };
    if (slice.wait > 0) this.#pausedUntil = Math.max(this.#pausedUntil, now + slice.wait);
  }

  /** As much as is used in the time of a slice, by the use of the last one; at most four times that, because the use may end again. */
  #likely(): Wish[] {
    const factor = Math.min(4, sliceTime / Math.max(1, performance.now() - this.#asked));
    return [...this.#uses].map(([need, times]) => ({ need: JSON.parse(need), times: Math.ceil(times * factor) }));
  }

  /** When the slice ends, what was not used of it goes back, and what was used is reported. */
  #tellAtEnd(): void {
    const now = performance.now();
    if (this.#timer !== undefined || this.#renewing !== undefined || !this.#hasToTell()) return;
    const at = this.#away ? this.#retryAt : this.#until;
    this.#timer = setTimeout(() => void this.#begin(), Math.max(1, at - now)).unref();
  }

  #hasToTell(): boolean {
    const now = performance.now();
    if (this.#ownPause > Math.max(this.#toldPause, now) || Object.keys(this.#reports).length > 0) return true;
    if ([...this.#holds.values()].some((until) => until > now)) return true;
    const given = this.#slice?.given ?? {};
    // What was in use, and is no longer, is reported too.
    return [this.#running, this.#before, this.#spent, this.#extra, this.#lost, given].some((amounts) =>
      Object.values(amounts).some((amount) => amount > 0),
    );
  }
}

/** Neighbours that need the same count together. */
function grouped(needs: readonly Amounts[]): Wish[] {
  const wishes: { readonly need: Amounts; readonly text: string; times: number }[] = [];
  for (const need of needs) {
    const text = JSON.stringify(need);
    const last = wishes.at(-1);
    if (last?.text === text) last.times++;
    else wishes.push({ need, text, times: 1 });
  }
  return wishes.map(({ need, times }) => ({ need, times }));
}

function sumOf(first: Amounts, second: Amounts): Record<string, number> {
  const sum: Record<string, number> = { ...first };
  for (const [name, amount] of Object.entries(second)) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
}
