import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { Answers } from "../../../runtime/server/answers.ts";
import type { Gate } from "../../../runtime/server/gate.ts";
import { createHealthApp, type HealthOptions } from "../../../runtime/server/monitoring/health.ts";
import type { InstanceHealth } from "../../../runtime/server/monitoring/instance-health.ts";
import { standIn } from "../../support/shaped.ts";

/** Asks a process for `/readyz`. */
async function probe(
  given: Partial<Omit<HealthOptions, "health">> & { readonly health?: Partial<HealthOptions["health"]> },
  query = "",
) {
  const health = { storeUp: () => true, report: async () => [], refusedSecrets: async () => 0, ...given.health };
  const app = createHealthApp({
    ...{ instances: { instances: new Map() }, ready: () => true, gate: standIn<Gate>({ leaving: false }) },
    ...{ answers: new Answers(1_000_000), log: pino({ level: "silent" }), ...given, health },
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz${query}`);
    return { status: reply.status, body: (await reply.json()) as Record<string, unknown> };
  } finally {
    server.close();
  }
}

describe("a probe", () => {
  const lists = { connectors: [], simulated: [], off: [] };

  it.each<[what: string, given: Parameters<typeof probe>[0], status: number, body: object]>([
    ["ready", { problem: () => "The disk is full." }, 200, { status: "ready" }],
    ["not ready", { ready: () => false }, 503, { status: "not ready" }],
    ["leaving", { gate: standIn<Gate>({ leaving: true }) }, 503, { status: "not ready" }],
    [
      "not ready, and knows why",
      { ready: () => false, problem: () => "The disk is full." },
      503,
      { status: "not ready", problem: "The disk is full." },
    ],
  ])("says whether the process is %s", async (_what, given, status, body) => {
    expect(await probe(given)).toEqual({ status, body: { ...lists, ...body } });
  });

  const whole = (what: string, count = 1) => ({
    what,
    connector: null,
    count,
    since: null,
    advice: expect.stringMatching(/\.$/),
  });

  it.each<[what: string, health: Partial<HealthOptions["health"]>, degraded: readonly object[]]>([
    ["nothing", {}, []],
    ["a store that is away", { storeUp: () => false }, [whole("store")]],
    ["secrets that are refused", { refusedSecrets: async () => 3 }, [whole("secrets_refused", 3)]],
    ["instances that cannot be listed", { report: () => Promise.reject(new Error("away")) }, [whole("instances")]],
    [
      "both",
      { storeUp: () => false, refusedSecrets: () => Promise.reject(new Error("away")) },
      [whole("store"), whole("instances")],
    ],
    [
      "an instance beside the store",
      {
        storeUp: () => false,
        report: async () => [standIn<InstanceHealth>({ connector: "github", problem: "No.", scopes: [], status: "ready" })],
      },
      [whole("store"), { ...whole("unusable"), connector: "github" }],
    ],
  ])("that is verbose says what is degraded: %s", async (_what, health, degraded) => {
    expect((await probe({ health }, "?verbose")).body["degraded"]).toEqual(degraded);
    expect((await probe({ health })).body).not.toHaveProperty("degraded");
  });

  it("says of each kind what to do", async () => {
    const advice = async (health: Partial<HealthOptions["health"]>) =>
      ((await probe({ health }, "?verbose")).body["degraded"] as { readonly advice: string }[])[0]?.advice;
    expect(await advice({ storeUp: () => false })).toContain("The context store cannot be used");
    expect(await advice({ refusedSecrets: async () => 1 })).toContain("TENON_SECRET_KEY");
    expect(await advice({ report: () => Promise.reject(new Error("away")) })).toContain("cannot be listed");
  });
});
