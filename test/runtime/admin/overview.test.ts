import { afterEach, describe, expect, it, vi } from "vitest";
import { fullGrant, type Grant, type StoredAuditEntry } from "../../../runtime/accounts/index.ts";
import { FirstSeen } from "../../../runtime/admin/first-seen.ts";
import { noteTroubles, type OverviewOptions, overview } from "../../../runtime/admin/overview.ts";
import { overviewPage } from "../../../runtime/admin/pages.ts";
import { QuotaHistory } from "../../../runtime/admin/quota-history.ts";
import { RecentCalls } from "../../../runtime/admin/recent-calls.ts";
import type { SystemFacts } from "../../../runtime/admin/service-view.ts";
import { SlowSearches } from "../../../runtime/admin/slow-searches.ts";
import { Traffic } from "../../../runtime/admin/traffic.ts";
import { refusedCredentials } from "../../../runtime/admin/troubles.ts";
import type { ListedInstance } from "../../../runtime/server/instance-of.ts";
import type { InstanceHealth } from "../../../runtime/server/monitoring/instance-health.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

// What stands first on the operator's page, in states of the service that a test cannot bring about: a full disk, hundreds of instances.

const gib = 1024 ** 3;
const facts: SystemFacts = {
  process: "process 1 on test",
  syncs: "by this process",
  stores: [{ name: "Context store", engine: "SQLite", up: true, bytes: 1_000 }],
  disk: { free: 50 * gib, all: 100 * gib },
  threads: [
    { name: "a thread that searches records", waiting: 2 },
    { name: "a thread that searches records", waiting: 1 },
  ],
};

const listed = (id: string, status: ListedInstance["status"] = "ready"): ListedInstance => {
  return { id, connector: "github", title: "GitHub", workspace: "default", organization: null, status };
};

function optionsOf(more: Partial<OverviewOptions> & { readonly facts?: Partial<SystemFacts> } = {}): OverviewOptions {
  const history = new QuotaHistory(async () => []);
  history.close();
  return {
    version: "1",
    instances: { instances: new Map() },
    list: async () => [],
    ready: () => true,
    health: { storeUp: () => true, report: async () => [] },
    system: async () => ({ ...facts, ...more.facts }),
    history,
    searches: new SlowSearches(),
    calls: new RecentCalls(),
    seen: new FirstSeen(),
    webhooks: async () => undefined,
    traffic: new Traffic(),
    logged: () => [],
    gate: { working: 3, most: 500 },
    limits: { nearest: () => [] },
    ...more,
  };
}

const shown = async (options: OverviewOptions, grant: Grant = fullGrant) =>
  (await overview(options, grant)).troubles.map(({ level, what }) => [level, what]);

describe("what is broken", () => {
  it.each([
    [50, []],
    [4, [["stale", "The disk is nearly full"]]],
    [0.1, [["failed", "The disk is full"]]],
  ] as const)("with %d of 100 GiB free on the disk", async (free, expected) => {
    expect(await shown(optionsOf({ facts: { disk: { free: free * gib, all: 100 * gib } } }))).toEqual(expected);
  });

  it("has the store first, with the reason from the log, which only whoever sees everything is shown", async () => {
    const stores = [{ name: "Context store", engine: "SQLite", up: false, bytes: 0 }] as const;
    const logged = () => [
      { time: "2026-01-01T00:00:00Z", level: "warning", connector: "", text: "something else" } as const,
      { time: "2026-01-01T00:00:00Z", level: "error", connector: "", text: "context store: The disk is full." } as const,
    ];
    const options = optionsOf({ facts: { stores }, logged, ready: () => false });
    const [first, ...others] = (await overview(options, fullGrant)).troubles;
    expect(first).toMatchObject({ level: "failed", what: "Context store cannot be used", instance: "service" });
    expect(first?.advice).toContain("Latest in the log: context store: The disk is full.");
    expect(first?.since[0]?.text).toBe("0 s ago");
    expect(others).toEqual([]);
    const [narrow] = (await overview(options, { ...fullGrant, workspaces: ["default"] })).troubles;
    expect(narrow?.advice).not.toContain("disk is full");
  });

  it("has requests with a refused token", async () => {
    const options = optionsOf();
    options.traffic.ended({ caller: undefined, outcome: "unauthorized", ms: 1, route: "/api" });
    expect(await shown(options)).toEqual([["stale", "Requests with a refused token in the last hour: 1"]]);
  });

  it("is bounded, as instances are, says how much is cut off, and shows those first that are broken", async () => {
    const { instance } = fakeInstance(() => ({}));
    const all = Array.from({ length: 300 }, (_, nth) => listed(`i${String(nth).padStart(3, "0")}`, nth < 200 ? "ready" : "off"));
    const usable = new Map(all.slice(0, 200).map(({ id }) => [id, instance]));
    const view = await overview(optionsOf({ list: async () => all, instances: { instances: usable } }), fullGrant);
    expect([view.troubles.length, view.moreTroubles, view.instances.length, view.more]).toEqual([50, [50], 100, [200]]);
    expect(view.instances[0]?.id).toBe("i200");
    expect(overviewPage({ ...view, frame })).toMatch(/50 more are not shown.*200 more instances are not shown here/s);
  });

  it("has nothing of a cache where an instance has none", async () => {
    const { instance } = fakeInstance(() => ({}));
    const options = optionsOf({
      list: async () => [listed("github")],
      instances: { instances: new Map([["github", instance]]) },
    });
    const [view] = (await overview(options, fullGrant)).instances;
    expect(view).toMatchObject({ sync: "no cache", troubles: [], scopes: [], moreScopes: [], embeddings: [] });
  });

  it("has no connector that the settings leave out: it is named in one line", async () => {
    const off = new Map([["linear", "there is no credential"]]);
    const options = optionsOf({ list: async () => [listed("linear", "off")], instances: { instances: new Map(), off } });
    const view = await overview(options, fullGrant);
    expect([view.troubles, view.instances, view.off]).toEqual([[], [], ["linear"]]);
  });
});

