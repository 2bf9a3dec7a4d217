import { createHash } from "node:crypto";
import { pino } from "pino";
import { sealSecrets } from "../../runtime/accounts/index.ts";
import { asTenonError } from "../../runtime/base/errors.ts";
import { type ExecuteContext, execute } from "../../runtime/execute/index.ts";
import { writeOnce } from "../../runtime/policy/index.ts";
import type { HookEvent } from "../../runtime/simulated/github/webhook-events.ts";
import type { Issue } from "../../runtime/simulated/github/world/issue.ts";
import { readScopes, sync } from "../../runtime/sync/index.ts";
import { Chaos } from "./chaos.ts";
import { compare, Fencing, Receiver, Violation, violated } from "./checks.ts";
import { type Clock, dice } from "./clock.ts";
import { id, keys, type Node, startNode } from "./node.ts";
import { comparedFields, connector, limits, Platform, scope } from "./platform.ts";
import { isOnPglite } from "./seeds.ts";
import { type Engine, pgliteEngine, sqliteEngine } from "./stores.ts";

const minute = 60_000;
const hour = 60 * minute;
/** How long everything goes wrong, before it is quiet and the state is checked. */
const round = hour;
/** The longest wait until all is done that has to be done: what failed is tried again after a quarter of an hour. */
const quiet = 17 * minute;

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
  const counts = { ...world.counts, calls: world.platform.load.calls, fencedWrites: world.fencing.writes };
  const found = { engine: name, hours: now / hour, events, faults: Object.fromEntries(chaos.struck), counts, end } as const;
  return { ...found, digest: digest.digest("hex"), ...(violation === undefined ? {} : { violation }) };
}

class World {
  readonly counts = {
    searches: 0,
    reads: 0,
    writes: 0,
    acknowledged: 0,
    webhooks: 0,
    deliveries: 0,
    rounds: 0,
    changes: 0,
    ends: 0,
    suspensions: 0,
  };
  readonly platform: Platform;
  readonly fencing: Fencing;
  /** Rejects when something that must hold does not. */
  readonly failed: Promise<void>;
  readonly fail: (what: string) => void;
  readonly #clock: Clock;
  readonly #chaos: Chaos;
  readonly #trace: (line: string) => void;
  readonly #receivers: ReadonlyMap<string, Receiver>;
  readonly #changeEntries: number;
  readonly #webhooks: boolean;
  /** The last values of records, and of which of them a webhook was taken. */
  #now = new Map<string, string>();
  readonly #told = new Set<string>();
  /** All values that records ever had, by entity and key. */
  readonly #ever = new Map<string, Set<string>>();
  readonly #acknowledged = new Map<string, string>();
  #engine: Engine | undefined;
  #nodes: Node[] = [];
  #named = 0;
  #keys = 0;

  constructor(clock: Clock, chaos: Chaos, trace: (line: string) => void) {
    this.#clock = clock;
    this.#chaos = chaos;
    this.#trace = trace;
    this.platform = new Platform(clock, chaos);
    const { promise, reject } = Promise.withResolvers<void>();
    promise.catch(() => undefined);
    this.failed = promise;
    this.fail = (what) => reject(new Violation(what));
    this.fencing = new Fencing(() => clock.now, this.fail);
    this.#receivers = new Map(["one", "two"].map((name) => [`https://${name}.test/`, new Receiver(clock, chaos)]));
    this.#changeEntries = chaos.pick([1_000_000, 30]) ?? 30;
    this.#webhooks = chaos.chance(0.6);
  }

