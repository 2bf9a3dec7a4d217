import { expect, it } from "vitest";
import type { AccountStore, DueSubscription } from "../../../runtime/accounts/index.ts";
import { SubscriptionWorker } from "../../../runtime/subscriptions/worker.ts";
import { standIn } from "../../support/shaped.ts";

it("leaves places for the receivers of others, however many one caller has", async () => {
  const due = (caller: string, count: number, failures: number) =>
    Array.from({ length: count }, (_, nth) =>
      standIn<DueSubscription>({ id: `${caller} ${failures} ${nth}`, caller, instance: "i", log: "l", position: 0, failures }),
    );
  const begun = Promise.withResolvers<readonly string[]>();
  const store = standIn<AccountStore>({
    dueSubscriptions: async () => [...due("hog", 200, 0), ...due("hog", 200, 1), ...due("other", 5, 0), ...due("other", 5, 1)],
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
  const count = (of: string) => ids.filter((id) => id.startsWith(of)).length;
  expect([count("hog 0"), count("hog 1"), count("other 0"), count("other 1")]).toEqual([50, 10, 5, 5]);
});
