import { createHash } from "node:crypto";
import { pino } from "pino";
import { sealSecrets } from "../../runtime/accounts/index.ts";
import { asTenonError } from "../../runtime/base/errors.ts";
import type { Issue } from "../../runtime/simulated/github/world/issue.ts";
import { readScopes, sync } from "../../runtime/sync/index.ts";
import { Callers, cachedOf, silent } from "./callers.ts";
import { Chaos } from "./chaos.ts";
import { compare, Fencing, Receiver, Violation, violated } from "./checks.ts";
import { type Clock, dice } from "./clock.ts";
import { Hooks } from "./hooks.ts";
import { id, keys, type Node, startNode } from "./node.ts";
import { connector, entities, limits, Platform, scope } from "./platform.ts";
import { isOnPglite } from "./seeds.ts";
import { type Engine, pgliteEngine, sqliteEngine } from "./stores.ts";

const minute = 60_000;
const hour = 60 * minute;
/** How long everything goes wrong, before it is quiet and the state is checked. */
const round = hour;
/** The longest wait until all is done that has to be done: what failed is tried again after a quarter of an hour. */
const quiet = 17 * minute;
/** Milliseconds for which something counts as changed a moment ago. */
const moment = 5_000;

/** What a simulation has covered. */
export interface Covered {
  readonly engine: "SQLite" | "PGlite";
  readonly hours: number;
  readonly events: number;
  readonly faults: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  /** Of all that happened, in order: equal for two runs of the same seed. */
  readonly digest: string;
  readonly violation?: string;
  /** The last lines of the trace. */
  readonly end: readonly string[];
}

/**
 * Simulates some hours of two or three processes.
 *
 * @param tell takes each line of the trace
 */
export async function simulate(clock: Clock, seed: number, hours: number, tell: (line: string) => void): Promise<Covered> {
  const digest = createHash("sha256");
  const end: string[] = [];
  const trace = (line: string) => {
    const whole = `${clock.now.toFixed(3)} ${line}`;
    tell(whole);
    digest.update(`${whole}\n`);
    end.push(whole);
    if (end.length > 60) end.shift();
  };
  const random = dice(seed ^ 0x5eed);
  const chaos = new Chaos(clock, random, trace);
  const name = isOnPglite(seed) ? "PGlite" : "SQLite";
  const world = new World(clock, chaos, trace);
  // PGlite is loaded from the disk, before the time begins.
  const engine = await (name === "PGlite" ? pgliteEngine(chaos, world.fencing) : sqliteEngine(chaos, world.fencing));
  let violation: string | undefined;
  const run = async () => {
    await world.open(engine);
    while (clock.now < hours * hour) await world.round(Math.max(0, Math.min(round, hours * hour - clock.now - quiet)));
  };
  process.on("unhandledRejection", (thrown) =>
    world.fail(`unhandled rejection: ${thrown instanceof Error ? thrown.stack : thrown}`),
  );
  try {
    await clock.until(Promise.race([run(), world.failed]));
  } catch (thrown) {
    violation =
      thrown instanceof Violation ? thrown.message : thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    trace(`VIOLATION ${violation}`);
  }
  await world.close();
  const { events, now } = clock;
  const counts = { ...world.allCounts, calls: world.platform.load.calls, fencedWrites: world.fencing.writes };
  const found = { engine: name, hours: now / hour, events, faults: Object.fromEntries(chaos.struck), counts, end } as const;
  return { ...found, digest: digest.digest("hex"), ...(violation === undefined ? {} : { violation }) };
}

class World {
  readonly counts = { deliveries: 0, rounds: 0, changes: 0, ends: 0, suspensions: 0 };
  readonly platform: Platform;
  readonly fencing: Fencing;
  /** Rejects when something that must hold does not. */
  readonly failed: Promise<void>;
  readonly fail: (what: string) => void;
  readonly #clock: Clock;
  readonly #chaos: Chaos;
  readonly #trace: (line: string) => void;
  readonly #hooks: Hooks;
  readonly #callers: Callers;
  readonly #receivers: ReadonlyMap<string, Receiver>;
  readonly #changeEntries: number;
  #engine: Engine | undefined;
  #nodes: Node[] = [];
  #named = 0;
  /** Whether what ends stays away until the next round, so that nobody reads everything because it has just started. */
  #staysAway = false;
  #away = 0;
  /** What was changed last, and when. */
  #last: { readonly issue: Issue | undefined; readonly at: number } | undefined;

