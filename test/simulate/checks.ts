import type { LeaseKey, ScopeCollection } from "../../runtime/store/store.ts";
import { syncGroupsOf } from "../../runtime/sync/order.ts";
import type { Chaos } from "./chaos.ts";
import type { Clock } from "./clock.ts";
import { connector } from "./platform.ts";

// What must hold whatever fails.

export class Violation extends Error {}

/** Fails the simulation. */
export function violated(what: string): never {
  throw new Violation(what);
}

interface Given {
  readonly place: LeaseKey;
  readonly owner: string;
  readonly token: number;
  /** So long its owner certainly has it, unless it is given back. */
  readonly until: number;
}

/** Whether two leases overlap. */
function overlap(one: LeaseKey, other: LeaseKey): boolean {
  if (one.scope === undefined || other.scope === undefined) return true;
  const [own = "", its = ""] = [one.syncGroup, other.syncGroup];
  return one.scope === other.scope && (own === "" || its === "" || own === its);
}

/** Checks that nobody gets a lease that somebody else has, and that nothing is written under a lease that somebody else has been given. */
export class Fencing {
  /** The last lease of each place, as long as its owner has not given it back. */
  readonly #given = new Map<string, Given>();
  /** The last fencing token of each place: whoever had a lease that overlaps before may write nothing any more. */
  readonly #tokens = new Map<string, Pick<Given, "place" | "token">>();
  readonly #now: () => number;
  readonly #violated: (what: string) => void;
  writes = 0;

  constructor(now: () => number, violation: (what: string) => void) {
    this.#now = now;
    this.#violated = violation;
  }

  /** Watches a store, or what writes it. It has to see the calls of all processes. */
  watch<Watched extends object>(target: Watched): Watched {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== "function") return value;
        return (...args: unknown[]) => {
          // Only leases that were given before the call begins count: of one that is given meanwhile, nobody knows which was first.
          const newest = this.#newestFor(args[0]);
          const began = this.#now();
          if (name === "lease" && args[2] === 0) this.#giveBack(placeName(args[0] as LeaseKey), String(args[1]));
          const result: unknown = value.apply(target, args);
          const look = (given: unknown) => {
            this.#look({ name: String(name), args, given, newest, began });
            return given;
          };
          if (result instanceof Promise) return result.then(look);
          return look(result);
        };
      },
    });
  }

  #giveBack(place: string, owner: string): void {
    if (this.#given.get(place)?.owner === owner) this.#given.delete(place);
  }

  #newestFor(first: unknown): number {
    const { entity, scope } = (first ?? {}) as Partial<ScopeCollection>;
    if (entity === undefined || scope === undefined) return 0;
    const [kind = ""] = scope.split("=");
    const group = syncGroupsOf(connector, kind).find((one) => one.includes(entity))?.[0];
    const own = { connector: "", instance: "", scope, ...(group === undefined ? {} : { syncGroup: group }) };
    return Math.max(0, ...[...this.#tokens.values()].filter(({ place }) => overlap(place, own)).map(({ token }) => token));
  }

  #look({ name, args, given, newest, began }: Called): void {
    if (name === "lease" && typeof given === "number") {
      const [place, owner, seconds] = args as [LeaseKey, string, number];
      for (const one of this.#given.values())
        if (one.owner !== owner && one.until > this.#now() && overlap(one.place, place))
          this.#violated(`${owner} got a lease of ${placeName(place)} that ${one.owner} has`);
      if (seconds > 0) {
        this.#given.set(placeName(place), { place, owner, token: given, until: began + seconds * 1_000 });
        this.#tokens.set(placeName(place), { place, token: given });
      }
    }
    const token = (args[0] as { readonly fencingToken?: number } | undefined)?.fencingToken;
    if (token === undefined) return;
    this.writes++;
    if (token < newest) this.#violated(`${name} was done with the fencing token ${token} although ${newest} was given`);
  }
}

/** A call that has ended well. */
interface Called {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly given: unknown;
  readonly newest: number;
  readonly began: number;
}

const placeName = ({ scope = "", syncGroup = "" }: LeaseKey) => `${scope} ${syncGroup}`;

/** A receiver that fails now and then, and what it has taken. */
export class Receiver {
  readonly taken: { readonly sequence: number; readonly record: string; readonly isGone: boolean }[] = [];
  /** Changes before this one were reported as lost. */
  lostBefore = 0;
  readonly #clock: Clock;
  readonly #chaos: Chaos;

  constructor(clock: Clock, chaos: Chaos) {
    this.#clock = clock;
    this.#chaos = chaos;
  }

  async take(id: string, body: string): Promise<Response> {
    await this.#clock.sleep(this.#chaos.way(50));
    if (this.#chaos.strikes("receiver fails", 3)) return new Response("", { status: 500 });
    const { type, data } = JSON.parse(body) as { type: string; data: { sequence: number; entity: string; key: { id: string } } };
    if (type === "changes.truncated") this.lostBefore = Math.max(this.lostBefore, Number(id.split("_")[3]));
    else this.taken.push({ sequence: data.sequence, record: `${data.entity} ${data.key.id}`, isGone: type === "record.deleted" });
    await this.#clock.sleep(this.#chaos.way(50));
    if (this.#chaos.strikes("receiver's response lost")) throw new TypeError("fetch failed");
    return new Response("", { status: 200 });
  }

  /**
   * @param next sequence number behind the last change
   * @param cached the entities and keys of all cached records
   */
  check(name: string, next: number, cached: ReadonlySet<string>): void {
    const own = new Set(this.taken.map(({ sequence }) => sequence));
    for (let sequence = this.lostBefore; sequence < next; sequence++)
      if (!own.has(sequence)) violated(`the receiver ${name} has not got change ${sequence} of ${next}`);
    for (const [record, some] of Map.groupBy(this.taken, (one) => one.record)) {
      const firsts = [...new Set(some.map(({ sequence }) => sequence))];
      if (firsts.some((one, place) => one < (firsts[place - 1] ?? -1)))
        violated(`the receiver ${name} got the changes of ${record} in a wrong order: ${firsts.join(", ")}`);
      const last = some.reduce((newest, one) => (one.sequence > newest.sequence ? one : newest));
      if (last.sequence >= this.lostBefore && last.isGone === cached.has(record))
        violated(`the receiver ${name} has ${record} as ${last.isGone ? "gone" : "there"}, and the cache has not`);
    }
  }
}

/**
 * Checks that cached records are as they should be.
 *
 * @param wanted their values; undefined for a record that is gone
 * @param isWhole whether nothing else may be cached
 */
export function compare(
  entity: string,
  when: string,
  cached: ReadonlyMap<string, string>,
  wanted: ReadonlyMap<string, string | undefined>,
  isWhole: boolean,
): void {
  const texts = (value: string | undefined) => value ?? "nothing";
  for (const [key, value] of wanted)
    if (cached.get(key) !== value)
      violated(`${when}, the cache has ${texts(cached.get(key))} for ${entity} ${key}, and the platform ${texts(value)}`);
  if (!isWhole) return;
  for (const key of cached.keys())
    if (!wanted.has(key)) violated(`${when}, the cache has ${entity} ${key}, which is gone on the platform`);
}
