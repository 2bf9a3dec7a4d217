import { pino } from "pino";
import { expect, it } from "vitest";
import type { AccountStore, DueSubscription, StoredSubscription } from "../../../runtime/accounts/index.ts";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import { SubscriptionWorker } from "../../../runtime/subscriptions/worker.ts";
import { standIn } from "../../support/shaped.ts";

const dueOf = (id: string, more: object) => standIn<DueSubscription>({ id, log: "l", position: 0, failures: 0, ...more });

const due = (caller: string, count: number, failures: number) =>
  Array.from({ length: count }, (_, nth) => dueOf(`${caller} ${failures} ${nth}`, { caller, instance: "i", failures }));

/** Ids of those whose turns begin first. */
async function firstOf(wanted: readonly DueSubscription[]): Promise<readonly string[]> {
  const begun = Promise.withResolvers<readonly string[]>();
  const store = standIn<AccountStore>({
    dueSubscriptions: async () => [...wanted],
    beginTurns: async (ids: readonly string[]) => {
      begun.resolve(ids);
      return [];
    },
  });
  const worker = new SubscriptionWorker(
    standIn<ConstructorParameters<typeof SubscriptionWorker>[0]>({
      store,
      find: () => Promise.reject(new Error("there is none")),
    }),
  );
  worker.start();
  const ids = await begun.promise;
  await worker.stop();
  return ids;
}

it("leaves places for the receivers of others, however many one caller has", async () => {
  const ids = await firstOf([...due("hog", 200, 0), ...due("hog", 200, 1), ...due("other", 5, 0), ...due("other", 5, 1)]);
  const count = (of: string) => ids.filter((id) => id.startsWith(of)).length;
  expect([count("hog 0"), count("hog 1"), count("other 0"), count("other 1")]).toEqual([50, 10, 5, 5]);
});

it("delivers to 100 receivers at once, and to 20 of those that did not respond", async () => {
  const callers = Array.from({ length: 110 }, (_, nth) => `caller ${nth}`);
  const ids = await firstOf(callers.flatMap((caller) => [...due(caller, 1, 0), ...due(caller, 1, 1)]));
  const count = (failures: number) => ids.filter((id) => id.endsWith(` ${failures} 0`)).length;
  expect([count(0), count(1), ids.length]).toEqual([100, 20, 120]);
});

it("delivers for other instances where the changes of one cannot be read, which is counted and logged once", async () => {
  const looks: (readonly string[])[] = [];
  const enough = Promise.withResolvers<void>();
  const store = standIn<AccountStore>({
    dueSubscriptions: async () =>
      ["broken", "good", "none"].map((instance) => dueOf(`of ${instance}`, { caller: "c", instance })),
    beginTurns: async (ids: readonly string[]) => {
      if (looks.push(ids) === 2) enough.resolve();
      else worker.wake();
      return [];
    },
  });
  const lines: string[] = [];
  const changes = new Map([
    ["broken", () => Promise.reject(new Error("disk I/O error"))],
    ["good", async () => ({ log: "l", next: 1 })],
  ]);
  const find = async (id: string) => {
    if (!changes.has(id)) throw new Error("there is none");
    const whole: object = { connector: { name: `connector of ${id}` }, storeName: id, store: { changes: changes.get(id) } };
    return standIn<ConnectorInstance>(whole);
  };
  const worker = new SubscriptionWorker(
    standIn<ConstructorParameters<typeof SubscriptionWorker>[0]>({
      store,
      find,
      log: pino({}, { write: (line) => void lines.push(line) }),
    }),
  );
  worker.start();
  await enough.promise;
  await worker.stop();
  expect(looks).toEqual([
    ["of good", "of none"],
    ["of good", "of none"],
  ]);
  const message = { instance: "broken", msg: "changes for subscriptions could not be read" };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([message]);
  expect([...worker.totals].map(([name, counts]) => [name, [...counts]])).toEqual([["connector of broken", [["unread", 2]]]]);
});

it("goes on where a turn fails, and logs which subscription could not be delivered", async () => {
  const logged = Promise.withResolvers<string>();
  let began = 0;
  const store = standIn<AccountStore>({
    dueSubscriptions: async () => (began === 0 ? [dueOf("s1", { caller: "c", instance: "i" })] : []),
    beginTurns: async () => {
      began++;
      return [standIn<StoredSubscription>({ id: "s1", caller: "c", instance: "i", content: "{}", failures: 0 })];
    },
    caller: () => Promise.reject(new Error("the accounts are away")),
  });
  const worker = new SubscriptionWorker(
    standIn<ConstructorParameters<typeof SubscriptionWorker>[0]>({
      store,
      find: () => Promise.reject(new Error("there is none")),
      log: pino({}, { write: (line) => logged.resolve(line) }),
    }),
  );
  worker.start();
  const message = "a subscription could not be delivered";
  const line = JSON.parse(await logged.promise);
  expect(line).toMatchObject({ subscription: "s1", err: { message: "the accounts are away" }, msg: message });
  await worker.stop();
  expect(began).toBe(1);
});
