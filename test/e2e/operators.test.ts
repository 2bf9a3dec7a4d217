import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { createCaller, deriveKeys, fullGrant, type Grant } from "../../runtime/accounts/index.ts";
import { shaped } from "../support/shaped.ts";
import { withAccounts } from "./support/accounts.ts";
import { page } from "./support/admin.ts";
import { alone, authorized, good, type Tenon } from "./support/service.ts";

// What an operator sees at a glance when something is broken: on the page, in the metrics, and by the probe.

const mcp = { accept: "application/json, text/event-stream" };
const params = { name: "search", arguments: { connector: "github", entity: "issues" } };
const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };

const gone = "repository=octocat/nowhere";
const works = "repository=octocat/hello-world";

/** Waits until the scheduled sync has ended, with what it could not read. */
async function synced(tenon: Tenon): Promise<void> {
  for (;;) {
    const { data, meta } = shaped<{
      data: { scope: string; state: string }[];
      meta: { running: boolean };
    }>(good(await tenon.send("GET", "/api/v1/integrations/connectors/github/sync", undefined)));
    const both = [gone, works].every((scope) => data.some((one) => one.scope === scope));
    if (both && !meta.running && data.some(({ state }) => state === "gone")) return;
  }
}

describe("a scope that cannot be synced", () => {
  it("is shown first on the operator's page, with what to do, and reported by metrics and probe", () =>
    alone({ admin: true, syncScopes: [works, gone] }, async ({ tenon }) => {
      expect(await page(tenon)).toContain("What is broken");
      await synced(tenon);
      const html = await page(tenon);
      const broken = html.slice(html.indexOf('id="broken"'), html.indexOf('id="instances"'));
      expect(broken).toMatch(/class="trouble failed"/);
      expect(broken).toContain(`github</a> ${gone}`);
      expect(broken).toContain("never complete");
      expect(broken).toMatch(/found nothing for this scope.*--forget/s);
      expect(broken).not.toContain(works);
      // The card of the instance says it too, in the place where it said that the sync was idle.
      expect(html).toMatch(/ready\. Sync: idle, every 60 min, 1 of \d scopes need attention\./);
      expect(html.indexOf(`<span class="scope">${gone}`)).toBeLessThan(html.indexOf(`<span class="scope">${works}`));

      // A report is given again for five seconds, and the first page has asked for one.
      await vi.waitFor(
        async () => {
          const metrics = (await tenon.send("GET", "/metrics", undefined)).text;
          expect(metrics).toContain('tenon_sync_scopes{instance="github",state="gone"} 1');
          expect(metrics).toMatch(/tenon_cached_records\{instance="github"\} [1-9]/);
        },
        { timeout: 60_000, interval: 200 },
      );

      const probe = await tenon.send("GET", "/readyz?verbose", undefined, {});
      expect(probe.status).toBe(200);
      expect(probe.body["degraded"]).toMatchObject([
        { what: "sync_gone", connector: "github", count: 1, since: null, advice: expect.stringContaining("forget") },
      ]);
      // It needs no token, so it names no scope.
      expect(probe.text).not.toContain("octocat");
      expect((await tenon.send("GET", "/readyz", undefined, authorized)).body).not.toHaveProperty("degraded");
    }));
});

describe("a caller without a right to the records", () => {
  it("sees no scope and no count: not in the metrics, the list of connectors, its description, or over MCP", async () => {
    const secretKey = ["secret-key-of-the-tests-for-operators-0"];
    const dataDir = mkdtempSync(join(tmpdir(), "tenon-operators-"));
    try {
      await alone({ dataDir, secretKey, syncScopes: [works, gone] }, async ({ tenon }) => {
        await synced(tenon);
        const keyOf = async (grant: Partial<Grant>) => {
          const given = { kind: "key", name: "n", grant: { ...fullGrant, ...grant }, expiresAt: null } as const;
          const { secret } = await withAccounts(dataDir, (store) => createCaller(store, deriveKeys(secretKey), given));
          return { authorization: `Bearer ${secret}` };
        };
        const seen = async (grant: Partial<Grant>) => {
          const { status, text } = await tenon.send("GET", "/metrics", undefined, await keyOf(grant));
          expect(status).toBe(200);
          return [
            text.includes('instance="github"'),
            text.includes(`instance="github",scope="${works}"`),
            text.includes("octocat"),
          ];
        };
        expect(await seen({ rights: ["metrics", "read"] })).toEqual([true, true, true]);
        expect(await seen({ rights: ["metrics", "sync"], instances: ["github"] })).toEqual([true, true, true]);
        expect(await seen({ rights: ["metrics"] })).toEqual([true, false, false]);
        expect(await seen({ rights: ["metrics", "read"], entities: ["users"] })).toEqual([true, false, false]);
        for (const other of [{ workspaces: ["other"] }, { organization: "other" }, { instances: ["acme"] }])
          expect(await seen({ rights: ["metrics", "read"], ...other })).toEqual([false, false, false]);
        expect((await tenon.send("GET", "/metrics", undefined)).text).toContain(`instance="github",scope="${works}"`);

        const list = "/api/v1/integrations/connectors";
        for (const [rights, sees] of [
          [["metrics"], false],
          [["admin"], false],
          [["read"], true],
        ] as const) {
          const key = await keyOf({ rights });
          const described = await tenon.send("GET", `${list}/github`, undefined, key);
          expect([rights, described.status, described.text.includes(gone)]).toEqual([rights, 200, sees]);
          expect([rights, /"records":[1-9]/.test(described.text)]).toEqual([rights, sees]);
          const listed = await tenon.send("GET", list, undefined, key);
          const members = ["connector", "id", "organization_id", "status", "title", "workspace_name"];
          for (const one of shaped<object[]>(listed.body["data"])) expect(Object.keys(one).toSorted()).toEqual(members);
          const refused = [
            await tenon.send("GET", `${list}/github/sync`, undefined, key),
            await tenon.send("POST", "/mcp", JSON.stringify(call), { ...key, ...mcp }),
          ];
          if (!sees) for (const { status, text } of refused) expect([status, text.includes("octocat")]).toEqual([403, false]);
        }
      });
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
