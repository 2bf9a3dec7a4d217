import type { StorePlan } from "../../../runtime/contract/index.ts";
import type { SyncPosition } from "../../../runtime/store/position.ts";
import type { ListPage, Page, SyncStore } from "../../../runtime/store/store.ts";

// Passes over invented records. What a pass writes depends on its number alone, so that a store that was disturbed can be compared with one
// that was not. Each pass changes records, drops some, and brings others back.

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
export const pagesPerPass = count / pageSize;

type ChaosEntity = (typeof entities)[number];

/** What a step has done: saved the page of a pass, or ended the pass where `page` is {@link pagesPerPass}. */
export interface Step {
  readonly entity: ChaosEntity;
  readonly pass: number;
  readonly page: number;
}

function numbers(pass: number, page: number): number[] {
  const all = Array.from({ length: pageSize }, (_, index) => page * pageSize + index);
  return all.filter((number) => (number + pass) % 7 !== 0);
}

function thingsPage(pass: number, page: number): ListPage {
  return {
    records: numbers(pass, page).map((number) => ({
      id: `T${number}`,
      turn: pass,
      // Every pass has words that none had before, and words that all have.
      title: `thing number${number} turn${pass % 50}`,
      extra: { pass, number },
    })),
  };
}

/** The parts of the things on a page: each has one of its own, and one that it shares with its neighbour. */
function partsPage(pass: number, page: number): ListPage & Pick<Page, "others"> {
  const lists = numbers(pass, page).map((number): ListPage => {
    const part = (id: string) => ({ id, tags: [`tag${pass % 9}`, `of${id}`], homes: [`home${number}`] });
    const parent = `T${number}`;
    return {
      records: [part(`P${number}`), part(`S${Math.floor(number / 2)}`)],
      parent,
      parentDone: { key: parent, mark: `m${pass}` },
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
    if (state?.position != null)
      return { entity: state.entity as ChaosEntity, pass: state.pass, page: Number(state.position.after) };
  const pass = things?.pass ?? 0;
  return (parts?.pass ?? 0) < pass ? { entity: "parts", pass, page: 0 } : { entity: "things", pass: pass + 1, page: 0 };
}

/** Does one step. It is acknowledged when this resolves. */
export async function doStep(store: SyncStore, { entity, pass, page }: Step, fence?: number): Promise<void> {
  const collection = { ...chaosCollection, entity, ...(fence === undefined ? {} : { fence }) };
  const position = (after: number): SyncPosition => ({ pass, full: true, step: 0, after: String(after) });
  if (page === pagesPerPass) {
    const parents = entity === "parts" ? ["things"] : [];
    await store.finish(collection, position(page), { massDelete: true, parents });
    return;
  }
  const records = entity === "things" ? thingsPage(pass, page) : partsPage(pass, page);
  await store.save(collection, { ...records, position: position(page + 1) });
}

/** The place of a step in the order in which all are done. */
export function orderOf({ entity, pass, page }: Step): number {
  return (pass * entities.length + entities.indexOf(entity)) * (pagesPerPass + 1) + page;
}

/** Brings a store, in which nothing is disturbed, to the end of a pass. */
export async function runPasses(store: SyncStore, last: number): Promise<void> {
  for (let step = await nextStep(store); step.pass <= last; step = await nextStep(store)) await doStep(store, step);
}
