import type { StorePlan } from "../../../runtime/contract/index.ts";
import type { Checkpoint } from "../../../runtime/store/checkpoint.ts";
import type { ListPage, Page, SyncStore } from "../../../runtime/store/store.ts";

// Passes over invented records. What a sync run writes depends on its number alone, so that a store that was disturbed can be compared with
// one that was not. Each sync run changes records, drops some, and brings others back.

const text = { type: "string", index: "name" } as const;

export const chaosPlans: Readonly<Record<string, Readonly<Record<string, StorePlan>>>> = {
  test: {
    things: {
      key: ["id"],
      fields: { id: { type: "string", index: "exact" }, turn: { type: "integer", index: "exact" }, title: text },
    },
    parts: {
      key: ["id"],
      fields: {
        id: { type: "string", index: "exact" },
        tags: { ...text, list: {} },
        homes: { ...text, list: { relation: true } },
      },
    },
  },
};
export const chaosCollection = { connector: "test", instance: "one", scope: "all" } as const;

const count = 40;
const pageSize = 10;
const entities = ["things", "parts"] as const;
export const pagesPerRun = count / pageSize;

type ChaosEntity = (typeof entities)[number];

/** What a step has done: saved the page of a pass, or ended the pass where `page` is {@link pagesPerRun}. */
export interface Step {
  readonly entity: ChaosEntity;
  readonly run: number;
  readonly page: number;
}

function numbers(run: number, page: number): number[] {
  const all = Array.from({ length: pageSize }, (_, index) => page * pageSize + index);
  return all.filter((number) => (number + run) % 7 !== 0);
}

function thingsPage(run: number, page: number): ListPage {
  return {
    records: numbers(run, page).map((number) => ({
      id: `T${number}`,
      turn: run,
      // Every sync run has words that none had before, and words that all have.
      title: `thing number${number} turn${run % 50}`,
      extra: { run, number },
    })),
  };
}

/** The parts of the things on a page: each has one of its own, and one that it shares with its neighbour. */
function partsPage(run: number, page: number): ListPage & Pick<Page, "others"> {
  const lists = numbers(run, page).map((number): ListPage => {
    const part = (id: string) => ({ id, tags: [`tag${run % 9}`, `of${id}`], homes: [`home${number}`] });
    const parent = `T${number}`;
    return {
      records: [part(`P${number}`), part(`S${Math.floor(number / 2)}`)],
      parent,
      parentDone: { key: parent, marker: `m${run}` },
    };
  });
  const [first = { records: [] }, ...others] = lists;
  return { ...first, others };
}

/** The next step after what a store holds. */
export async function nextStep(store: SyncStore): Promise<Step> {
  const states = await store.states(chaosCollection);
  const [things, parts] = entities.map((entity) => states.find((state) => state.entity === entity));
  for (const state of [things, parts])
    if (state?.checkpoint != null)
      return { entity: state.entity as ChaosEntity, run: state.run, page: Number(state.checkpoint.after) };
  const run = things?.run ?? 0;
  return (parts?.run ?? 0) < run ? { entity: "parts", run, page: 0 } : { entity: "things", run: run + 1, page: 0 };
}

/** Does one step. It is acknowledged when this resolves. */
export async function doStep(store: SyncStore, { entity, run, page }: Step, fencingToken?: number): Promise<void> {
  const collection = { ...chaosCollection, entity, ...(fencingToken === undefined ? {} : { fencingToken }) };
  const checkpoint = (after: number): Checkpoint => ({ run, full: true, step: 0, after: String(after) });
  if (page === pagesPerRun) {
    const parents = entity === "parts" ? ["things"] : [];
    await store.finish(collection, checkpoint(page), { massDelete: true, parents });
    return;
  }
  const records = entity === "things" ? thingsPage(run, page) : partsPage(run, page);
  await store.save(collection, { ...records, checkpoint: checkpoint(page + 1) });
}

/** The place of a step in the order in which all are done. */
export function orderOf({ entity, run, page }: Step): number {
  return (run * entities.length + entities.indexOf(entity)) * (pagesPerRun + 1) + page;
}

/** Brings a store, in which nothing is disturbed, to the end of a sync run. */
export async function syncEntityRuns(store: SyncStore, last: number): Promise<void> {
  for (let step = await nextStep(store); step.run <= last; step = await nextStep(store)) await doStep(store, step);
}
