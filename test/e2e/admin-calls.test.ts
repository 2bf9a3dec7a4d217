import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant, type StoredAuditEntry } from "../../runtime/accounts/index.ts";
import { withAccounts } from "./support/accounts.ts";
import { logIn, visit } from "./support/admin.ts";
import { alone, apiKey, authorized, useTenon } from "./support/service.ts";

// The calls at /admin/calls, and the page of each.

const secretKey = ["secret-key-of-the-tests-of-admin-calls"];
const dataDir = mkdtempSync(join(tmpdir(), "tenon-admin-calls-"));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
// The entries of the test are from 2020.
const at = useTenon({ secretKey, dataDir, admin: true, auditDays: 10_000 });
const day = 86_400_000;

let cookie = "";
let secret = "";
const get = (path: string) => visit(at.tenon, "GET", path, { cookie });
const newest = () => withAccounts(dataDir, (store) => store.lastAudited(100));

/** Waits until the audit log has an entry, which it stores at the latest after half a second. */
async function entryOf(isWanted: (entry: StoredAuditEntry) => boolean): Promise<StoredAuditEntry> {
  for (;;) {
    const found = (await newest()).find(isWanted);
    if (found !== undefined) return found;
  }
}

beforeAll(async () => {
  const given = { kind: "key", name: "nightly <report>", grant: fullGrant, expiresAt: null } as const;
  secret = (await withAccounts(dataDir, (store) => createCaller(store, deriveKeys(secretKey), given))).secret;
  // Older than what the service does, from before it has started.
  const old = { caller: "somebody", target: "github", requestId: null, intent: null, times: 1 };
  const entries = Array.from({ length: 2_100 }, (_, nth) => ({
    ...old,
    at: Date.UTC(2020, 0, 1) + nth * 1000,
    action: nth === 0 ? "issues.get" : "labels.list",
    outcome: "done",
  }));
  await withAccounts(dataDir, (store) => store.audit(entries));
  ({ cookie } = await logIn(at.tenon));
});

describe("the page of a call", () => {
  it("has message, status, duration, pointers, the caller's name, and the way to its error code", async () => {
    const headers = { ...authorized, authorization: `Bearer ${secret}`, "x-request-id": "faulty-1" };
    await at.tenon.run("issues", "list", { owner: "octocat", repo: "hello-world", stat: "open", per_page: 500 }, { headers });
    const entry = await entryOf(({ requestId }) => requestId === "faulty-1");
    const { status, text } = await get(`/admin/calls/${entry.number}`);
    expect(status).toBe(200);
    expect(text).toMatch(/class="message">[^<]*stat/);
    for (const pointer of ["/params/stat", "/params/per_page"]) expect(text).toContain(`<code>${pointer}</code>`);
    expect(text).toMatch(/<dt>Status<\/dt><dd>422<\/dd>/);
    expect(text).toMatch(/<dt>Duration<\/dt><dd>[\d.]+ (ms|s)<\/dd>/);
    expect(text).toMatch(/<dt>Caller<\/dt><dd>nightly &lt;report&gt; \(key_\w+\)<\/dd>/);
    expect(text).toContain('href="/docs/errors/invalid_request"');
    expect(text).toContain("faulty-1");
  });

  it("shows an error of a tool of MCP as one, although its response has the status 200", async () => {
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name: "read",
        arguments: {
          connector: "github",
          entity: "issues",
          action: "get",
          params: { owner: "octocat", repo: "nowhere", number: 1 },
        },
      },
    };
    const headers = { ...authorized, accept: "application/json, text/event-stream", "x-request-id": "mcp-1" };
    const sent = await at.tenon.send("POST", "/mcp", JSON.stringify(call), headers);
    expect([sent.status, sent.text.includes('"isError":true')]).toEqual([200, true]);
    const entry = await entryOf(({ requestId }) => requestId === "mcp-1");
    expect(entry).toMatchObject({ action: "issues.get", target: "github", outcome: "not_found" });
    expect((await get(`/admin/calls/${entry.number}`)).text).toMatch(/class="message">Could not resolve/);
  });

  it("leads from the end of a write to its beginning, and shows a good call", async () => {
    const headers = { ...authorized, "x-request-id": "write-1" };
    await at.tenon.run("issues", "create", { owner: "octocat", repo: "hello-world", title: "t" }, { headers });
    const entry = await entryOf(({ requestId, outcome }) => requestId === "write-1" && outcome === "done");
    const { text } = await get(`/admin/calls/${entry.number}`);
    expect(text).toMatch(/<dt>Status<\/dt><dd>200<\/dd>/);
    const begun = /href="(\/admin\/calls\/\d+)">The beginning of this write/.exec(text)?.[1] ?? "";
    expect((await get(begun)).text).toContain(`href="/admin/calls/${entry.number}">Its end: done`);
  });

  it("says what it does not know of a call that another process has answered", async () => {
    const [entry] = (await withAccounts(dataDir, (store) => store.audited(0, 0, 1))) ?? [];
    const { text } = await get(`/admin/calls/${entry?.number}`);
    expect(text).toContain("This process does not have the message and the duration");
    expect(text).toMatch(/<dt>Duration<\/dt><dd>not known/);
  });

  it.each(["0", "999999999", "x", "1e3", "-1", "1.5", "%3Cscript%3E"])("is not there for %s", async (number) => {
    const { status, text } = await get(`/admin/calls/${number}`);
    expect([status, text.includes("There is no such call"), text.includes("<script")]).toEqual([404, true, false]);
  });

  it("is not there for whoever may not see the call", async () => {
    const given = { kind: "key", name: "n", grant: { ...fullGrant, instances: ["other"] }, expiresAt: null } as const;
    const narrow = await withAccounts(dataDir, (store) => createCaller(store, deriveKeys(secretKey), given));
    const own = (await logIn(at.tenon, narrow.secret)).cookie;
    const entry = await entryOf(({ requestId }) => requestId === "write-1");
    expect((await visit(at.tenon, "GET", `/admin/calls/${entry.number}`, { cookie: own })).status).toBe(404);
    expect((await visit(at.tenon, "GET", "/admin/calls", { cookie: own })).text).toMatch(/<ul class="rows">\s*<\/ul>/);
  });
});

