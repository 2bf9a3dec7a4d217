import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../runtime/execute/connect.ts";
import { execute } from "../../runtime/execute/execute.ts";
import type { ConnectorInstance } from "../../runtime/execute/instance.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { readScopes, sync } from "../../runtime/sync/index.ts";
import type { Platform } from "../../spec/github/simulator/start.ts";
import { startPlatform } from "../../spec/github/simulator/start.ts";
import { ownerToken } from "../../spec/github/simulator/tokens.ts";
import { tokenCredential } from "../support/credential.ts";
import { unpaced } from "../support/fake-instance.ts";

const folder = join(import.meta.dirname, "../../generated/github/reference");

/** Every request that a page shows, by the page and its action. */
const shown = readdirSync(folder).flatMap((page) =>
  [...readFileSync(join(folder, page), "utf8").matchAll(/```json\n([\s\S]*?)```/g)].map((match) => {
    const request = JSON.parse(match[1] ?? "") as { entity: string; action: string };
    return [`${page} ${request.action}`, request] as const;
  }),
);

const dataDir = mkdtempSync(join(tmpdir(), "tenon-reference-"));
let platform: Platform;
let store: SqliteStore;
let instance: ConnectorInstance;
beforeAll(async () => {
  platform = await startPlatform();
  const endpoints = { rest: platform.url, graphql: platform.graphqlUrl };
  const plans = Object.entries(unpaced.entities).map(([name, { store: plan }]) => [name, plan] as const);
  store = new SqliteStore({ dataDir, plans: { [unpaced.name]: Object.fromEntries(plans) } });
  instance = connect({
    id: "github",
    workspace: "default",
    connector: unpaced,
    endpoints,
    credential: async () => tokenCredential(ownerToken),
    userAgent: "tenon/test",
    redact: (text) => text,
    store,
  });
  const scopes = readScopes(
    unpaced,
    Object.entries(unpaced.scopes).flatMap(([kind, { example }]) => (example === undefined ? [] : [`${kind}=${example}`])),
  );
  const signal = new AbortController().signal;
  const { outcome } = await sync(instance, store, {
    scopes,
    full: false,
    massDelete: false,
    signal,
    log: pino({ level: "silent" }),
  });
  expect(outcome).toBe("complete");
});
afterAll(async () => {
  await store.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

describe("the reference", () => {
  it("shows a search for every entity", () => {
    const searches = shown.filter(([, { action }]) => action === "context_store_search");
    expect(searches.map(([, { entity }]) => entity).sort()).toEqual(Object.keys(unpaced.entities).sort());
  });

  it("shows a request for every action", () => {
    const actions = Object.values(unpaced.entities).flatMap((entity) => Object.keys(entity.actions));
    expect(shown.length).toBe(actions.length + Object.keys(unpaced.entities).length);
  });

  it.each(shown)("%s: the request shown works, and finds something", async (_name, request) => {
    const { data } = await execute(instance, request, {
      timeout: 10_000,
      signal: new AbortController().signal,
      log: pino({ level: "silent" }),
      requestId: "test",
    });
    expect(Array.isArray(data) ? data.length : 1).toBeGreaterThan(0);
  });
});
