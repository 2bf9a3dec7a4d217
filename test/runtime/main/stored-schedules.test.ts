import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StoredInstance } from "../../../runtime/accounts/index.ts";
import { StoredSchedules } from "../../../runtime/main/schedules/stored-schedules.ts";
import type { SyncState, SyncStore } from "../../../runtime/store/store.ts";
import { RunningSyncs } from "../../../runtime/sync/index.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

const minute = 60_000;
/** Milliseconds after which changes of other processes are seen. */
const look = 10_000;

/** The last sync was not cut off, so that the next one is not due before its time. */
const ended: Omit<SyncState, "scope"> = {
  ...{ entity: "users", records: 0, run: 1, checkpoint: null, newest: null, source: null, completedAt: null, fullAt: null },
  ...{ problem: "platform_forbidden", hidden: 0, notes: {} },
};

function stored(id: string, scopes: readonly string[], version = 1): StoredInstance {
  const place = { workspace: "team", organization: null, rest: null, graphql: null, variables: {} };
  return { id, connector: "github", ...place, credential: "sealed", scopes, minutes: 60, createdAt: 0, version };
}

/** Schedules over a store that only notes what it is asked. @param startedAt when the last scheduled sync began */
function schedulesOf(startedAt: string | null) {
  const world = { all: [] as readonly StoredInstance[], asked: [] as string[], versions: 0, said: [] as string[] };
  const answers: Partial<SyncStore> = {
    schedule: async () => ({ scopes: [], minutes: 60, startedAt, due: null }),
    taken: async () => [],
    states: async () => ["account", "user=octocat", "user=hubot"].map((scope) => ({ ...ended, scope })),
    setSchedule: async ({ instance }, schedule) => {
      world.asked.push(`${instance}: ${schedule === null ? "none" : `${schedule.scopes} every ${schedule.minutes} min`}`);
    },
    started: async ({ instance }) => {
      world.asked.push(`${instance}: begun`);
      return new Date().toISOString();
    },
  };
  const store = new Proxy(answers, { get: (given, name) => Reflect.get(given, name) ?? (async () => null) }) as SyncStore;
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void world.said.push(JSON.parse(line).msg) });
  const instances = {
    list: async () => [...world.all],
    find: async (id: string) => ({ ...fakeInstance(() => ({})).instance, id, storeName: id }),
    versionOf: async (id: string) => {
      world.versions++;
      return world.all.find((one) => one.id === id)?.version;
    },
  };
  return { world, instances, schedules: new StoredSchedules(instances, store, log, new RunningSyncs(store, log), undefined) };
}

describe("the schedules of stored connectors", () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => vi.useRealTimers());

  it("are stored for each that has scopes, once, and end with the connector", async () => {
    const { world, schedules } = schedulesOf(new Date().toISOString());
    world.all = [stored("mine", ["user=octocat"]), stored("idle", [])];
    await schedules.start();
    expect(world.asked).toEqual(["mine: user=octocat every 60 min", "idle: none"]);
    await vi.advanceTimersByTimeAsync(look);
    expect(world.asked).toHaveLength(2);
    world.all = [];
    await vi.advanceTimersByTimeAsync(2 * look);
    expect(world.asked.slice(2)).toEqual(["mine: none", "idle: none"]);
    // Its time comes, and nobody is there.
    await vi.advanceTimersByTimeAsync(61 * minute);
    expect([world.asked.length, world.versions]).toEqual([4, 0]);
    await schedules.stop();
  });

  it("follow what another process changes", async () => {
    const { world, schedules } = schedulesOf(new Date().toISOString());
    world.all = [stored("mine", ["user=octocat"])];
    await schedules.start();
    world.all = [stored("mine", ["user=hubot"], 2)];
    await vi.advanceTimersByTimeAsync(look);
    expect(world.asked).toEqual(["mine: user=octocat every 60 min", "mine: user=hubot every 60 min"]);
    await schedules.stop();
    await vi.advanceTimersByTimeAsync(61 * minute);
    expect([world.asked.length, world.versions]).toEqual([2, 0]);
  });

  it.each([
    ["begin a sync that is due", 1, true],
    ["begin none for a connector that was changed meanwhile", 2, false],
  ])("%s", async (_title, version, begun) => {
    const { world, schedules } = schedulesOf(null);
    world.all = [stored("mine", ["user=octocat"])];
    await schedules.start();
    world.all = [stored("mine", ["user=octocat"], version)];
    await vi.advanceTimersByTimeAsync(1);
    expect(world.asked.includes("mine: begun")).toBe(begun);
    await schedules.stop();
  });

  it("stay as they are while the connectors cannot be read, which the log says", async () => {
    const { world, instances, schedules } = schedulesOf(new Date().toISOString());
    instances.list = async () => {
      throw new Error("locked");
    };
    await schedules.start();
    expect(world.said).toEqual(["the schedules of stored connectors could not be read"]);
    instances.list = async () => [stored("mine", ["user=octocat"])];
    await vi.advanceTimersByTimeAsync(look);
    expect(world.asked).toEqual(["mine: user=octocat every 60 min"]);
    await schedules.stop();
  });
});
