import { pino } from "pino";
import { describe, expect, it, vi } from "vitest";
import { TenonError } from "../../../runtime/base/errors.ts";
import type { ConnectorInstance } from "../../../runtime/execute/index.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { operator } from "../../../runtime/server/callers/bearer.ts";
import { syncRoute } from "../../../runtime/server/routes/sync-route.ts";
import type { Checkpoint } from "../../../runtime/store/checkpoint.ts";
import type { Store, SyncState } from "../../../runtime/store/store.ts";
import { SyncSchedule } from "../../../runtime/sync/index.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

const log = pino({ level: "silent" });

/** A store that notes which methods are called. A method answers what the test gives, else null. Nobody has taken anything. */
function fakeStore(answers: Partial<Store>): { store: Store; called: string[] } {
  const called: string[] = [];
  const store = new Proxy<Partial<Store>>(
    { taken: async () => [], ...answers },
    {
      get:
        (given, name) =>
        (...args: never[]) => {
          called.push(String(name));
          const answer = given[name as keyof Store] as ((...args: never[]) => unknown) | undefined;
          return answer === undefined ? Promise.resolve(null) : answer(...args);
        },
    },
  );
  return { store: store as Store, called };
}

describe("a schedule", () => {
  it("does nothing when it was stopped before it started", async () => {
    const { store, called } = fakeStore({});
    const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, { scopes: ["user=octocat"], minutes: 5 }, log);
    await schedule.stop();
    await schedule.start();
    expect(called).toEqual([]);
  });

  it("looks again while other processes sync its scopes", async () => {
    const { store, called } = fakeStore({
      schedule: async () => ({ scopes: ["user=octocat"], minutes: 60, startedAt: new Date().toISOString(), due: null }),
      states: async () => [],
      lease: async () => null,
      leased: async () => true,
    });
    const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, { scopes: ["user=octocat"], minutes: 60 }, log);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await schedule.start();
      await vi.advanceTimersByTimeAsync(3 * 60_000 + 1);
      await schedule.stop();
    } finally {
      vi.useRealTimers();
    }
    expect(called).not.toContain("started");
    // It tries each of the two scopes in each minute.
    expect(called.filter((name) => name === "taken").length).toBe(2 * 4);
  });

  it.each([
    ["before its time has come", 0],
    ["while it took a lease", 1],
  ])("of an instance that was changed or removed %s syncs nothing", async (_title, asked) => {
    let left = asked;
    const ended = Promise.withResolvers<void>();
    const isCurrent = async () => {
      if (left-- > 0) return true;
      setImmediate(ended.resolve);
      return false;
    };
    const startedAt = new Date().toISOString();
    const { store, called } = fakeStore({ states: async () => [], lease: async () => 1, started: async () => startedAt });
    const options = { scopes: ["user=octocat"], minutes: 5, isCurrent };
    const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, options, log);
    await schedule.start();
    await ended.promise;
    await schedule.stop();
    expect(called.filter((name) => name === "save" || name === "finish")).toEqual([]);
    expect(called.filter((name) => name === "lease").length).toBe(asked === 0 ? 0 : 2);
  });

  it.each([
    ["rarely while webhooks of it come in", ["user=OctoCat"], [0, 3], null],
    ["rarely while webhooks come in that may be of any of its kind", ["user=*"], [0, 3], null],
    [
      "as often as it says while webhooks of others come in",
      ["user=hubot", "repository=octocat/hello-world"],
      [0, 1, 2, 3],
      null,
    ],
    ["as often as it says when they stop", [], [0, 1, 2, 3], null],
    [
      "as often as it says where webhooks named too many removals",
      ["user=octocat"],
      [0, 1, 2, 3],
      "mass_delete_refused" as const,
    ],
  ])("syncs a scope %s", async (_title, told, expected, problem) => {
    vi.useFakeTimers();
    const began = Date.now();
    const at = new Date(began).toISOString();
    let startedAt = at;
    const synced: number[] = [];
    const { store } = fakeStore({
      schedule: async () => ({ scopes: ["user=octocat"], minutes: 60, startedAt, due: null }),
      states: async () => [{ scope: "user=octocat", entity: "users", completedAt: at, checkpoint: null, problem } as SyncState],
      started: async () => {
        startedAt = new Date().toISOString();
        return startedAt;
      },
      leased: async () => false,
      taken: async ({ scope }) => {
        if (scope === "user=octocat") synced.push(Math.round((Date.now() - began) / 3_600_000));
        // It was synced by another process.
        return [{ syncGroup: "", held: false }];
      },
    });
    const since = async () => told.map((scope) => ({ scope, at: began }));
    const options = { scopes: ["user=octocat"], minutes: 60, told: { minutes: 180, since } };
    const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, options, log);
    try {
      await schedule.start();
      await vi.advanceTimersByTimeAsync(3.5 * 3_600_000);
      await schedule.stop();
    } finally {
      vi.useRealTimers();
    }
    expect(synced).toEqual(expected);
  });

  it("of several processes syncs once in each interval", async () => {
    const minutes = 5;
    let startedAt: string | null = null;
    let started = 0;
    const synced: string[] = [];
    const { store } = fakeStore({
      schedule: async () => ({ scopes: ["user=octocat"], minutes, startedAt, due: null }),
      states: async () => [],
      lease: async ({ scope }, _owner, seconds, run) => {
        if (seconds === 0) return 1;
        // Each scope is given to one process in each run.
        if (synced.includes(`${scope} ${run}`)) return null;
        synced.push(`${scope} ${run}`);
        throw new Error("no");
      },
      leased: async () => false,
      started: async (_instance, before) => {
        if (before !== startedAt) return null;
        started++;
        startedAt = new Date().toISOString();
        return startedAt;
      },
    });
    const { instance } = fakeInstance(() => ({}));
    vi.useFakeTimers();
    const processes = [1, 2, 3].map(() => new SyncSchedule(instance, store, { scopes: ["user=octocat"], minutes }, log));
    try {
      await Promise.all(processes.map((one) => one.start()));
      const counts: number[] = [];
      for (let interval = 0; interval < 3; interval++) {
        await vi.advanceTimersByTimeAsync(minutes * 60_000 - 10_000);
        counts.push(started);
      }
      expect(counts).toEqual([1, 2, 3]);
      expect(new Set(synced.map((one) => one.split(" ")[0]))).toEqual(new Set(["account", "user=octocat"]));
      await Promise.all(processes.map((one) => one.stop()));
    } finally {
      vi.useRealTimers();
    }
  });

  it("is kept by a store whose file was replaced since the start", async () => {
    let kept: unknown = null;
    let isReplaced = false;
    const tried = Promise.withResolvers<unknown>();
    const { store } = fakeStore({
      setSchedule: async (_instance, given) => {
        kept = given;
      },
      schedule: async () => {
        if (!isReplaced) kept = null;
        isReplaced = true;
        return null;
      },
      states: async () => [],
      lease: async () => {
        tried.resolve(kept);
        return null;
      },
    });
    const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, { scopes: ["user=octocat"], minutes: 5 }, log);
    await schedule.start();
    expect(await tried.promise).toEqual({ scopes: ["user=octocat"], minutes: 5, due: null });
    await schedule.stop();
  });
});

