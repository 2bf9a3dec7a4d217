import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { TenonError } from "../../runtime/errors.ts";
import type { ConnectorInstance } from "../../runtime/execute/index.ts";
import { Answers } from "../../runtime/server/answers.ts";
import { syncRoute } from "../../runtime/server/sync-route.ts";
import type { Store } from "../../runtime/store/store.ts";
import { SyncSchedule } from "../../runtime/sync/index.ts";
import { fakeInstance } from "../support/fake-instance.ts";

const log = pino({ level: "silent" });

/** A store that takes note of what is called, and answers what a test says. */
function fakeStore(answers: Partial<Store>): { store: Store; called: string[] } {
  const called: string[] = [];
  const store = new Proxy(answers, {
    get:
      (given, name) =>
      (...args: never[]) => {
        called.push(String(name));
        const answer = given[name as keyof Store] as ((...args: never[]) => unknown) | undefined;
        return answer === undefined ? Promise.resolve(null) : answer(...args);
      },
  });
  return { store: store as Store, called };
}

describe("a schedule", () => {
  it("that was stopped before it started does nothing", async () => {
    const { store, called } = fakeStore({});
    const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, { scopes: ["user=octocat"], minutes: 5 }, log);
    await schedule.stop();
    await schedule.start();
    expect(called).toEqual([]);
  });

  it("whose turn is taken by another process has not begun", async () => {
    const tried = Promise.withResolvers<void>();
    const { store, called } = fakeStore({
      lease: async () => {
        tried.resolve();
        return false;
      },
    });
    const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, { scopes: ["user=octocat"], minutes: 5 }, log);
    await schedule.start();
    await tried.promise;
    await schedule.stop();
    expect(called).toEqual(["setSchedule", "schedule", "lease"]);
  });
});

describe("the state of a sync", () => {
  it("is not waited for without end", async () => {
    const { store } = fakeStore({ states: () => new Promise(() => undefined) });
    const instance: ConnectorInstance = { ...fakeInstance(() => ({})).instance, store };
    const handler = syncRoute(new Map([["github", instance]]), new Answers(1), 20);
    const answered = handler({ params: { connectorId: "github" } } as never, { locals: {} } as never, () => undefined);
    await expect(answered).rejects.toThrow(TenonError);
    await expect(answered).rejects.toMatchObject({ code: "overloaded", retryAfter: 5 });
  });
});
