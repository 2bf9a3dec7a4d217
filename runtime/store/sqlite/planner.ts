import type { Condition } from "../../search/index.ts";
import type { Access } from "./access.ts";
import { columnOf } from "./expression.ts";
import { isWide, type Layout } from "./layout.ts";

/**
 * Rough costs in microseconds: fetching and sorting a record that an index gave; looking at one in passing, and fetching it where not
 * all is in the index; testing a short text and a long one; looking up a word; counting a record of a word, of many words, and in
 * another index; reading one from an index of words into a list, in the list's order or not; looking whether a record is in such a list.
 */
const costs = {
  gather: 2.5,
  look: 0.6,
  fetch: 0.6,
  shortText: 2,
  longText: 7,
  word: 8,
  countWord: 0.08,
  countWords: 0.1,
  count: 0.06,
  list: 0.15,
  listAnyOrder: 0.3,
  listed: 0.2,
} as const;
/** A condition with so few records is not compared with others. */
const fewEnough = 100;
/** So many records tell a share. */
const enoughTested = 20;
const enoughFound = 5;

/** A way to the records of some of the conditions, and how many it has: at least, or as a whole. */
export interface Way {
  readonly access: Access;
  readonly conditions: readonly Condition[];
  least: number;
  whole: boolean;
}

export interface Plan {
  /** The way whose records are gathered; absent for a walk. */
  readonly gather?: Way;
  /** Ways whose records are listed, instead of testing their conditions one by one. */
  readonly lists: readonly Way[];
  /** How many records a walk may look at before there is something to think over. */
  readonly looks: number;
}

interface Tested {
  tested: number;
  passed: number;
}

/**
 * Finds out what is the cheapest way to the records of a conjunction. Nothing is known before, and effort grows in rounds: records of
 * the conditions are counted in the indexes, and a walk that was given up tells how many records passed which test.
 */
export class Planner {
  readonly #layout: Layout;
  readonly #total: number;
  readonly #need: number;
  readonly #ways: readonly Way[];
  readonly #count: (access: Access, most: number) => number;
  readonly #tested = new Map<Condition, Tested>();
  #looks = 0;
  #hits = 0;

  constructor(
    layout: Layout,
    total: number,
    need: number,
    ways: readonly Way[],
    count: (access: Access, most: number) => number,
  ) {
    this.#layout = layout;
    this.#total = Math.max(1, total);
    this.#need = need;
    this.#ways = ways;
    this.#count = count;
  }

  /** What a walk has shown: how many records failed which of the tests, and how many passed all. */
  learn(tests: readonly Condition[], missed: readonly number[], hits: number): void {
    this.#hits = hits;
    this.#looks = hits + missed.reduce((sum, one) => sum + one, 0);
    let tested = this.#looks;
    for (const [index, test] of tests.entries()) {
      const passed = tested - (missed[index] ?? 0);
      this.#tested.set(test, { tested, passed });
      tested = passed;
    }
  }

