import type { ChildStep, FinishOptions, Page, Schedule, Shelf, StoreInstance, SyncPosition, SyncShelf } from "../store.ts";
import { whenFree } from "./connection.ts";
import type { Migration } from "./migrate.ts";
import { serveThread } from "./serve-thread.ts";
import { Writer } from "./writer.ts";

serveThread(({ file, stop }, catalogue, tell) => {
  const told = (migration: Migration, entity: string) => tell(`${migration} the tables of ${entity}`);
  const writer = whenFree(stop, () => new Writer(file, catalogue, told));
  return {
    save: (shelf: SyncShelf, page: Page) => writer.save(shelf, page),
    parents: (shelf: SyncShelf, child: ChildStep, after: string | undefined, limit: number) =>
      writer.parents(shelf, child, after, limit),
    finish: (shelf: SyncShelf, position: SyncPosition, options: FinishOptions) => writer.finish(shelf, position, options),
    tidy: (shelf: Shelf, begin: boolean) => writer.tidy(shelf, begin),
    fail: (shelf: SyncShelf, problem: string) => writer.fail(shelf, problem),
    abandon: (shelf: SyncShelf, problem: string) => writer.abandon(shelf, problem),
    states: (instance: StoreInstance) => writer.states(instance),
    lease: (instance: StoreInstance, owner: string, seconds: number) => writer.calendar.lease(instance, owner, seconds),
    leased: (instance: StoreInstance) => writer.calendar.leased(instance),
    schedule: (instance: StoreInstance) => writer.calendar.schedule(instance),
    setSchedule: (instance: StoreInstance, schedule: Omit<Schedule, "startedAt"> | null) =>
      writer.calendar.setSchedule(instance, schedule),
    started: (instance: StoreInstance) => writer.calendar.started(instance),
    close: () => writer.close(),
  };
});
