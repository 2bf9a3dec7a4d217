import type { Condition } from "../../../search/index.ts";
import { columnNamed, type Layout } from "../tables/layout.ts";
import type { AccessPath } from "./access.ts";
import { operatorOf } from "./operators.ts";
import { planning } from "./planning.ts";

/** A way to find the records of some of the conditions. It has exactly `least` records when `whole` is true, otherwise at least so many. */
export interface Way {
  readonly access: AccessPath;
  readonly conditions: readonly Condition[];
  least: number;
  whole: boolean;
}

export interface Plan {
  /** The way whose records are gathered; absent for a walk. */
  readonly gather?: Way;
  /** Ways whose records are read into a list first, instead of testing their conditions on each record. */
  readonly lists: readonly Way[];
  /** How many records a walk may look at before a new plan is made with the numbers that the walk has counted. */
  readonly looks: number;
}

/** What an unfinished walk has shown. */
export interface WalkReport {
  /** The tests in their order, and for each of them how many records failed it. */
  readonly tests: readonly Condition[];
  readonly missed: readonly number[];
  /** The ways whose records were read into lists first. */
  readonly lists: readonly Way[];
  /** How many records passed all tests. */
  readonly hits: number;
  /** Microseconds. */
  readonly took: number;
  /** How many records are still needed: the next walk begins behind the last one that was found. */
  readonly need: number;
}

interface Tested {
  tested: number;
  passed: number;
}

/**
 * Finds the cheapest way to the records of a conjunction. It begins without any knowledge, and learns in rounds of growing effort: it
 * counts records of the conditions in the indexes, and uses the counts of unfinished walks of how many records passed each test.
 */
export class Planner {
  readonly #layout: Layout;
  readonly #total: number;
  #need: number;
  readonly #ways: readonly Way[];
  readonly #count: (access: AccessPath, most: number) => number;
  readonly #tested = new Map<Condition, Tested>();
  #looks = 0;
  #hits = 0;
  /** How many times as long as estimated it takes to fetch and test records. */
  #slowness = 1;

  constructor(
    layout: Layout,
    total: number,
    need: number,
    ways: readonly Way[],
    count: (access: AccessPath, most: number) => number,
  ) {
    this.#layout = layout;
    this.#total = Math.max(1, total);
    this.#need = need;
    this.#ways = ways;
    this.#count = count;
  }

  /** Takes what a walk has counted, and how long it took. It is added to what the walks before it have counted. */
  learn({ tests, lists, missed, hits, took, need }: WalkReport): void {
    const looks = hits + missed.reduce((sum, one) => sum + one, 0);
    this.#need = need;
    this.#hits += hits;
    this.#looks += looks;
    let tested = looks;
    for (const [index, test] of tests.entries()) {
      const passed = tested - (missed[index] ?? 0);
      const before = this.#tested.get(test) ?? { tested: 0, passed: 0 };
      this.#tested.set(test, { tested: before.tested + tested, passed: before.passed + passed });
      tested = passed;
    }
    const estimated = looks * this.#lookCost(tests, lists) + listCost(lists);
    if (estimated >= planning.enoughTime) this.#slowness = Math.min(planning.slowest, Math.max(1, took / estimated));
  }

