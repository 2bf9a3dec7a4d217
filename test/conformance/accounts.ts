import { afterEach, describe, it } from "vitest";
import type { AccountStore } from "../../runtime/accounts/index.ts";
import { callers } from "./accounts/callers.ts";
import { instances } from "./accounts/instances.ts";
import { proposals } from "./accounts/proposals.ts";
import { subscriptions } from "./accounts/subscriptions.ts";
import { webhooks } from "./accounts/webhooks.ts";
import { writes } from "./accounts/writes.ts";

// What every store of callers must do, whatever it keeps them in.

/** The place of one case, in which several stores may be opened that share their data. */
export interface AccountPlace {
  open(): Promise<AccountStore>;
  /** Called when the stores are closed. */
  remove(): void | Promise<void>;
}

const cases = [...subscriptions, ...webhooks, ...proposals, ...callers, ...instances, ...writes];

/** Tests a store of callers. @param place makes a new place, without any data, for each case */
export function accountConformance(name: string, place: () => AccountPlace): void {
  describe(`the store of callers ${name}`, () => {
    const ends: (() => Promise<void> | void)[] = [];
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end();
    });
    it.each(cases)("%s", async (_title, check) => {
      const made = place();
      ends.push(() => made.remove());
      const open = async () => {
        const store = await made.open();
        ends.push(() => store.close());
        await store.open();
        return store;
      };
      await check(await open(), open);
    });
  });
}
