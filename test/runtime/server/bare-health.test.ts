import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { Express } from "express";
import { pino } from "pino";
import { expect, it } from "vitest";
import { Answers } from "../../../runtime/server/answers.ts";
import { createHealthApp } from "../../../runtime/server/monitoring/health.ts";
import { createWaitingApp } from "../../../runtime/server/waiting-app.ts";

const log = pino({ level: "silent" });
const worker = createHealthApp({
  instances: { instances: new Map() },
  ready: () => true,
  gate: { closing: false } as never,
  answers: new Answers(1_000_000),
  log,
  health: { storeUp: () => true, report: async () => [], refusedSecrets: async () => 0 },
});

/** Asks an application for what is not there, and for its health. */
async function ask(app: Express) {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const [good, refused] = [await fetch(`${url}/healthz`), await fetch(`${url}/nowhere`)];
    const { instance } = (await refused.json()) as { readonly instance: string };
    return { ids: [good, refused].map(({ headers }) => headers.get("x-request-id")), instance };
  } finally {
    server.close();
  }
}

it.each([
  ["waits for its database", createWaitingApp(log, () => "away")],
  ["only syncs", worker],
])("a process that %s gives each answer an id", async (_what, app) => {
  const { ids, instance } = await ask(app);
  for (const id of ids) expect(id).toMatch(/^[\da-f-]{36}$/);
  expect(new Set(ids).size).toBe(2);
  expect(instance).toBe(ids[1]);
});
