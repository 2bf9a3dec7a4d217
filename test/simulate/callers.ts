import { pino } from "pino";
import { asTenonError } from "../../runtime/base/errors.ts";
import { type ExecuteContext, execute } from "../../runtime/execute/index.ts";
import { writeOnce } from "../../runtime/policy/index.ts";
import type { Chaos } from "./chaos.ts";
import { violated } from "./checks.ts";
import type { Clock } from "./clock.ts";
import { id, type Node } from "./node.ts";
import { comparedFields, entities, type Platform } from "./platform.ts";

// What callers do: they search, read from the platform, and write with idempotency keys.

const minute = 60_000;
/** A log that nobody reads. */
export const silent = pino({ level: "silent" });

export interface CallersOptions {
  readonly clock: Clock;
  readonly chaos: Chaos;
  readonly platform: Platform;
  readonly trace: (line: string) => void;
  readonly fail: (what: string) => void;
  /** The processes that run now. */
  readonly nodes: () => readonly Node[];
}

export class Callers {
  readonly counts = { searches: 0, reads: 0, writes: 0, acknowledged: 0 };
  readonly #options: CallersOptions;
  /** All values that records ever had, by entity and key. */
  readonly #ever = new Map<string, Set<string>>();
  /** The number of the issue that a process has acknowledged, by its title. */
  readonly #acknowledged = new Map<string, string>();
  #keys = 0;

  constructor(options: CallersOptions) {
    this.#options = options;
    this.witness();
  }

  /** Notes which values records have now. */
  witness(): void {
    for (const [key, value] of this.#options.platform.values()) {
      const ever = this.#ever.get(key) ?? new Set();
      this.#ever.set(key, ever.add(value));
    }
  }

  /** Many callers read from the platform at the same time, on all processes: its limits must hold. */
  async hurry(): Promise<void> {
    const params = { owner: "octocat", repo: "hello-world", per_page: 5 };
    const calls = Array.from({ length: 60 }, async () => {
      const node = this.#anyNode();
      if (node === undefined) return;
      const asked = () => execute(node.instance, { entity: "issues", action: "list", params }, contextOf("hurry"));
      if (!((await this.#within(node, minute, asked)) instanceof Error)) this.counts.reads++;
    });
    await Promise.all(calls);
  }

  /** Searches: each record that is found must have been so on the platform. */
  async search(): Promise<void> {
    const node = this.#anyNode();
    if (node === undefined) return;
    const entity = this.#options.chaos.pick(entities) ?? "issues";
    const found = await this.#within(node, minute, () => cachedOf(node, entity));
    if (!(found instanceof Map)) return;
    this.witness();
    this.counts.searches++;
    for (const [key, value] of found)
      if (this.#ever.get(`${entity} ${key}`)?.has(value) !== true)
        this.#options.fail(`a search found ${entity} ${key} as ${value}, which it never was`);
  }

  /** Creates an issue with an idempotency key, on several processes until one says how it ended. */
  async write(): Promise<void> {
    const { clock, chaos } = this.#options;
    const title = `Created ${++this.#keys}`;
    this.counts.writes++;
    for (let tries = 0; tries < 4; tries++) {
      // Now and then a caller does not wait for the first response.
      const senders = Array.from({ length: chaos.chance(0.3) ? 2 : 1 }, () => this.#create(title));
      const isAcknowledged = (await Promise.all(senders)).includes(true);
      // And now and then one repeats what was acknowledged.
      if (isAcknowledged && !chaos.chance(0.3)) return;
      if (!isAcknowledged) await clock.sleep(chaos.below(5_000));
    }
  }

  /** Checks that each write was made once, and that all are there that were acknowledged. */
  check(): void {
    const { created } = this.#options.platform;
    for (const [title, times] of created) if (times > 1) violated(`"${title}" was created ${times} times`);
    for (const title of this.#acknowledged.keys())
      if (!created.has(title)) violated(`"${title}" was acknowledged and never created`);
  }

  /** @returns whether a process has acknowledged that an issue was created */
  async #create(title: string): Promise<boolean> {
    const { trace, fail } = this.#options;
    const params = { owner: "octocat", repo: "hello-world", title };
    const request = { entity: "issues", action: "create", params };
    const node = this.#anyNode();
    if (node === undefined) return false;
    const once = { caller: "caller", key: title, request, timeout: 10_000, signal: new AbortController().signal };
    const send = () => writeOnce(node.accounts, once, () => execute(node.instance, request, contextOf("caller")));
    const ended = await this.#within(node, minute, send);
    if (ended instanceof Error || ended === undefined) {
      trace(`WRITE ${title} ${ended === undefined ? "timed out" : asTenonError(ended).code}`);
      return false;
    }
    this.counts.acknowledged++;
    const { number } = ended.result.data as { number: number };
    const before = this.#acknowledged.get(title);
    if (before !== undefined && before !== String(number)) fail(`${title} was acknowledged as ${before} and as ${number}`);
    this.#acknowledged.set(title, String(number));
    trace(`WRITE ${title} is ${number}${ended.replayed ? " (replayed)" : ""}`);
    return true;
  }

  #anyNode(): Node | undefined {
    return this.#options.chaos.pick(this.#options.nodes());
  }

  /** What a process answers in time; the error where it fails, undefined where nothing comes. */
  async #within<Result>(node: Node, ms: number, work: () => Promise<Result>): Promise<Result | Error | undefined> {
    const { clock } = this.#options;
    const asked = clock.as(node, () => work().catch((thrown: unknown) => asTenonError(thrown)));
    return Promise.race([asked, clock.sleep(ms).then(() => undefined)]);
  }
}

function contextOf(caller: string): ExecuteContext {
  return { timeout: 10_000, signal: new AbortController().signal, log: silent, requestId: "simulated", caller };
}

/** The compared values of all cached records of an entity, by their keys. */
export async function cachedOf(node: Node, entity: keyof typeof comparedFields): Promise<Map<string, string>> {
  const query = { sort: [], limit: 10_000, fields: null, explain: false } as const;
  const { json } = await node.store.search({ connector: "github", instance: id, entity }, query, performance.now() + minute);
  const records = JSON.parse(Buffer.from(json).toString()) as Record<string, unknown>[];
  return new Map(records.map((one) => [String(one["id"]), JSON.stringify(comparedFields[entity].map((field) => one[field]))]));
}
