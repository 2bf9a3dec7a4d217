import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import type { Connector } from "../../runtime/contract/index.ts";
import { type ConnectorInstance, connect, type ExecuteResult, endpointsOf, execute } from "../../runtime/execute/index.ts";
import { singleCredential } from "../../runtime/platform/credential.ts";
import { startSimulator } from "../../runtime/simulator/start-thread.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { readScopes, type SyncResult, sync } from "../../runtime/sync/index.ts";

const silent = pino({ level: "silent" });

/** A connector on its simulated platform, with an empty store. */
export interface Simulated {
  readonly instance: ConnectorInstance;
  /** Addresses of the platform's APIs, and the credential that they take, for calls past the connector. */
  readonly platform: { readonly rest: string; readonly graphql: string | undefined; readonly token: string };
  run(request: unknown): Promise<ExecuteResult>;
  /** Syncs the scopes that the spec has as examples, and those that are part of every sync. */
  syncExamples(): Promise<SyncResult>;
  close(): Promise<void>;
}

/** The connector without the platform's pace, so that thousands of calls take no minutes. */
export function withoutPace(connector: Connector): Connector {
  const { writes: _writes, points: _points, calls = {}, ...rateLimit } = connector.platform.rateLimit;
  const lifted = Object.fromEntries(Object.keys(calls).map((call) => [call, 1_000_000]));
  return { ...connector, platform: { ...connector.platform, rateLimit: { ...rateLimit, calls: lifted } } };
}

/** @param answer a response that stands in for the platform's own, or the body of one; undefined asks the platform */
export async function simulated(
  given: Connector,
  answer: (method: string, path: string, body: string, query: string, headers: Headers) => object | undefined = () => undefined,
  timeout = 10_000,
): Promise<Simulated> {
  const connector = withoutPace(given);
  if (connector.simulator === undefined) throw new Error(`${connector.name} has no simulator`);
  const platform = await startSimulator(connector.simulator);
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-simulated-"));
  const plans = Object.entries(connector.entities).map(([name, { store: plan }]) => [name, plan] as const);
  const store = new SqliteStore({ dataDir, plans: { [connector.name]: Object.fromEntries(plans) } });
  const credential = singleCredential(connector.platform.auth.kinds, platform.token);
  const instance = connect({
    id: connector.name,
    workspace: "default",
    connector,
    endpoints: { ...endpointsOf(connector, {}), rest: platform.rest, graphql: platform.graphql },
    credential: async () => credential,
    userAgent: "tenon/test",
    redact: (text) => text,
    store,
    fetch: async (input, init) => {
      const { pathname, search } = new URL(String(input));
      const instead = answer(init?.method ?? "GET", pathname, String(init?.body ?? ""), search, new Headers(init?.headers));
      if (instead instanceof Response) return instead;
      return instead === undefined ? fetch(input, init) : Response.json(instead);
    },
  });
  const signal = new AbortController().signal;
  return {
    instance,
    platform,
    run: (request) => execute(instance, request, { timeout, signal, log: silent, requestId: "test" }),
    syncExamples: () => {
      const examples = Object.entries(connector.scopes).flatMap(([kind, { example }]) =>
        example === undefined ? [] : [`${kind}=${example}`],
      );
      return sync(instance, store, {
        scopes: readScopes(connector, examples),
        full: false,
        massDelete: false,
        signal,
        log: silent,
      });
    },
    close: async () => {
      await store.close();
      await platform.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