describe("a schedule whose store cannot be used", () => {
  it("tries again after one minute, two, four, and not later than its interval", async () => {
    const asked: number[] = [];
    const { store } = fakeStore({
      states: async () => [],
      lease: async () => {
        asked.push(Date.now());
        throw new TenonError("store_unusable", "The file of the context store is gone.");
      },
    });
    vi.useFakeTimers({ now: 0, toFake: ["setTimeout", "clearTimeout", "Date"] });
    try {
      const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, { scopes: ["user=octocat"], minutes: 3 }, log);
      await schedule.start();
      await vi.advanceTimersByTimeAsync(10 * 60_000);
      await schedule.stop();
    } finally {
      vi.useRealTimers();
    }
    // Each attempt asks for the leases of two scopes.
    expect([...new Set(asked.map((at) => Math.round(at / 60_000)))]).toEqual([0, 1, 3, 6, 9]);
  });
});

describe("a schedule after a restart", () => {
  const minutes = 60;
  const began = new Date(Date.now() - 60_000).toISOString();
  const ended = new Date(Date.now() - 30_000).toISOString();
  const before = new Date(Date.now() - 3_600_000).toISOString();
  const complete = (scope: string, entity: string): SyncState => ({
    scope,
    entity,
    records: 1,
    run: 1,
    checkpoint: null,
    newest: null,
    source: null,
    completedAt: ended,
    fullAt: ended,
    problem: null,
    hidden: 0,
    notes: {},
  });
  const all = [
    complete("account", "viewer"),
    complete("account", "viewer_repositories"),
    complete("user=OctoCat", "organizations"),
    complete("user=OctoCat", "repositories"),
    complete("user=OctoCat", "users"),
  ];
  const checkpoint: Checkpoint = { run: 1, full: true, step: 0 };
  const changed = (entity: string, change: Partial<SyncState>) =>
    all.map((state) => (state.entity === entity ? { ...state, ...change } : state));

  /** Whether a sync begins at once: it begins by asking for the lease. */
  async function beginsAtOnce(states: readonly SyncState[]): Promise<boolean> {
    const { store, called } = fakeStore({
      schedule: async () => ({ scopes: ["user=octocat"], minutes, startedAt: began, due: null }),
      states: async () => [...states],
      lease: async () => null,
    });
    const schedule = new SyncSchedule(fakeInstance(() => ({})).instance, store, { scopes: ["user=octocat"], minutes }, log);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      await schedule.start();
      await vi.advanceTimersByTimeAsync(1);
      await schedule.stop();
    } finally {
      vi.useRealTimers();
    }
    return called.includes("lease");
  }

  it.each<[string, readonly SyncState[]]>([
    ["left a checkpoint", changed("repositories", { checkpoint })],
    ["left a checkpoint and a problem", changed("repositories", { checkpoint, problem: "platform_failed" })],
    ["was asked to stop", changed("users", { problem: "shutting_down" })],
    ["did not come to every entity", changed("users", { completedAt: before })],
    ["did not come to an entity that was never synced", all.filter(({ entity }) => entity !== "users")],
  ])("begins at once where the last sync %s", async (_title, states) => {
    expect(await beginsAtOnce(states)).toBe(true);
  });

  it.each<[string, readonly SyncState[]]>([
    ["ended", all],
    [
      "failed, so that other entities were skipped",
      changed("organizations", { problem: "platform_forbidden" }).map((state) =>
        state.entity === "users" ? { ...state, completedAt: before } : state,
      ),
    ],
    [
      "ended, and another scope, which is not scheduled, was cut off",
      [...all, { ...complete("user=somebody", "users"), checkpoint }],
    ],
  ])("waits for its interval where the last sync %s", async (_title, states) => {
    expect(await beginsAtOnce(states)).toBe(false);
  });
});

describe("the state of a sync", () => {
  it("is not waited for without end", async () => {
    const { store } = fakeStore({ states: () => new Promise(() => undefined) });
    const instance: ConnectorInstance = { ...fakeInstance(() => ({})).instance, store };
    const handler = syncRoute({ instances: new Map([["github", instance]]) }, new Answers(1), 20);
    const answered = handler(
      { params: { connectorId: "github" }, headers: {}, query: {} } as never,
      { locals: { caller: operator } } as never,
      () => undefined,
    );
    await expect(answered).rejects.toThrow(TenonError);
    await expect(answered).rejects.toMatchObject({ code: "overloaded", retryAfter: 5 });
  });
});
