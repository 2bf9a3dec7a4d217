import type { ChildStep, FinishOptions, Page, Schedule, StoreInstance, SyncPosition, SyncShelf } from "../store.ts";
import { serveThread } from "./serve-thread.ts";
import { Writer } from "./writer.ts";

serveThread(({ file }, catalogue, tell) => {
  const writer = new Writer(file, catalogue, (migration, entity) => tell(`${migration} the tables of ${entity}`));
  return {
    save: (shelf: SyncShelf, page: Page) => writer.save(shelf, page),
    parents: (shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number) =>
      writer.parents(shelf, child, after, limit),
    finish: (shelf: SyncShelf, position: SyncPosition, options: FinishOptions) => writer.finish(shelf, position, options),
    fail: (shelf: SyncShelf, problem: string) => writer.fail(shelf, problem),
    abandon: (shelf: SyncShelf, problem: string) => writer.abandon(shelf, problem),
    states: (instance: StoreInstance) => writer.states(instance),
    lease: (instance: StoreInstance, owner: string, seconds: number) => writer.lease(instance, owner, seconds),
    leased: (instance: StoreInstance) => writer.leased(instance),
    schedule: (instance: StoreInstance) => writer.schedule(instance),
    setSchedule: (instance: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null) =>
      writer.setSchedule(instance, schedule),
    started: (instance: StoreInstance) => writer.started(instance),
    close: () => writer.close(),
  };
});
