import { afterEach, describe, it } from "vitest";
import type { StorePlan } from "../../runtime/contract/index.ts";
import type { Store } from "../../runtime/store/store.ts";
import { type Case, plans } from "./store/case.ts";
import * as changes from "./store/changes.ts";
import * as finish from "./store/finish.ts";
import * as forget from "./store/forget.ts";
import * as lease from "./store/lease.ts";
import * as life from "./store/life.ts";
import * as parents from "./store/parents.ts";
import { reported } from "./store/reported.ts";
import * as save from "./store/save.ts";
import * as schedule from "./store/schedule.ts";
import * as search from "./store/search.ts";
import * as statement from "./store/statement.ts";
import * as states from "./store/states.ts";

// What every store must do, whatever it keeps its records in. What a search finds has cases of its own, in `search.ts`.

export type Plans = Readonly<Record<string, Readonly<Record<string, StorePlan>>>>;

/** The place of one case, in which several stores may be opened that share their data. */
export interface StorePlace {
  open(plans: Plans): Promise<Store>;
  /** Called when the stores are closed. */
  remove(): void | Promise<void>;
}

/** At least one case for each member of the contract. */
const cases = {
  ...life,
  search: [...search.search, ...reported],
  ...statement,
  ...save,
  ...parents,
  ...finish,
  ...states,
  ...forget,
  ...lease,
  ...schedule,
  ...changes,
} satisfies { readonly [Member in keyof Store]: readonly Case[] };

/** Registers the cases for one kind of store. @param make makes a new, empty place */
export function storeConformance(name: string, make: () => StorePlace): void {
  describe(`${name}, by the contract of a store`, () => {
    let clear: () => Promise<void> = async () => undefined;
    afterEach(() => clear());

    describe.each(Object.entries<readonly Case[]>(cases))("%s", (_member, own) => {
      it.each(own)("%s", async (_title, check) => {
        const place = make();
        const opened: Store[] = [];
        clear = async () => {
          for (const store of opened) await store.close();
          await place.remove();
        };
        const another = async () => {
          const store = await place.open(plans);
          opened.push(store);
          return store;
        };
        await check(await another(), another);
      });
    });
  });
}
