import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { Proposals } from "../../runtime/policy/index.ts";
import type { AppOptions } from "../../runtime/server/app.ts";
import { Strangers } from "../../runtime/server/callers/strangers.ts";
import { Usages } from "../../runtime/server/limits/usages.ts";
import { Metrics } from "../../runtime/server/monitoring/metrics.ts";
import { Subscriptions } from "../../runtime/subscriptions/index.ts";
import { WebhookInbox } from "../../runtime/webhooks/index.ts";

const health = { storeUp: () => true, report: async () => [], refusedSecrets: async () => 0 };

// It makes its file when it is first used.
const accounts = openSqliteAccounts(join(tmpdir(), "tenon-idle"));

/** Parts of the application for tests and benchmarks that do not use them: no limits, no stored instances, no syncs. */
export const idleParts: Pick<
  AppOptions,
  | "list"
  | "redact"
  | "strangers"
  | "edge"
  | "metrics"
  | "health"
  | "limits"
  | "writes"
  | "syncs"
  | "syncScopes"
  | "publicUrl"
  | "webhooks"
  | "proposals"
  | "subscriptions"
> = {
  list: async () => [],
  publicUrl: "",
  redact: (text) => text,
  get strangers() {
    return new Strangers();
  },
  edge: { origins: [], proxies: [] },
  metrics: new Metrics({ working: 0 }, health),
  health,
  limits: new Usages({}, {}),
  writes: accounts,
  subscriptions: new Subscriptions({ store: accounts, keys: undefined, allowPrivate: false, send: fetch }),
  proposals: new Proposals({ store: accounts, lifetime: 1000, timeout: 1000, audits: false }),
  syncs: {
    isClosed: false,
    start: () => new Promise(() => undefined),
    stop: async () => false,
    forget: async (_instance, scope) => ({ scope, removed: 0 }),
  },
  syncScopes: async () => [],
  webhooks: {
    inbox: new WebhookInbox(accounts, () => undefined),
    added: undefined,
    address: () => undefined,
    named: async () => new Map(),
    secrets: async () => [],
    find: async () => undefined,
    state: async () => undefined,
    count: () => undefined,
  },
};