  /**
   * The best plan, as far as an effort (microseconds) can tell.
   *
   * @param conditions all of them
   * @param residual those that a walk has to test
   */
  plan(conditions: readonly Condition[], residual: readonly Condition[], effort: number): Plan {
    // Where a walk has shown what it takes, nothing that takes longer is of use.
    const shown = this.#hits < enoughFound ? effort : this.#expectedLooks(residual) * this.#lookCost(residual, []);
    const rarest = this.#rarest(Math.min(effort, shown));
    const looks = this.#expectedLooks(residual);
    const lists = this.#worthListing(residual, this.#ways, looks);
    const look = this.#lookCost(residual, lists);
    const walkCost = looks * look + listCost(lists);
    if (rarest !== undefined) {
      const others = conditions.filter((one) => !rarest.access.exact || !rarest.conditions.includes(one));
      const rest = this.#ways.filter((way) => way !== rarest);
      // Where only ids are given, lists spare the fetching of records too.
      const early = rarest.access.rows === undefined;
      const listed = this.#worthListing(others, rest, rarest.least, early ? costs.gather : 0);
      const kept = early ? listed.reduce((share, way) => share * Math.min(1, way.least / this.#total), 1) : 1;
      const tested = rarest.least * (kept * (costs.gather + this.#testCost(others, listed)) + (early ? costs.listed : 0));
      const cost = setUpCost(rarest) + tested + listCost(listed);
      if (cost <= walkCost || rarest.least <= fewEnough) return { gather: rarest, lists: listed, looks: 0 };
    }
    const sure = this.#hits >= enoughFound || this.#ways.every(({ whole }) => whole);
    return { lists, looks: Math.ceil(Math.max(effort, sure ? 2 * walkCost : 0) / look) };
  }

  /** The way with the fewest records, when nothing else gives the order. */
  fewest(effort: number): Way | undefined {
    for (const way of this.#ways) this.#countMore(way, effort / costs.count);
    const [best = this.#ways[0]] = this.#ways.filter(({ least, whole }) => whole || least > 0).sort((a, b) => a.least - b.least);
    return best;
  }

  /** Tests in the order in which they are made: the cheap before the dear. */
  inOrder(conditions: readonly Condition[], lists: readonly Way[]): Condition[] {
    const cost = (one: Condition) => (isListed(one, lists) ? costs.listed : this.#textCost(one));
    return conditions.toSorted((a, b) => cost(a) - cost(b) || (this.#share(a) ?? 1) - (this.#share(b) ?? 1));
  }

  #rarest(effort: number): Way | undefined {
    let rarest: Way | undefined;
    for (const way of this.#ways) {
      const words = way.access.words !== undefined;
      const affordable = (effort - setUpCost(way)) / countCost(way);
      // Further than the rarest one only where a list may be worth it.
      const useful = rarest === undefined ? affordable : rarest.least * (words ? 16 : 1) + 1;
      const share = Math.min(1, ...way.conditions.map((one) => this.#sampled(one) ?? 0));
      if (share * this.#total < 2 * affordable) this.#countMore(way, Math.min(affordable, useful));
      if (way.whole && (rarest === undefined || way.least < rarest.least)) rarest = way;
      if (rarest !== undefined && rarest.least <= fewEnough) break;
    }
    return rarest;
  }

  #countMore(way: Way, most: number): void {
    const limit = Math.ceil(most);
    if (way.whole || limit <= way.least) return;
    way.least = this.#count(way.access, limit);
    way.whole = way.least < limit;
  }

  /** How many records a walk looks at until it has found enough. */
  #expectedLooks(residual: readonly Condition[]): number {
    const shares = residual.map((one) => this.#share(one) ?? this.#leastShare(one));
    const expected = shares.reduce((product, share) => product * share, 1);
    const share =
      this.#hits >= enoughFound
        ? this.#hits / this.#looks
        : Math.min(expected, this.#looks === 0 ? 1 : (this.#hits + 1) / this.#looks);
    return Math.min(this.#total, this.#need / share);
  }

  /** Share of the records that have a condition, where it is known. Of several conditions that share a way, the first stands for all. */
  #share(condition: Condition): number | undefined {
    const [way] = this.#ways
      .filter(({ conditions, whole }) => whole && conditions.includes(condition))
      .sort((a, b) => a.least - b.least);
    if (way !== undefined) return way.conditions[0] === condition ? Math.min(1, Math.max(1, way.least) / this.#total) : 1;
    return this.#sampled(condition);
  }

  #sampled(condition: Condition): number | undefined {
    const { tested = 0, passed = 0 } = this.#tested.get(condition) ?? {};
    return tested < enoughTested ? undefined : (passed + 0.5) / (tested + 0.5);
  }

  #leastShare(condition: Condition): number {
    const way = this.#ways.find(({ conditions }) => conditions[0] === condition);
    return way === undefined || way.least === 0 ? 1 : Math.min(1, way.least / this.#total);
  }

  /**
   * Ways whose records are sooner listed than tested one by one, one for each condition.
   *
   * @param spared what else is saved for a record that is not in a list
   */
  #worthListing(conditions: readonly Condition[], ways: readonly Way[], tests: number, spared = 0): Way[] {
    const worth = ways.filter((way) => {
      const [own] = way.conditions;
      if (way.access.words === undefined || !way.whole || own === undefined || !conditions.includes(own)) return false;
      const reached = this.#reach(
        conditions.filter((one) => one !== own),
        own,
      );
      const sparing = spared * (1 - Math.min(1, way.least / this.#total));
      return tests * (reached * (this.#textCost(own) - costs.listed) + sparing) > listCost([way]);
    });
    return worth.filter(
      (way) => !worth.some((other) => other.conditions[0] === way.conditions[0] && isSooner(other, way, worth)),
    );
  }

  /** Share of the records that come to a test, past all cheaper ones. */
  #reach(others: readonly Condition[], condition: Condition): number {
    const cost = this.#textCost(condition);
    return others.reduce((share, one) => (this.#textCost(one) < cost ? share * (this.#share(one) ?? 1) : share), 1);
  }

  #lookCost(residual: readonly Condition[], lists: readonly Way[]): number {
    const inIndex = residual.every((one) => lists.some(({ access, conditions }) => access.exact && conditions.includes(one)));
    return costs.look + (inIndex ? 0 : costs.fetch) + this.#testCost(residual, lists);
  }

  #testCost(conditions: readonly Condition[], lists: readonly Way[]): number {
    let reached = 1;
    let cost = 0;
    for (const one of this.inOrder(conditions, lists)) {
      cost += reached * (isListed(one, lists) ? costs.listed : this.#textCost(one));
      reached *= this.#share(one) ?? 1;
    }
    return cost;
  }

  /** What JavaScript, or a long text, costs for one record. */
  #textCost(condition: Condition): number {
    if (condition.kind === "not") return this.#textCost(condition.condition);
    if (condition.kind !== "test") return condition.conditions.reduce((sum, one) => sum + this.#textCost(one), 0);
    if (isWide(columnOf(this.#layout, condition.field))) return costs.longText;
    return ["like", "keyword", "fuzzy"].includes(condition.operator) ? costs.shortText : 0;
  }
}

/** Fewer records, or as many and named before. */
function isSooner(one: Way, other: Way, all: readonly Way[]): boolean {
  return one.least < other.least || (one.least === other.least && all.indexOf(one) < all.indexOf(other));
}

function isListed(condition: Condition, lists: readonly Way[]): boolean {
  return lists.some(({ conditions }) => conditions.includes(condition));
}

function listCost(lists: readonly Way[]): number {
  return lists.reduce((sum, way) => {
    const list = way.access.repeats === true ? costs.listAnyOrder : costs.list;
    return sum + setUpCost(way) + way.least * (list + countCost(way));
  }, 0);
}

function countCost({ access: { words } }: Way): number {
  return words === undefined ? costs.count : words > 1 ? costs.countWords : costs.countWord;
}

function setUpCost({ access }: Way): number {
  return Math.max(0, (access.words ?? 0) - 1) * costs.word;
}