describe("the list of calls", () => {
  const rows = (text: string) =>
    [...text.matchAll(/<li>\s*<span class="what"><a href="([^"]+)"><strong>([^<]+)/g)].map(([, , action]) => action);

  it("is filtered by caller, instance, action, outcome and time", async () => {
    const list = async (query: string) => (await get(`/admin/calls?${query}`)).text;
    expect(rows(await list("outcome=not_found"))).toEqual(["issues.get"]);
    expect(rows(await list("outcome=errors&action=list"))).toEqual(["issues.list"]);
    expect(rows(await list("caller=somebody&action=issues"))).toEqual([]);
    const first = await list("from=2020-01-01T00:00&to=2020-01-01T00:00");
    expect(new Set(rows(first))).toEqual(new Set(["labels.list"]));
    expect(rows(first)).toHaveLength(50);
    expect(first).toContain('value="2020-01-01T00:00"');
    expect(rows(await list("to=2020-01-01T00:00&action=issues&caller=somebody&instance=github"))).toEqual(["issues.get"]);
    expect(rows(await list("to=2019-12-31T23:59"))).toEqual([]);
    expect(rows(await list("instance=nothing"))).toEqual([]);
  });

  it("looks at a bounded number of entries, says how far back, and goes on from there", async () => {
    const { text } = await get("/admin/calls?caller=somebody&action=issues.get");
    expect(rows(text)).toEqual([]);
    expect(text).toMatch(/None of the calls that this page has looked at.*has looked back to.*Older calls/s);
    const older = /href="([^"]+)">Older calls/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    expect(rows((await get(older)).text)).toEqual(["issues.get"]);
  });

  it("shows each call once, on whichever page its end and its beginning are", async () => {
    const seen: string[] = [];
    const at0 = Date.now() + day;
    // Ends of 60 writes, and then their beginnings: a page ends between them.
    const entry = (nth: number, outcome: string) => ({
      at: at0 + (outcome === "begun" ? 0 : 1000) + nth,
      caller: "writer",
      action: "issues.create",
      target: "github",
      outcome,
      requestId: `w${nth}`,
      intent: null,
      times: 1,
    });
    const all = Array.from({ length: 60 }, (_, nth) => nth);
    await withAccounts(dataDir, (store) =>
      store.audit([...all.map((nth) => entry(nth, "begun")), ...all.map((nth) => entry(nth, "done"))]),
    );
    for (let path = "/admin/calls?caller=writer"; path !== ""; ) {
      const { text } = await get(path);
      seen.push(...[...text.matchAll(/<code>(w\d+)<\/code>/g)].map(([, id = ""]) => id));
      path = /href="([^"]+)">Older calls/.exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
    }
    expect(seen.toSorted()).toEqual(all.map((nth) => `w${nth}`).toSorted());
  });

  it("shows what a filter has as text, and refreshes itself only as often as may be chosen", async () => {
    const hostile = `"><script>alert(1)</script>`;
    const { text } = await get(
      `/admin/calls?${new URLSearchParams({ caller: hostile, outcome: hostile, before: hostile, from: hostile })}`,
    );
    expect(text).not.toContain("<script");
    expect(text).toContain("&quot;&gt;&lt;script&gt;");
    const refresh = async (seconds: string) => (await get(`/admin/calls?refresh=${seconds}`)).headers.get("refresh");
    expect([await refresh("30"), await refresh("1"), await refresh("0;url=https://evil.example")]).toEqual(["30", null, null]);
  });

  it("is not there without an audit log, and nothing else is lost", () =>
    alone({ admin: true, auditDays: 0 }, async ({ tenon }) => {
      const own = (await logIn(tenon, apiKey)).cookie;
      const list = await visit(tenon, "GET", "/admin/calls", { cookie: own });
      expect([list.status, list.text]).toEqual([404, expect.stringContaining("TENON_AUDIT_DAYS is 0")]);
      expect((await visit(tenon, "GET", "/admin", { cookie: own })).status).toBe(200);
    }));
});
