import { pino } from "pino";
import { expect } from "vitest";
import { type AccountStore, deriveKeys, sealSecrets } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import type { ConnectorInstance } from "../../runtime/execute/index.ts";
import { SubscriptionWorker } from "../../runtime/subscriptions/index.ts";

// Subscribers whose receivers fail now and then, and processes that end while they deliver.

const keys = deriveKeys(["secret-key-of-the-tests-of-subscribers"]);
/** Larger than any sequence number. */
const afterAll = 2 ** 52;

/** A change that was committed, or that a receiver has taken. */
export interface TakenChange {
  readonly sequence: number;
  readonly record: string;
}

/** Numbers that look random, the same for each seed. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % sides;
  };
}

class Receiver {
  readonly taken: TakenChange[] = [];
  /** Changes before this one were reported as lost. */
  lostBefore = 0;
  readonly #roll: (sides: number) => number;

  constructor(roll: (sides: number) => number) {
    this.#roll = roll;
  }

  async take(id: string, body: string): Promise<Response> {
    await new Promise((resolve) => setTimeout(resolve, this.#roll(4)));
    if (this.#roll(8) === 0) return new Response("", { status: 500 });
    const { type, data } = JSON.parse(body) as { type: string; data: { sequence: number; entity: string; key: object } };
    if (type === "changes.truncated") this.lostBefore = Math.max(this.lostBefore, Number(id.split("_")[3]));
    else this.taken.push({ sequence: data.sequence, record: JSON.stringify([data.entity, data.key]) });
    // Taken, but nobody learns of it.
    return this.#roll(12) === 0 ? Promise.reject(new Error("the connection was lost")) : new Response("", { status: 200 });
  }
}

export interface Subscribers {
  /** Starts a process that delivers. */
  start(): SubscriptionWorker;
  /** Waits until everything is delivered, and fails where a subscriber lacks a change, or got those of a record in another order. */
  expectAll(committed: readonly TakenChange[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * Subscribes to the changes of an instance.
 *
 * @param folder where the subscriptions are stored
 * @param wanted the entities of each subscriber; null for all
 */
export async function openSubscribers(
  folder: string,
  instance: ConnectorInstance,
  wanted: Readonly<Record<string, readonly string[] | null>>,
  roll: (sides: number) => number,
): Promise<Subscribers> {
  const accounts = openSqliteAccounts(folder);
  const receivers = new Map(Object.keys(wanted).map((name) => [`http://${name}.test/`, new Receiver(roll)]));
  const send: typeof globalThis.fetch = async (url, init) => {
    const receiver = receivers.get(String(url));
    if (receiver === undefined) throw new Error("nobody is there");
    return receiver.take(new Headers(init?.headers).get("webhook-id") ?? "", String(init?.body));
  };
  // A process that ends between a delivery and the storing of its place.
  const ending: AccountStore = {
    ...accounts,
    endTurns: async (ends) => (roll(4) === 0 ? Promise.reject(new Error("the process has ended")) : accounts.endTurns(ends)),
  };
  const place = { connector: instance.connector.name, instance: instance.storeName };
  const last = async () => {
    const slice = await instance.store?.changes(place, { from: afterAll, limit: 1, entities: [] });
    return { log: slice?.log ?? "", position: slice?.next ?? 0 };
  };
  for (const [name, entity] of Object.entries(wanted)) {
    const content = JSON.stringify({ url: `http://${name}.test/`, entity });
    const secrets = sealSecrets(keys, name, [{ secret: "whsec_c2VjcmV0LW9mLXRoaXMtdGVzdC1vZi1zdWJz", until: null }]);
    const begin = { ...(await last()), createdAt: 1, expiresAt: null };
    await accounts.addSubscription({ id: name, caller: "operator", instance: instance.id, content, secrets, ...begin }, 9);
  }
  const areBehind = async () => {
    const { position: end } = await last();
    const all = await accounts.listedSubscriptions(null, 10);
    // The retries of a day are for now.
    for (const { id, failures, state } of all)
      if (failures > 0 || state !== "active") await accounts.changeSubscription(id, { failures: 0, dueAt: 0, state: "active" });
    return all.filter(({ position }) => position !== end).length;
  };
  return {
    start: () => {
      const log = pino({ level: "silent" });
      const options = { store: ending, keys, find: async () => instance, send, log, lease: 150, audits: false };
      const worker = new SubscriptionWorker(options);
      worker.start();
      return worker;
    },
    expectAll: async (committed) => {
      await expect.poll(areBehind, { timeout: 60_000, interval: 50 }).toBe(0);
      for (const [address, { taken, lostBefore }] of receivers) {
        const entities = wanted[new URL(address).host.replace(".test", "")] ?? null;
        const own = new Set(taken.map(({ sequence }) => sequence));
        const isWanted = ({ record }: TakenChange) => entities?.includes((JSON.parse(record) as [string])[0]) ?? true;
        const missing = committed.filter((one) => one.sequence >= lostBefore && isWanted(one) && !own.has(one.sequence));
        expect(missing).toEqual([]);
        for (const [, some] of Map.groupBy(taken, ({ record }) => record)) {
          const firsts = [...new Set(some.map(({ sequence }) => sequence))];
          expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
        }
      }
    },
    close: () => accounts.close(),
  };
}
