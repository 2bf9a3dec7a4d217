import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { InstanceHealth } from "../../../runtime/server/monitoring/instance-health.ts";
import { Metrics } from "../../../runtime/server/monitoring/metrics.ts";

// The dashboard and the alert rules name only metrics, labels and states that there are.

const file = (name: string) => readFileSync(new URL(`../../../runtime/admin/monitoring/${name}`, import.meta.url), "utf8");

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[];
  }[];
}
interface Alerts {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const { panels } = JSON.parse(file("dashboard.json")) as Dashboard;
const rules = (parse(file("alerts.yaml")) as Alerts).groups.flatMap((group) => group.rules);

const scope = { entities: 2, troubled: 1, since: null, records: 3, misfits: 0, problem: null };
const broken: InstanceHealth = {
  id: "github",
  connector: "github",
  status: "ready",
  isDetailed: true,
  waiting: 7,
  problem: null,
  scopes: [
    { ...scope, scope: "repository=a/b", state: "failed", syncedAt: null },
    { ...scope, scope: "repository=a/c", state: "ok", syncedAt: new Date(Date.now() - 60_000).toISOString() },
  ],
};

/** The text of the metrics of a service with a failed scope, and the names that its series may have. */
async function metrics(report: readonly InstanceHealth[] = [broken], storeUp = true) {
  const { text } = await new Metrics({ working: 0 }, { storeUp: () => storeUp, report: async () => report }).text();
  const kinds = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", kind]) => [name, kind] as const);
  const names = kinds.flatMap(([name, kind]) =>
    kind === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  );
  return { text, names: new Set(names) };
}

/** Names of metrics in an expression: words outside of braces, quotes and parentheses of labels that no function has. */
function metricsIn(expr: string): string[] {
  const bare = expr
    .replace(/\{[^}]*\}/g, "")
    .replace(/\b(?:by|without) \([^)]*\)/g, "")
    .replace(/\[\w+\]/g, "");
  return [...bare.matchAll(/\b([a-z_][a-z0-9_]*)\b(?!\s*\()/g)].map(([, name = ""]) => name);
}

describe("the files for monitoring", () => {
  const expressions = [
    ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
    ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ];

  it.each(expressions)("%s names metrics that there are: %s", async (_title, expr) => {
    // Prometheus itself makes `up`.
    const names = new Set([...(await metrics()).names, "up"]);
    const used = metricsIn(expr).filter((name) => name !== "le" && name !== "topk");
    expect(used.length).toBeGreaterThan(0);
    for (const name of used) expect([...names], expr).toContain(name);
  });

  it("name every gauge of syncs and connectors, so that a renamed one is noticed", async () => {
    const all = expressions.map(([, expr]) => expr).join("\n");
    for (const name of (await metrics()).names)
      if (/^tenon_(sync|connector|store|accounts|cached|embeddings)/.test(name)) expect(all).toContain(name);
  });
});

describe("the gauges of syncs and connectors", () => {
  it("report failed scopes, ages, records, the queue of embeddings, and the state of connectors and store", async () => {
    const { text } = await metrics();
    expect(text).toContain('tenon_sync_scopes{instance="github",state="failed"} 1');
    expect(text).toContain('tenon_sync_scopes{instance="github",state="stale"} 0');
    expect(text).toMatch(/tenon_sync_age_seconds\{instance="github",scope="repository=a\/c"\} 6\d/);
    expect(text).not.toContain('scope="repository=a/b"');
    expect(text).toContain('tenon_cached_records{instance="github"} 6');
    expect(text).toContain('tenon_embeddings_waiting{instance="github"} 7');
    expect(text).toContain('tenon_connector_state{instance="github",state="ready"} 1');
    expect(text).toContain("tenon_store_up 1");
    expect(text).toContain("tenon_accounts_up 1");
    expect((await metrics([], false)).text).toContain("tenon_store_up 0");
    const away = async () => {
      throw new Error("the database of the accounts is away");
    };
    const { text: rest } = await new Metrics({ working: 0 }, { storeUp: () => true, report: away }).text();
    expect(rest).toContain("tenon_accounts_up 0");
    expect((await metrics([{ ...broken, problem: "The context store is busy." }])).text).toContain('state="unusable"} 1');
  });

  it("have a bounded number of series: the scopes that are oldest", async () => {
    const scopes = Array.from({ length: 600 }, (_, index) => {
      const syncedAt = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();
      return { ...scope, scope: `repository=a/r${index}`, state: "ok" as const, syncedAt };
    });
    const { text } = await metrics([{ ...broken, scopes }]);
    expect(text.match(/^tenon_sync_age_seconds\{/gm)).toHaveLength(500);
    expect(text).toContain('a/r0"');
    expect(text).not.toContain('a/r599"');
  });
});