  /**
   * Makes the best plan that can be found with an effort (microseconds).
   *
   * @param conditions all conditions
   * @param residual the conditions that a walk has to test
   */
  plan(conditions: readonly Condition[], residual: readonly Condition[], effort: number): Plan {
    // Once the duration of a walk can be estimated, a way that takes longer is useless.
    const shown =
      this.#hits < planning.enoughFound ? effort : this.#expectedLooks(residual) * this.#lookCost(residual, []) * this.#slowness;
    const rarest = this.#rarest(Math.min(effort, shown));
    const expected = this.#expectedLooks(residual);
    const lists = this.#worthListing(residual, this.#ways, expected);
    const look = this.#lookCost(residual, lists) * this.#slowness;
    const walkCost = expected * look + listCost(lists);
    if (rarest !== undefined) {
      const others = conditions.filter((one) => !rarest.access.exact || !rarest.conditions.includes(one));
      const rest = this.#ways.filter((way) => way !== rarest);
      // Where the way gives only ids, lists also save fetching the records that are not in them.
      const early = rarest.access.rows === undefined;
      const listed = this.#worthListing(others, rest, rarest.least, early ? planning.gather : 0);
      const kept = early ? listed.reduce((share, way) => share * Math.min(1, way.least / this.#total), 1) : 1;
      const tested = rarest.least * (kept * (planning.gather + this.#testCost(others, listed)) + (early ? planning.listed : 0));
      const cost = setUpCost(rarest) + tested * this.#slowness + listCost(listed);
      if (cost <= walkCost || rarest.least <= planning.fewEnough) return { gather: rarest, lists: listed, looks: 0 };
    }
    const sure = this.#hits >= planning.enoughFound || this.#ways.every(({ whole }) => whole);
    const looks = Math.max(effort, sure ? 2 * walkCost : 0) / look;
    return { lists, looks: Math.ceil(Math.max(looks, 2 * this.#looks)) };
  }

  /** The way with the fewest records, for a sort whose order no index has; undefined when looking at all records is better. */
  fewest(effort: number): Way | undefined {
    for (const way of this.#ways)
      this.#countMore(way, isUnion(way) ? this.#total * planning.largestUnion : effort / planning.count);
    // A union whose count was stopped may have any number of rows.
    const useful = this.#ways.filter((way) => way.whole || !isUnion(way));
    return useful.sort((a, b) => a.least - b.least)[0];
  }

  /** The order in which tests are made: cheap tests run first. */
  inOrder(conditions: readonly Condition[], lists: readonly Way[]): Condition[] {
    const cost = (one: Condition) => (isListed(one, lists) ? planning.listed : this.#textCost(one));
    return conditions.toSorted((a, b) => cost(a) - cost(b) || (this.#share(a) ?? 1) - (this.#share(b) ?? 1));
  }

  #rarest(effort: number): Way | undefined {
    let rarest: Way | undefined;
    for (const way of this.#ways) {
      const words = way.access.words !== undefined;
      const affordable = (effort - setUpCost(way)) / countCost(way);
      // A way that has more records than the rarest one is useful only as a list.
      const useful = rarest === undefined ? affordable : rarest.least * (words ? 16 : 1) + 1;
      const share = Math.min(1, ...way.conditions.map((one) => this.#sampled(one) ?? 0));
      if (share * this.#total < 2 * affordable) this.#countMore(way, Math.min(affordable, useful));
      if (way.whole && (rarest === undefined || way.least < rarest.least)) rarest = way;
      if (rarest !== undefined && rarest.least <= planning.fewEnough) break;
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
      this.#hits >= planning.enoughFound
        ? this.#hits / this.#looks
        : Math.min(expected, this.#looks === 0 ? 1 : (this.#hits + 1) / this.#looks);
    return Math.min(this.#total, this.#need / share);
  }

  /** Share of the records that fulfil a condition; undefined when unknown. The share of a way counts for the first of its conditions. */
  #share(condition: Condition): number | undefined {
    const [way] = this.#ways
      .filter(({ conditions, whole }) => whole && conditions.includes(condition))
      .sort((a, b) => a.least - b.least);
    if (way !== undefined) return way.conditions[0] === condition ? Math.min(1, Math.max(1, way.least) / this.#total) : 1;
    return this.#sampled(condition);
  }

  #sampled(condition: Condition): number | undefined {
    const { tested = 0, passed = 0 } = this.#tested.get(condition) ?? {};
    return tested < planning.enoughTested ? undefined : (passed + 0.5) / (tested + 0.5);
  }

  #leastShare(condition: Condition): number {
    const way = this.#ways.find(({ conditions }) => conditions[0] === condition);
    return way === undefined || way.least === 0 ? 1 : Math.min(1, way.least / this.#total);
  }

  /**
   * The ways for which listing the records is faster than testing them one by one, at most one for each condition.
   *
   * @param spared microseconds that are saved in addition for each record that is not in a list
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
      return tests * (reached * (this.#textCost(own) - planning.listed) + sparing) > listCost([way]);
    });
    return worth.filter(
      (way) => !worth.some((other) => other.conditions[0] === way.conditions[0] && isSooner(other, way, worth)),
    );
  }

  /** Share of the records that pass all cheaper tests, so that this test has to run on them. */
  #reach(others: readonly Condition[], condition: Condition): number {
    const cost = this.#textCost(condition);
    return others.reduce((share, one) => (this.#textCost(one) < cost ? share * (this.#share(one) ?? 1) : share), 1);
  }

  /** @param residual at least one condition: a walk that has to test none needs no plan */
  #lookCost(residual: readonly Condition[], lists: readonly Way[]): number {
    if (areInLists(residual, lists)) return planning.lookInLists;
    return planning.look + planning.fetch + this.#testCost(residual, lists);
  }

  #testCost(conditions: readonly Condition[], lists: readonly Way[]): number {
    let reached = 1;
    let cost = 0;
    for (const one of this.inOrder(conditions, lists)) {
      cost += reached * (isListed(one, lists) ? planning.listed : this.#textCost(one));
      reached *= this.#share(one) ?? 1;
    }
    return cost;
  }

  /** Microseconds for testing a text of one record; 0 for a condition that compares values. */
  #textCost(condition: Condition): number {
    if (condition.kind === "not") return this.#textCost(condition.condition);
    if (condition.kind !== "test") return condition.conditions.reduce((sum, one) => sum + this.#textCost(one), 0);
    if (columnNamed(this.#layout, condition.field).kind === "wide") return planning.longText;
    return operatorOf(condition).inJavascript ? planning.shortText : 0;
  }
}

/** Whether a way is preferred to another one: it has fewer records, or as many and comes earlier in the list. */
function isSooner(one: Way, other: Way, all: readonly Way[]): boolean {
  return one.least < other.least || (one.least === other.least && all.indexOf(one) < all.indexOf(other));
}

/** Whether lists of ids decide all conditions, so that no record has to be fetched. */
export function areInLists(conditions: readonly Condition[], lists: readonly Way[]): boolean {
  return conditions.every((one) => lists.some((way) => way.access.exact && way.conditions.includes(one)));
}

function isListed(condition: Condition, lists: readonly Way[]): boolean {
  return lists.some(({ conditions }) => conditions.includes(condition));
}

function listCost(lists: readonly Way[]): number {
  return lists.reduce((sum, way) => {
    const list = way.access.repeats === true ? planning.listAnyOrder : planning.list;
    return sum + setUpCost(way) + way.least * (list + countCost(way));
  }, 0);
}

function countCost({ access: { words } }: Way): number {
  return words === undefined ? planning.count : words > 1 ? planning.countWords : planning.countWord;
}

function setUpCost(way: Way): number {
  return Math.max(0, (way.access.words ?? 0) - 1) * planning.word + (isUnion(way) ? way.least * planning.union : 0);
}

function isUnion({ access }: Way): boolean {
  return access.parts !== undefined;
}