  constructor(clock: Clock, chaos: Chaos, trace: (line: string) => void) {
    this.#clock = clock;
    this.#chaos = chaos;
    this.#trace = trace;
    this.platform = new Platform(clock, chaos, () => this.#changeMeanwhile());
    const { promise, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    this.failed = promise;
    this.fail = (what) => reject(new Violation(what));
    this.fencing = new Fencing(() => clock.now, this.fail);
    this.#receivers = new Map(["one", "two"].map((name) => [`https://${name}.test/`, new Receiver(clock, chaos)]));
    this.#changeEntries = chaos.pick([1_000_000, 30]) ?? 30;
    const { platform, fail } = this;
    const parts = { clock, chaos, platform, trace, nodes: () => this.#nodes };
    this.#hooks = new Hooks({ ...parts, end: (node) => this.#end(node) });
    this.#callers = new Callers({ ...parts, fail });
  }

  get allCounts(): Readonly<Record<string, number>> {
    return { ...this.counts, ...this.#hooks.counts, ...this.#callers.counts };
  }

  async open(engine: Engine): Promise<void> {
    this.#engine = engine;
    const first = await this.#start();
    for (const url of this.#receivers.keys()) {
      const secrets = sealSecrets(keys, url, [{ secret: "whsec_c2VjcmV0LW9mLXRoaXMtdGVzdC1vZi1zdWJz", until: null }]);
      const begin = { log: "", position: 0, createdAt: 1, expiresAt: null };
      const content = JSON.stringify({ url, entity: null });
      await first.accounts.addSubscription({ id: url, caller: "operator", instance: id, content, secrets, ...begin }, 9);
    }
    await this.#start();
    if (this.#chaos.chance(0.3)) await this.#start();
  }

  async close(): Promise<void> {
    await this.#engine?.close();
  }

  /** Some hours in which everything goes wrong, and then a quiet time, after which everything has to be in order. */
  async round(ms: number): Promise<void> {
    const chaos = this.#chaos;
    this.counts.rounds++;
    chaos.rate = chaos.pick([0, 0.001, 0.005, 0.02]) ?? 0;
    for (; this.#away > 0; this.#away--) await this.#start();
    this.#staysAway = chaos.chance(0.6);
    const until = this.#clock.now + ms;
    const often = async (mean: number, act: () => Promise<void> | void) => {
      while (this.#clock.now < until) {
        await this.#clock.sleep(mean * 2 * Math.max(0.01, chaos.below(100) / 100));
        await act();
      }
    };
    await Promise.all([
      often(3 * minute, () => this.#changes()),
      often(4 * minute, () => this.#callers.search()),
      often(5 * minute, () => this.#callers.write()),
      often(8 * minute, () => this.#disturb()),
      often(40 * minute, () => this.#callers.hurry()),
      often(12 * minute, () => chaos.breakDown()),
    ]);
    chaos.rest();
    for (const node of this.#nodes) node.suspendedUntil = 0;
    await this.#clock.sleep(quiet);
    await this.#check();
  }

  async #start(): Promise<Node> {
    const engine = this.#engine;
    if (engine === undefined) violated("there is no engine");
    const write = (line: string) => {
      this.#trace(line.trimEnd());
      this.#hooks.log(line);
    };
    const log = pino({ base: null, level: "info" }, { write });
    const send: typeof globalThis.fetch = async (url, init) => {
      const receiver = this.#receivers.get(String(url));
      if (receiver === undefined) throw new TypeError("fetch failed");
      this.counts.deliveries++;
      return receiver.take(new Headers(init?.headers).get("webhook-id") ?? "", String(init?.body));
    };
    const { platform } = this;
    const options = {
      clock: this.#clock,
      engine,
      platform,
      log,
      send,
      changeEntries: this.#changeEntries,
      webhooks: this.#hooks.isOn,
    };
    const node = await startNode(`process ${++this.#named}`, options);
    this.#nodes.push(node);
    return node;
  }

  /** Ends or suspends a process. */
  async #disturb(): Promise<void> {
    const node = this.#chaos.pick(this.#nodes);
    if (node === undefined || this.#chaos.rate === 0) return;
    if (this.#chaos.chance(0.4)) {
      this.counts.suspensions++;
      node.suspendedUntil = this.#clock.now + 1_000 * (1 + this.#chaos.below(200));
      this.#trace(`SUSPENDED ${node.name}`);
      return;
    }
    if (this.#chaos.chance(0.4)) return;
    await this.#end(node);
  }

  /** Ends a process. Another one takes its place soon, or in the next round. */
  async #end(node: Node): Promise<void> {
    if (node.isDead) return;
    this.counts.ends++;
    this.#trace(`ENDED ${node.name}`);
    node.isDead = true;
    this.#nodes = this.#nodes.filter((one) => one !== node);
    await node.bury();
    if (this.#staysAway && this.#nodes.length > 0) {
      this.#away++;
      return;
    }
    await this.#clock.sleep(1_000 * this.#chaos.below(120));
    await this.#start();
  }

  /** One change, or several of the same issue within seconds. */
  async #changes(): Promise<void> {
    let last = this.#change();
    while (this.#chaos.chance(0.4)) {
      await this.#clock.sleep(this.#chaos.below(3_000));
      last = this.#change(last);
    }
  }

  #change(again?: Issue): Issue | undefined {
    this.counts.changes++;
    // A write of a caller may have made something that is about to change.
    this.#callers.witness();
    const issue = this.platform.change(again);
    this.#last = { issue, at: this.#clock.now };
    this.#hooks.send();
    return issue;
  }

  /** Somebody changes what a process is reading: the platform has computed the response, and the process does not have it yet. */
  #changeMeanwhile(): void {
    const { issue, at } = this.#last ?? { at: Number.NEGATIVE_INFINITY };
    if (issue === undefined || at < this.#clock.now - moment || !this.#chaos.chance(0.3)) return;
    this.#clock.as(undefined, () => this.#change(issue));
  }

  async #check(): Promise<void> {
    const [node] = this.#nodes;
    if (node === undefined) violated("no process is left");
    // Retries of a day are for now.
    for (const { id: one, failures, state } of await node.accounts.listedSubscriptions(null, 10))
      if (failures > 0 || state !== "active")
        await node.accounts.changeSubscription(one, { failures: 0, dueAt: 0, state: "active" });
    await this.#compare(node, this.#hooks.isOn ? "after acknowledged webhooks" : "after scheduled syncs", this.#hooks.expected);
    const options = { scopes: readScopes(connector, [scope]), full: true, massDelete: true, log: silent };
    for (let tries = 0; ; tries++) {
      const signal = new AbortController().signal;
      const ended = await this.#clock.as(node, () => sync(node.instance, node.store, { ...options, signal }).catch(asTenonError));
      if (!(ended instanceof Error) && ended.outcome === "complete" && ended.elsewhere.length === 0) break;
      if (tries > 20) violated(`a sync of everything failed: ${JSON.stringify(ended)}`);
      await this.#clock.sleep(minute);
    }
    await this.#compare(node, "after a sync of everything");
    this.#hooks.synced();
    await this.#clock.sleep(2 * minute);
    const cached = new Set<string>();
    for (const entity of entities) for (const key of (await cachedOf(node, entity)).keys()) cached.add(`${entity} ${key}`);
    const { next } = await node.store.changes({ connector: "github", instance: id }, { from: 2 ** 52, limit: 1, entities: [] });
    for (const [name, receiver] of this.#receivers) receiver.check(name, next, cached);
    const waiting = await node.accounts.waitingHints();
    if (waiting.length > 0) violated(`webhooks were not followed: ${JSON.stringify(waiting)}`);
    this.#callers.check();
    const { mostInMinute, mostRunning } = this.platform.load;
    this.#trace(`CHECKED ${next} changes, ${mostRunning} calls at once, ${mostInMinute} points in a minute`);
    if (mostInMinute > 1.5 * limits.perMinute || mostRunning > 2 * limits.concurrent)
      violated(`${mostInMinute} points were used in a minute, and ${mostRunning} calls ran at once`);
  }

  /** Compares the cache with the platform. @param wanted what to compare; without it, all, and there must be nothing else */
  async #compare(node: Node, when: string, wanted?: ReadonlyMap<string, string | undefined>): Promise<void> {
    for (const entity of entities) {
      const own = [...(wanted ?? this.platform.values())].filter(([key]) => key.startsWith(`${entity} `));
      const keyed = new Map(own.map(([key, value]) => [key.slice(entity.length + 1), value]));
      compare(entity, when, await cachedOf(node, entity), keyed, wanted === undefined);
    }
  }
}
