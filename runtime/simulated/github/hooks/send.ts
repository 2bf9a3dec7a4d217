import { createHmac, randomUUID } from "node:crypto";
import type { HookTrouble } from "../../../simulator/hook-trouble.ts";
import { createRandom, type Random } from "../seed/random.ts";
import { type HookEvent, hookEvents, hookSnapshot } from "../webhook-events.ts";
import type { Hook, HookDelivery } from "../world/hook.ts";

/** Milliseconds in which an address has to respond, as GitHub documents it. */
const patience = 10_000;
/** Deliveries that one world sends at the same time. */
const mostAtOnce = 8;
/** Deliveries that a webhook remembers. */
const mostKept = 1_000;

/** Hosts of this machine: a simulated platform calls no others. */
const nearHosts = ["127.0.0.1", "localhost", "[::1]"];

type Sent = Pick<HookDelivery, "event" | "guid" | "redelivery">;

/** Whether an address is one of this machine. */
export function isNear(address: string): boolean {
  return URL.canParse(address) && nearHosts.includes(new URL(address).hostname);
}

/** Sends webhooks. Its webhooks are in the world, so that a world that is put back has none. */
export class HookSender {
  /** What goes wrong from now on. */
  trouble: HookTrouble;
  readonly #random: Random = createRandom(7);
  readonly #queue: (() => Promise<void>)[] = [];
  readonly #late = new Set<NodeJS.Timeout>();
  #sending = 0;
  #isIdle = Promise.withResolvers<void>();
  #lastId = 12_001;

  constructor(trouble: HookTrouble) {
    this.trouble = trouble;
  }

  /** Tells each active webhook what has changed in its repository since it was last told. */
  tell(hooks: readonly Hook[]): void {
    for (const hook of hooks.filter(({ active }) => active)) {
      const now = hookSnapshot(hook.repository);
      const events = hookEvents(hook.seen, now);
      hook.seen = now;
      const wanted = events.filter(({ name }) => hook.events.includes("*") || hook.events.includes(name));
      for (const event of wanted) this.#sendInTrouble(hook, event);
    }
  }

  /** Sends one delivery, and notes what came of it. */
  send(hook: Hook, sent: Sent): void {
    this.#queue.push(() => this.#deliver(hook, sent));
    this.#next();
  }

  /** Resolves when nothing is left to send. */
  async idle(): Promise<void> {
    while (this.#sending + this.#late.size > 0) await this.#isIdle.promise;
  }

  #sendInTrouble(hook: Hook, event: HookEvent): void {
    const { late, twice, lost } = this.trouble;
    const sent = { event, guid: randomUUID(), redelivery: false };
    if (this.#random.chance(lost)) {
      this.#keep(hook, sent, 0, patience);
      return;
    }
    for (let times = this.#random.chance(twice) ? 2 : 1; times > 0; times--) {
      if (late === 0) this.send(hook, sent);
      else {
        const timer = setTimeout(() => {
          this.#late.delete(timer);
          this.send(hook, sent);
        }, this.#random.below(late)).unref();
        this.#late.add(timer);
      }
    }
  }

  #next(): void {
    for (; this.#sending < mostAtOnce && this.#queue.length > 0; this.#sending++) {
      void this.#queue
        .shift()?.()
        .finally(() => {
          this.#sending--;
          this.#next();
          if (this.#sending + this.#queue.length > 0) return;
          this.#isIdle.resolve();
          this.#isIdle = Promise.withResolvers();
        });
    }
  }

  async #deliver(hook: Hook, sent: Sent): Promise<void> {
    const begun = performance.now();
    const status = await call(hook, sent);
    hook.lastStatus = status;
    this.#keep(hook, sent, status, performance.now() - begun);
  }

  #keep(hook: Hook, sent: Sent, status: number, took: number): void {
    const delivery = { ...sent, id: ++this.#lastId, deliveredAt: Date.now(), duration: took / 1000, status };
    hook.deliveries = [delivery, ...hook.deliveries].slice(0, mostKept);
  }
}

/** @returns the HTTP status; 0 where nothing responds. Addresses of other machines are never called. */
async function call({ id, config }: Hook, { event: { name, payload }, guid }: Sent): Promise<number> {
  if (!isNear(config.url)) return 0;
  const isForm = config.content_type === "form";
  const text = JSON.stringify(payload);
  const body = isForm ? new URLSearchParams({ payload: text }).toString() : text;
  const code = (algorithm: string) =>
    `${algorithm}=${createHmac(algorithm, config.secret ?? "")
      .update(body)
      .digest("hex")}`;
  try {
    const response = await fetch(config.url, {
      method: "POST",
      headers: {
        "content-type": isForm ? "application/x-www-form-urlencoded" : "application/json",
        "user-agent": "GitHub-Hookshot/simulated",
        "x-github-delivery": guid,
        "x-github-event": name,
        "x-github-hook-id": String(id),
        ...(config.secret === undefined ? {} : { "x-hub-signature": code("sha1"), "x-hub-signature-256": code("sha256") }),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.timeout(patience),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}