describe("a service that is not ready", () => {
  it("is broken, also where every store is up", async () => {
    expect(await shown(optionsOf({ ready: () => false }))).toEqual([["failed", "The service is not ready"]]);
  });
});

describe("instances with something wrong", () => {
  afterEach(() => void vi.useRealTimers());

  const health = (id: string, more: Partial<InstanceHealth> = {}): InstanceHealth => {
    return { id, connector: "github", status: "ready", isDetailed: true, scopes: [], waiting: 0, problem: null, ...more };
  };
  const unauthorized = health("unauthorized", { status: "authorization_required" });
  const unusable = health("unusable", { problem: "The credential cannot be decrypted." });
  const scope = standIn<InstanceHealth["scopes"][number]>({ scope: "repository=o/r", since: null, state: "stale" });
  const stale = health("stale", { scopes: [scope] });
  const report = [health("fine"), stale, unusable, unauthorized, health("fine too")];
  const { instance } = fakeInstance(() => ({}));
  const options = () =>
    optionsOf({
      list: async () => report.map(({ id, status }) => listed(id, status)),
      instances: { instances: new Map(report.flatMap(({ id, problem }) => (problem === null ? [[id, instance]] : []))) },
      health: { storeUp: () => true, report: async () => report },
    });

  it("come before the others: those that need a person, those that cannot be used, and those with scopes that are not synced", async () => {
    const { instances } = await overview(options(), fullGrant);
    expect(instances.map(({ id }) => id)).toEqual(["unauthorized", "unusable", "stale", "fine", "fine too"]);
  });

  it("are shown with the time since which they were noted, though nobody looked at the page", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const noted = options();
    await noteTroubles(noted);
    vi.setSystemTime(Date.now() + 100_000);
    const { troubles } = await overview(noted, fullGrant);
    const since = new Map(troubles.map((one) => [one.instance, one.since[0]?.text]));
    expect([since.get("unauthorized"), since.get("unusable")]).toEqual(["2 min ago", "2 min ago"]);
  });
});

describe("the numbers of the process", () => {
  it("are shown with its name: use of limits, workers, databases and disk", async () => {
    const limits = { nearest: () => [{ caller: "key_1", used: [{ what: "requests a minute", used: 59.6, limit: 60 }] }] };
    const callers = { caller: async () => undefined };
    const view = await overview(optionsOf({ limits, callers }), fullGrant);
    const page = overviewPage({ ...view, frame });
    for (const part of [
      "3 of 500",
      "SQLite, up, 1,000 bytes",
      "50 GiB free of 100 GiB (50 %)",
      "2, 3 calls",
      "key_1</a>: 60 of 60 requests a minute",
    ])
      expect(page).toContain(part);
    expect(page).toContain("The numbers are those of process 1 on test since its start.");
    expect((await overview(optionsOf({ limits, callers }), { ...fullGrant, instances: ["other"] })).service.callers).toEqual([]);
  });
});

describe("a credential that the platform refuses", () => {
  const entry = (at: number, outcome: string, action = "issues.get"): StoredAuditEntry => {
    return { number: at, at, caller: "a", action, target: "github", outcome, requestId: null, intent: null, times: 1 };
  };

  it("is known from the latest calls, since the first refusal after a call that was good", () => {
    const refused = [
      entry(9, "platform_unauthorized"),
      entry(8, "done", "issues.context_store_search"),
      entry(7, "platform_unauthorized"),
    ];
    expect(refusedCredentials([...refused, entry(6, "done"), entry(5, "platform_unauthorized")])).toEqual(
      new Map([["github", 7]]),
    );
    expect(refusedCredentials([entry(10, "done"), ...refused])).toEqual(new Map());
    for (const action of ["connector.rotate", "connector.authorized"])
      expect(refusedCredentials([entry(10, "done", action), ...refused])).toEqual(new Map());
    for (const action of ["sync.start", "connector.authorize", "changes.read", "webhook.add", "proposal.reject"])
      expect(refusedCredentials([entry(10, "done", action), ...refused])).toEqual(new Map([["github", 7]]));
  });
});

describe("since when something is broken", () => {
  it("is when it was first seen, unless it was well in between", () => {
    const seen = new FirstSeen();
    expect([seen.note("a", 0), seen.note("a", 60_000), seen.note("b", 60_000)]).toEqual([0, 0, 60_000]);
    expect(seen.note("a", 60_000 + 180_001)).toBe(240_001);
  });
});

const frame = {
  process: facts.process,
  made: [],
  here: "/admin",
  refreshes: [],
  may: { sync: true, control: true, connectors: true, keys: true, subscribe: true },
};
