import { writeSync } from "node:fs";
import { SqliteStore } from "../../../runtime/store/sqlite/sqlite-store.ts";
import type { Page, PageResult, ScopeCollection, Store, StoreInstance } from "../../../runtime/store/store.ts";
import { forgetScope, type Progress } from "../../../runtime/sync/index.ts";
import { unpaced, withBatches } from "../../support/fake-instance.ts";
import { instanceOn, plansOf, syncWith } from "./cache.ts";

// A process that syncs, or forgets a scope, until it is complete or killed. Started by the kill test with its task as JSON in the last
// argument.

export interface Task {
  readonly url: string;
  readonly dataDir: string;
  readonly scopes: readonly string[];
  /** Forgets this scope instead of syncing. The process kills itself so many milliseconds after it has begun to remove records. */
  readonly forget?: { readonly scope: string; readonly dieAfter: number };
  readonly entities?: readonly string[];
  readonly full?: boolean;
  /** Saves the checkpoint first and the records after it, in two transactions: what must never be done. */
  readonly saboteur?: boolean;
  /** Kills itself in this save of the last of the entities: before it, or, as a saboteur, in its middle. */
  readonly dieIn?: number;
  /** Reads for so many parents with one call. */
  readonly batch?: number;
  /**
   * Holds back the first save of the last of the entities until some more pages were read, so that the second one saves these together. It
   * kills itself before or after that, or does not.
   */
  readonly together?: "before" | "after" | "live";
  /** The sync is a part of the scheduled sync that began then. */
  readonly startedAt?: string;
  /** Writes `held` in the place of the first call of this operation, for whose answer it waits without end. */
  readonly holdAt?: string;
}

const task = JSON.parse(process.argv.at(-1) ?? "") as Task;
let saves = 0;

function perhapsDie(collection: ScopeCollection): void {
  if (collection.entity === task.entities?.at(-1) && ++saves === task.dieIn) process.kill(process.pid, "SIGKILL");
}

/** Pages of the last of the entities that are read before the first of them is saved, where some are to be saved together. */
const together = 5;
const several = Promise.withResolvers<void>();
let read = 0;

function pageRead({ kind, entity }: Progress): void {
  if (kind === "page" && entity === task.entities?.at(-1) && ++read === together) several.resolve();
}

/** Saves a page as the task says. */
async function saveTogether(collection: ScopeCollection, page: Page): Promise<PageResult> {
  const number = collection.entity === task.entities?.at(-1) ? ++saves : 0;
  if (number === 1) await several.promise;
  if (number !== 2) return save(collection, page);
  if ((page.others?.length ?? 0) < together - 2) throw new Error("the pages that were read meanwhile are not saved together");
  if (task.together === "before") process.kill(process.pid, "SIGKILL");
  const result = await save(collection, page);
  if (task.together === "after") process.kill(process.pid, "SIGKILL");
  return result;
}

const connector = task.batch === undefined ? unpaced : withBatches(unpaced, task.batch);
const store: Store = new SqliteStore({ dataDir: task.dataDir, plans: plansOf(connector) });
const save = store.save.bind(store);
const remove = store.forget.bind(store);
const dangerous = Object.assign(store, {
  forget: (of: StoreInstance, scope: string): Promise<number | null> => {
    setTimeout(() => process.kill(process.pid, "SIGKILL"), task.forget?.dieAfter);
    return remove(of, scope);
  },
  save: async (collection: ScopeCollection, page: Page): Promise<PageResult> => {
    if (task.together !== undefined) return saveTogether(collection, page);
    if (task.saboteur === true) {
      const others = page.others?.map((one) => ({ ...one, records: [] }));
      await save(collection, { ...page, records: [], ...(others === undefined ? {} : { others }) });
    }
    perhapsDie(collection);
    return save(collection, page);
  },
});
await store.ready;
writeSync(1, "begun\n");
const hold = (operation: string) => {
  if (operation !== task.holdAt) return;
  writeSync(1, "held\n");
  return new Promise(() => undefined);
};
const instance = instanceOn({ url: task.url, graphqlUrl: `${task.url}/graphql` }, dangerous, "github", connector, hold);
const { scopes, entities, full, forget, startedAt } = task;
const options = {
  full: full === true,
  onProgress: pageRead,
  ...(entities === undefined ? {} : { entities }),
  ...(startedAt === undefined ? {} : { scheduled: { startedAt, isCurrent: async () => true } }),
};
const place = { connector: unpaced.name, instance: "github" };
const { outcome } =
  forget === undefined
    ? await syncWith(instance, dangerous, scopes, options)
    : await forgetScope(unpaced, place, dangerous, forget.scope, new AbortController().signal).then(() => ({
        outcome: "complete",
      }));
await store.close();
writeSync(1, `${outcome}\n`);
