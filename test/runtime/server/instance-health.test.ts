import { describe, expect, it } from "vitest";
import type { ListedInstance } from "../../../runtime/server/instance-of.ts";
import { HealthReport } from "../../../runtime/server/monitoring/instance-health.ts";
import { Metrics } from "../../../runtime/server/monitoring/metrics.ts";
import { fakeInstance } from "../../support/fake-instance.ts";

const { instance } = fakeInstance(() => ({}));
const listed = (id: string): ListedInstance => ({
  ...{ id, connector: "github", title: "GitHub", status: "ready", workspace: "default", organization: null },
});
const ids = (count: number) => Array.from({ length: count }, (_, index) => `i${String(index).padStart(3, "0")}`);

/** A report of so many instances with these states in the store, and the lines that it has logged. */
function reportOf(count: number, states: () => Promise<readonly never[]>) {
  const store = { states, leased: async () => false, schedule: async () => null };
  const all = ids(count);
  const instances = new Map(all.map((id) => [id, { ...instance, store, storeName: id } as never]));
  const lines: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void lines.push(line) } as never;
  return { report: new HealthReport({ instances }, async () => all.map(listed), log), lines, log };
}

const metricsOf = async (report: HealthReport) =>
  (await new Metrics({ working: 0 }, { storeUp: () => true, report: () => report.get() }).text()).text;

describe("a report of how instances are", () => {
  it("says of which it has no details, and gives these no numbers", async () => {
    const { report, lines } = reportOf(201, async () => []);
    expect((await report.get()).filter(({ isDetailed }) => !isDetailed)).toMatchObject([{ id: "i200", problem: null }]);
    const text = await metricsOf(report);
    expect(text).toContain('tenon_cached_records{instance="i199"} 0');
    expect(text).not.toContain('tenon_cached_records{instance="i200"}');
    expect(text).toContain('tenon_connector_state{instance="i200",state="ready"} 1');
    expect(lines).toEqual([]);
  });

  it("reads few at a time", async () => {
    let [running, most] = [0, 0];
    const { report } = reportOf(40, async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
      return [];
    });
    await report.get();
    expect(most).toBe(8);
  });

  it("calls none unusable because the store is slow, and logs that once", async () => {
    const { report, lines } = reportOf(20, () => new Promise(() => undefined));
    const all = await report.get();
    expect(all).toHaveLength(20);
    for (const one of all) expect(one).toMatchObject({ isDetailed: false, isUnread: true, problem: null });
    expect(lines).toMatchObject([[{ err: { code: "overloaded" }, instances: 20 }, expect.any(String)]]);
  });

  it("logs the cause of what is unusable, once", async () => {
    const cause = new Error("the page 7 of the file is damaged");
    const { report, lines } = reportOf(3, () => Promise.reject(cause));
    for (const one of await report.get()) expect(one).toMatchObject({ isDetailed: false, problem: expect.any(String) });
    await report.get();
    expect(lines).toEqual([[{ err: cause, instance: "i000", instances: 3 }, expect.any(String)]]);
  });
});

describe("metrics while the instances cannot be listed", () => {
  it("have no old numbers, and the log has the cause", async () => {
    const { log, lines } = reportOf(0, async () => []);
    const cause = new Error("no database");
    let [now, isAway] = [0, false];
    const list = async () => {
      if (isAway) throw cause;
      return [listed("i000")];
    };
    const report = new HealthReport({ instances: new Map([["i000", instance]]) }, list, log, () => now);
    const metrics = new Metrics({ working: 0 }, { storeUp: () => true, report: () => report.get() });
    expect((await metrics.text()).text).toContain('instance="i000"');
    [now, isAway] = [60_000, true];
    const { text } = await metrics.text();
    expect(text).not.toContain('instance="i000"');
    expect(text).toContain("tenon_store_up 1");
    expect(lines).toEqual([[{ err: cause }, expect.any(String)]]);
  });
});

it("is read once for all who ask for the metrics at the same time", async () => {
  let read = 0;
  const states = async () => {
    read++;
    return [];
  };
  const health = { storeUp: () => true, report: async () => [] };
  const sources = { subscriptions: { deliveries: new Map(), states }, webhooks: async () => [] };
  const metrics = new Metrics({ working: 0 }, health, sources);
  await Promise.all(Array.from({ length: 10 }, () => metrics.text()));
  // The first reading had begun before the others asked.
  expect(read).toBe(2);
});