  async open(engine: Engine): Promise<void> {
    this.#engine = engine;
    this.#remember();
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
    const until = this.#clock.now + ms;
    const often = async (mean: number, act: () => Promise<void> | void) => {
      while (this.#clock.now < until) {
        await this.#clock.sleep(mean * 2 * Math.max(0.01, chaos.below(100) / 100));
        await act();
      }
    };
    await Promise.all([
      often(3 * minute, () => this.#changes()),
      often(4 * minute, () => this.#search()),
      often(5 * minute, () => this.#write()),
      often(8 * minute, () => this.#disturb()),
      often(40 * minute, () => this.#hurry()),
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
    const write = (line: string) => this.#trace(line.trimEnd());
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
      webhooks: this.#webhooks,
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
    this.counts.ends++;
    this.#trace(`ENDED ${node.name}`);
    node.isDead = true;
    this.#nodes = this.#nodes.filter((one) => one !== node);
    await node.bury();
    await this.#clock.sleep(1_000 * this.#chaos.below(120));
    await this.#start();
  }

  /** Many callers read from the platform at the same time, on all processes: its limits must hold. */
  async #hurry(): Promise<void> {
    const params = { owner: "octocat", repo: "hello-world", per_page: 5 };
    const calls = Array.from({ length: 60 }, async () => {
      const node = this.#chaos.pick(this.#nodes);
      if (node === undefined) return;
      const asked = () => execute(node.instance, { entity: "issues", action: "list", params }, contextOf("hurry"));
      if (!((await this.#within(node, minute, asked)) instanceof Error)) this.counts.reads++;
    });
    await Promise.all(calls);
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
    const last = this.platform.change(again);
    const changed = this.#remember();
    for (const key of changed) this.#told.delete(key);
    const events = this.platform.events();
    if (this.#webhooks) for (const event of events) this.#tell(event, changed);
    return last;
  }

  /** Sends a webhook. @param changed the records of which the value is newer than in webhooks before it */
  #tell(event: HookEvent, changed: readonly string[]): void {
    const chaos = this.#chaos;
    const delivery = `delivery ${++this.counts.webhooks}`;
    if (chaos.strikes("webhook lost", 10)) return;
    const text = JSON.stringify(event.payload);
    const about = changed.filter((key) => text.includes(key.slice(key.indexOf(" ") + 1)));
    const values = about.map((key) => this.#now.get(key));
    for (let times = chaos.strikes("webhook twice", 10) ? 2 : 1; times > 0; times--) {
      const node = chaos.pick(this.#nodes);
      if (node === undefined) continue;
      const ms = chaos.way(2_000);
      const take = async () => {
        await this.#clock.sleep(ms);
        await node.take(event, delivery);
        for (const [place, key] of about.entries()) if (this.#now.get(key) === values[place]) this.#told.add(key);
      };
      // The platform learns that a delivery failed. Nobody sends it again here.
      void this.#clock.as(node, () => take().catch((thrown: unknown) => this.#trace(`NOT TAKEN ${asTenonError(thrown).code}`)));
    }
  }

  /** Notes the values that records have now. @returns those that are new */
  #remember(): string[] {
    const before = this.#now;
    this.#now = new Map(
      Object.entries(this.platform.truth()).flatMap(([entity, records]) =>
        [...records].map(([key, value]) => [`${entity} ${key}`, value] as const),
      ),
    );
    this.#witness();
    return [...this.#now].flatMap(([key, value]) => (before.get(key) === value ? [] : [key]));
  }

  /** Notes which values records ever had. */
  #witness(): void {
    for (const [entity, records] of Object.entries(this.platform.truth()))
      for (const [key, value] of records) {
        const ever = this.#ever.get(`${entity} ${key}`) ?? new Set();
        this.#ever.set(`${entity} ${key}`, ever.add(value));
      }
  }

  /** Searches: each record that is found must have been so on the platform. */
  async #search(): Promise<void> {
    const node = this.#chaos.pick(this.#nodes);
    if (node === undefined) return;
    const entity = this.#chaos.pick(entities) ?? "issues";
    const found = await this.#within(node, minute, () => cachedOf(node, entity));
    if (!(found instanceof Map)) return;
    this.#witness();
    this.counts.searches++;
    for (const [key, value] of found)
      if (this.#ever.get(`${entity} ${key}`)?.has(value) !== true)
        this.fail(`a search found ${entity} ${key} as ${value}, which it never was`);
  }

  /** Creates an issue with an idempotency key, on several processes until one says how it ended. */
  async #write(): Promise<void> {
    const title = `Created ${++this.#keys}`;
    this.counts.writes++;
    for (let tries = 0; tries < 4; tries++) {
      // Now and then a caller does not wait for the first response.
      const senders = Array.from({ length: this.#chaos.chance(0.3) ? 2 : 1 }, () => this.#create(title));
      const isAcknowledged = (await Promise.all(senders)).includes(true);
      // And now and then one repeats what was acknowledged.
      if (isAcknowledged && !this.#chaos.chance(0.3)) return;
      if (!isAcknowledged) await this.#clock.sleep(this.#chaos.below(5_000));
    }
  }

  /** @returns whether a process has acknowledged that an issue was created */
  async #create(title: string): Promise<boolean> {
    const params = { owner: "octocat", repo: "hello-world", title };
    const request = { entity: "issues", action: "create", params };
    const node = this.#chaos.pick(this.#nodes);
    if (node === undefined) return false;
    const once = { caller: "caller", key: title, request, timeout: 10_000, signal: new AbortController().signal };
    const send = () => writeOnce(node.accounts, once, () => execute(node.instance, request, contextOf("caller")));
    const ended = await this.#within(node, minute, send);
    if (ended instanceof Error || ended === undefined) {
      this.#trace(`WRITE ${title} ${ended === undefined ? "timed out" : asTenonError(ended).code}`);
      return false;
    }
    this.counts.acknowledged++;
    const { number } = ended.result.data as { number: number };
    const before = this.#acknowledged.get(title);
    if (before !== undefined && before !== String(number)) this.fail(`${title} was acknowledged as ${before} and as ${number}`);
    this.#acknowledged.set(title, String(number));
    this.#trace(`WRITE ${title} is ${number}${ended.replayed ? " (replayed)" : ""}`);
    return true;
  }

  /** What a process answers in time; the error where it fails, undefined where nothing comes. */
  async #within<Result>(node: Node, ms: number, work: () => Promise<Result>): Promise<Result | Error | undefined> {
    const asked = this.#clock.as(node, () => work().catch((thrown: unknown) => asTenonError(thrown)));
    return Promise.race([asked, this.#clock.sleep(ms).then(() => undefined)]);
  }

  async #check(): Promise<void> {
    const [node] = this.#nodes;
    if (node === undefined) violated("no process is left");
    // Retries of a day are for now.
    for (const { id: one, failures, state } of await node.accounts.listedSubscriptions(null, 10))
      if (failures > 0 || state !== "active")
        await node.accounts.changeSubscription(one, { failures: 0, dueAt: 0, state: "active" });
    await this.#compare(node, (key) => !this.#webhooks || this.#told.has(key));
    const options = { scopes: readScopes(connector, [scope]), full: true, massDelete: true, log: silent };
    for (let tries = 0; ; tries++) {
      const signal = new AbortController().signal;
      const ended = await this.#clock.as(node, () => sync(node.instance, node.store, { ...options, signal }).catch(asTenonError));
      if (!(ended instanceof Error) && ended.outcome === "complete" && ended.elsewhere.length === 0) break;
      if (tries > 20) violated(`a sync of everything failed: ${JSON.stringify(ended)}`);
      await this.#clock.sleep(minute);
    }
    await this.#compare(node);
    await this.#clock.sleep(2 * minute);
    const cached = new Set<string>();
    for (const entity of entities) for (const key of (await cachedOf(node, entity)).keys()) cached.add(`${entity} ${key}`);
    const { next } = await node.store.changes({ connector: "github", instance: id }, { from: 2 ** 52, limit: 1, entities: [] });
    for (const [name, receiver] of this.#receivers) receiver.check(name, next, cached);
    const waiting = await node.accounts.waitingHints();
    if (waiting.length > 0) violated(`webhooks were not followed: ${JSON.stringify(waiting)}`);
    for (const [title, times] of this.platform.created) if (times > 1) violated(`"${title}" was created ${times} times`);
    for (const title of this.#acknowledged.keys())
      if (!this.platform.created.has(title)) violated(`"${title}" was acknowledged and never created`);
    const { mostInMinute, mostRunning } = this.platform.load;
    this.#trace(`CHECKED ${next} changes, ${mostRunning} calls at once, ${mostInMinute} points in a minute`);
    if (mostInMinute > 1.5 * limits.perMinute || mostRunning > 2 * limits.concurrent)
      violated(`${mostInMinute} points were used in a minute, and ${mostRunning} calls ran at once`);
  }

  /** Compares the cache with the platform. @param only the records to compare; without it, all, and there must be no others */
  async #compare(node: Node, only?: (key: string) => boolean): Promise<void> {
    const truth = this.platform.truth();
    for (const entity of entities) {
      const wanted = [...truth[entity]].filter(([key]) => only === undefined || only(`${entity} ${key}`));
      compare(entity, await cachedOf(node, entity), new Map(wanted), only === undefined);
    }
  }
}

const entities = ["issues", "comments", "labels"] as const;
const silent = pino({ level: "silent" });

function contextOf(caller: string): ExecuteContext {
  return { timeout: 10_000, signal: new AbortController().signal, log: silent, requestId: "simulated", caller };
}

/** The compared values of all cached records of an entity, by their keys. */
async function cachedOf(node: Node, entity: keyof typeof comparedFields): Promise<Map<string, string>> {
  const query = { sort: [], limit: 10_000, fields: null, explain: false } as const;
  const { json } = await node.store.search({ connector: "github", instance: id, entity }, query, performance.now() + minute);
  const records = JSON.parse(Buffer.from(json).toString()) as Record<string, unknown>[];
  return new Map(records.map((one) => [String(one["id"]), JSON.stringify(comparedFields[entity].map((field) => one[field]))]));
}
