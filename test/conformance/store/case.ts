import { expect } from "vitest";
import type { SearchCaller } from "../../../runtime/base/search-caller.ts";
import type { StorePlan } from "../../../runtime/contract/index.ts";
import type { RecordObject } from "../../../runtime/search/index.ts";
import type { Checkpoint } from "../../../runtime/store/checkpoint.ts";
import type { Page, Store, StoreSearch } from "../../../runtime/store/store.ts";

// A case of the contract of a store, and the records with which the cases try it.

/** @param another opens a further store on the same data */
export type Case = readonly [title: string, check: (store: Store, another: () => Promise<Store>) => Promise<void>];

const things: StorePlan = {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, title: { type: "string", index: "name", nullable: true } },
};
const lights: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    colour: { type: "string", index: "exact", nullable: true, values: ["red", "green"] },
  },
};
const people: StorePlan = {
  key: ["id"],
  fields: { id: { type: "string", index: "exact" }, teams: { type: "string", index: "name", list: { relation: true } } },
};
const chains: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    colours: { type: "string", index: "exact", values: ["red", "green"], list: { by: ["name"] } },
  },
};
const memos: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    body: { type: "string", index: "text", nullable: true },
    size: { type: "integer", index: "exact", nullable: true },
    colours: { type: "string", index: "exact", values: ["red", "green"], list: {} },
  },
};
const events: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    title: { type: "string", index: "name", nullable: true },
    body: { type: "string", index: "text", nullable: true },
    openedAt: { type: "timestamp", index: "exact", nullable: true },
    closedAt: { type: "timestamp", index: "exact", nullable: true },
    done: { type: "boolean", index: "exact", nullable: true },
    size: { type: "integer", index: "exact", nullable: true },
    price: { type: "number", index: "exact", nullable: true },
    labels: { type: "string", index: "name", list: { by: ["name"] } },
  },
};
const series: StorePlan = {
  key: ["id"],
  fields: {
    id: { type: "string", index: "exact" },
    size: { type: "integer", index: "exact", nullable: true },
    sizes: { type: "integer", index: "exact", list: {} },
    prices: { type: "number", index: "exact", list: {} },
    times: { type: "timestamp", index: "exact", list: {} },
    flags: { type: "boolean", index: "exact", list: {} },
  },
};
/** `things` are the parents of `parts`. */
export const plans = { test: { things, parts: things, lights, chains, people, memos, events, series } };
export const instance = { connector: "test", instance: "one" };
export const collection = { ...instance, entity: "things", scope: "all" };
export const parts = { ...collection, entity: "parts" };
/** Finds all records. */
export const whole: StoreSearch = { sort: [], limit: 100, fields: null, explain: false };
/** Ends a sync run over an entity without parents, and removes at most half of its records. */
export const kept = { massDelete: false, parents: [] };

export function checkpoint(run: number, full = true): Checkpoint {
  return { run, full, step: 0 };
}

/** Records of `things` with these ids. */
export function records(...ids: readonly string[]): RecordObject[] {
  return ids.map((id) => ({ id, title: `Title of ${id}`, size: 1 }));
}

/** A page with a record for each letter. */
export function page(ids: string, run = 1, more: Partial<Page> = {}): Page {
  return { records: records(...ids), checkpoint: checkpoint(run), ...more };
}

/** The ids of the records that a search finds, one behind the other. */
export async function found(
  store: Store,
  query: Partial<StoreSearch> = {},
  on: typeof instance & { entity: string } = collection,
): Promise<string> {
  const { json } = await store.search(on, { ...whole, ...query }, performance.now() + 100_000);
  return (JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map(({ id }) => id).join("");
}

/**
 * Checks that a search ends at its deadline, and when its caller has gone, and that its caller learns how long it worked.
 *
 * @param run searches something that can be found
 */
export async function expectLimits(
  run: (latest: number, signal?: AbortSignal, caller?: SearchCaller) => Promise<unknown>,
): Promise<void> {
  const patiently = () => performance.now() + 100_000;
  await expect(run(performance.now() - 1)).rejects.toMatchObject({ code: "search_timeout" });
  await expect(run(patiently(), AbortSignal.abort())).rejects.toMatchObject({ code: "search_timeout" });
  const worked = Promise.withResolvers<number>();
  await run(patiently(), undefined, { id: "somebody", worked: worked.resolve });
  expect(await worked.promise).toBeGreaterThan(0);
}
