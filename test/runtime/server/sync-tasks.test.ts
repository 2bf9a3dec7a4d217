import { hostname } from "node:os";
import { pino } from "pino";
import { expect, it } from "vitest";
import { fullGrant, type StoredWrite, type WriteStore } from "../../../runtime/accounts/index.ts";
import { invalidRequest, TenonError } from "../../../runtime/base/errors.ts";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import { Trace } from "../../../runtime/server/monitoring/trace.ts";
import { SyncTasks } from "../../../runtime/server/sync-tasks.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

// What becomes of a task whose process has ended, where its sync cannot begin in the next process.

const store = standIn<NonNullable<ConnectorInstance["store"]>>({ leased: async () => false });
const instance: ConnectorInstance = { ...fakeInstance(() => ({ data: null })).instance, store };
const askerOf = (trace = new Trace()) => ({ caller: "ann", grant: fullGrant, organization: undefined, trace });

/** Starts a sync in a process that ends. @returns the task in a process in which no sync can begin */
async function taskAfterwards(thrown: TenonError, isClosed = false) {
  const stored = new Map<string, StoredWrite>();
  const writes: WriteStore = {
    beginWrite: async (write) => {
      stored.set(write.key, { ...write, state: "begun", answer: null });
      return undefined;
    },
    endWrite: async ({ key }, owner, end) => {
      const write = stored.get(key);
      if (write?.owner !== owner) return;
      if (end.state === "nothing") stored.delete(key);
      else stored.set(key, { ...write, state: end.state, answer: end.state === "done" ? end.answer : null });
    },
    write: async ({ key }) => stored.get(key),
  };
  const inProcess = (start: () => Promise<never> | Promise<{ ended: Promise<never> }>) =>
    new SyncTasks({
      instances: { instances: new Map([[instance.id, instance]]) },
      syncs: { start, stop: async () => false, forget: () => Promise.reject(new Error("not used")), isClosed },
      syncScopes: async () => ["repository=o/r"],
      writes,
      log: pino({ level: "silent" }),
    });
  const asker = askerOf();
  const id = await inProcess(async () => ({ ended: new Promise<never>(() => undefined) })).start(asker, instance.id, {});
  for (const [key, write] of stored) stored.set(key, { ...write, owner: `${hostname()}:${process.pid}:earlier` });
  const next = inProcess(() => Promise.reject(thrown));
  return Object.assign((trace?: Trace) => next.find(askerOf(trace), id), { next });
}

it("the audit log has no started sync for one that cannot begin", async () => {
  const running = new TenonError("sync_running", "This connector instance is being synced already.");
  const find = await taskAfterwards(running);
  const [started, looked] = [new Trace(), new Trace()];
  await expect(find.next.start(askerOf(started), instance.id, {})).rejects.toBe(running);
  await find(looked);
  expect([started.deed, started.failure, looked.deed]).toEqual(["sync.start", running, undefined]);
});

it("the task ends with the error that keeps its sync from beginning", async () => {
  const find = await taskAfterwards(
    invalidRequest([{ pointer: "/scopes", code: "out_of_range", message: "There are too many." }]),
  );
  await find();
  expect(await find()).toMatchObject({ status: "completed", error: { code: "invalid_request" } });
});

it("the task waits for another sync of the connector", async () => {
  const find = await taskAfterwards(new TenonError("sync_running", "This connector instance is being synced already."));
  for (let time = 0; time < 2; time++)
    expect(await find()).toMatchObject({
      status: "working",
      message: "Another sync of this connector is running. This one continues after it.",
    });
});

it("a process that ends itself leaves the task to the next one", async () => {
  const find = await taskAfterwards(new TenonError("shutting_down", "The service is shutting down."), true);
  for (let time = 0; time < 2; time++) await expect(find()).rejects.toMatchObject({ code: "shutting_down" });
});
