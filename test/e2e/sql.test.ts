import { rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GitHub, NotImplementedError } from "../../generated/github/client.ts";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import type { ClientOptions } from "../../runtime/client/index.ts";
import { sqlAction } from "../../runtime/contract/index.ts";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { byCommandLine, byLibrary, byTools, type Outcome, overHttp, type Triple, type Way } from "../conformance/ways.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { withAccounts } from "./support/accounts.ts";
import { hello, newFolder, openCache } from "./support/cache.ts";
import { compat, connected, shownText } from "./support/compat.ts";
import { bash } from "./support/process.ts";
import { startTenon, type Tenon } from "./support/service.ts";

// SQL by every way into Tenon, as a caller who may use two entities only.

const secretKey = ["canary-secret-key-of-the-tests-of-sql"];
const keys = deriveKeys(secretKey);
const dataDir = newFolder();
const Client: unknown = GitHub;
let platform: Platform;
let tenon: Tenon;
let key = "";
let tools: Awaited<ReturnType<typeof byTools>>;
const ways: Way[] = [];

beforeAll(async () => {
  platform = await startPlatform();
  const cache = await openCache(platform, { dataDir });
  await cache.sync([hello], { entities: ["issues", "comments", "labels"] });
  await cache.close();
  tenon = await startTenon(platform, { dataDir, secretKey, ...compat });
  const grant = { ...fullGrant, rights: ["read"] as const, entities: ["issues", "comments"] };
  const made = await withAccounts(dataDir, (store) =>
    createCaller(store, keys, { kind: "key", name: "n", grant, expiresAt: null }),
  );
  key = made.secret;
  tools = await byTools(tenon.url, key, github);
  ways.push(
    overHttp(tenon.url, key, "github"),
    byLibrary("the library", Client as new (options: ClientOptions) => unknown, { baseUrl: tenon.url, apiKey: key }),
    byCommandLine(tenon.url, key, "github"),
    tools,
  );
});
afterAll(async () => {
  await tools.close();
  await tenon.service.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const asked = (sql: string, more: object = {}): Triple => ({ entity: "labels", action: sqlAction, params: { sql, ...more } });
const steady = (outcome: Outcome) => JSON.parse(JSON.stringify(outcome).replace(/"took_ms":[\d.]+/g, '"took_ms":0')) as unknown;
const joined =
  "SELECT i.number, i.title, count(c.id) AS comments FROM issues i LEFT JOIN comments c ON c.number = i.number AND c.repository = i.repository GROUP BY i.number, i.title ORDER BY comments DESC, 1";

describe("SQL", () => {
  it.each([
    ["rows", asked("SELECT number, title, createdAt, labels FROM issues ORDER BY number", { limit: 2 })],
    ["no rows", asked("SELECT number FROM issues WHERE number < 0")],
    ["a mistake", asked("SELECT titel FROM issues")],
    ["a table of an entity that the caller may not read", asked("SELECT * FROM labels")],
    ["no table", asked("SELECT * FROM nobodies")],
  ])("gives the same by every way: %s", async (what, triple) => {
    const [first, ...others] = ways;
    const expected = await first?.run(triple);
    if (expected === undefined) throw new Error("there is no way");
    expect(expected).toHaveProperty(what.includes("rows") ? "data" : "code");
    for (const way of others) {
      const found = await way.run(triple);
      const place = (outcome: Outcome) =>
        "code" in outcome ? { ...outcome, pointers: outcome.pointers.map((one) => one.replace("/params", "")) } : outcome;
      expect(steady(place(found)), way.name).toEqual(steady(place(expected)));
    }
  });

  it("knows a table that the caller may not read as little as one that there is not", async () => {
    const told = async (table: string) => {
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const path = "/api/v1/integrations/connectors/github/execute";
      const { body } = await tenon.send("POST", path, JSON.stringify(asked(`SELECT * FROM ${table}`)), headers);
      return JSON.stringify({ ...body, instance: "" }).replaceAll(table, "<table>");
    };
    const none = (await told("labelz")).replace(/,"suggestion":"[^"]*"/, "");
    expect(await told("labels")).toBe(none);
    expect(none).toContain('"allowed":["comments","issues"]');
  });

  it("warns of tables that were never synced, and of invented data not at all", async () => {
    const full = new GitHub({ baseUrl: tenon.url, apiKey: (await fullKey()).secret });
    const { meta } = await full.sql("SELECT u.login FROM users u JOIN issues i ON i.author_login = u.login");
    expect(meta).toMatchObject({
      synced_at: null,
      warnings: [{ code: "not_synced", message: expect.stringContaining("users") }],
    });
    expect(meta).not.toHaveProperty("simulated");
  });
});

const fullKey = () =>
  withAccounts(dataDir, (store) => createCaller(store, keys, { kind: "key", name: "f", grant: fullGrant, expiresAt: null }));

describe("the client library", () => {
  it("types rows as records of single values, or as what the caller says", async () => {
    const client = new GitHub({ baseUrl: tenon.url, apiKey: key });
    const { data, meta } = await client.sql<{ number: number; title: string }>("SELECT number, title FROM issues ORDER BY 1", {
      limit: 1,
      explain: true,
    });
    const first: { number: number; title: string } | undefined = data[0];
    expect(first).toEqual({ number: 1, title: expect.any(String) });
    expect(meta).toMatchObject({ has_more: true, plan: { sql: expect.stringContaining("SELECT") } });
    const [row] = (await client.execute("issues", "context_store_sql_query", { sql: "SELECT labels FROM issues LIMIT 1" })).data;
    const value: string | number | boolean | null | readonly unknown[] | undefined = row?.["labels"];
    expect(value).toBeInstanceOf(Array);
  });

  it("has no SQL in local mode", async () => {
    const local = new GitHub({ accessToken: ownerToken, restUrl: platform.url, graphqlUrl: platform.graphqlUrl });
    await expect(local.sql("SELECT 1 AS one")).rejects.toThrow(NotImplementedError);
  });
});

describe("the tool for models", () => {
  const call = async (args: object) =>
    (await tools.client.callTool({ name: "sql", arguments: { ...args } })).content as { text: string }[];

  it("gives a table, and one line for each table where no statement is given", async () => {
    const [rows] = await call({ sql: joined, limit: 1 });
    expect(rows?.text).toMatch(/^rows: 1, more follow\nfrom the cache, synced .*\nnumber\|title\|comments\n\d+\|.*\|\d+$/);
    const [renamed] = await call({ sql: 'SELECT number AS "num\u202eber" FROM issues', limit: 1 });
    expect(renamed?.text).toMatch(/\nnumber\n\d+$/);
    const [tables] = await call({});
    expect(tables?.text.split("\n")).toHaveLength(3);
    expect(tables?.text).toContain("number integer");
    expect(tables?.text).toMatch(
      /^comments\[\d+ rows\]\(.*\) JOIN issues ON issues.repository = comments.repository AND issues.number = comments.number$/m,
    );
    expect(tables?.text).not.toContain("pull_requests");
    const [unknown] = await call({ tables: ["labels"] });
    expect(unknown?.text).toContain('There is no table \\"labels\\".');
  });

  it("leads back with the place of a mistake, what is allowed, and the nearest name", async () => {
    const [wrong] = await call({ sql: "SELECT titel FROM issues" });
    expect(JSON.parse(wrong?.text ?? "")).toMatchObject({
      error: { errors: [{ pointer: "/sql", message: expect.stringContaining("column 8"), suggestion: "title" }] },
      what_to_do: expect.stringContaining("call sql again"),
    });
  });

  it("says that rows did not fit, and how to go on", async () => {
    const wide = "SELECT i.*, j.body AS other, k.body AS third FROM issues i, issues j, issues k ORDER BY 1";
    const [cut] = await call({ sql: wide, limit: 1000 });
    expect(cut?.text).toMatch(/Only \d+ rows fit\. Select fewer columns, or continue with OFFSET\.$/);
    expect(cut?.text).not.toContain("next page");
  });
});

describe("/compat", () => {
  it("gives rows with the names of the statement, and whole milliseconds", async () => {
    const { run } = await connected(tenon.url);
    const got = await run("issues", sqlAction, { sql: "SELECT createdAt, number AS theNumber FROM issues ORDER BY 2", limit: 1 });
    expect(got.body).toMatchObject({ status: "success", connector_metadata: null });
    const { data, meta } = shaped<{ data: object[]; meta: Record<string, unknown> }>(got.body["result"]);
    expect(data.map(Object.keys)).toEqual([["createdAt", "thenumber"]]);
    expect([meta["has_more"], Number.isInteger(meta["took_ms"])]).toEqual([true, true]);
    const wrong = await run("issues", sqlAction, { sql: "DELETE FROM issues" });
    expect([wrong.status, shownText(wrong.body)]).toEqual([
      422,
      expect.stringContaining("/params/sql: Only SELECT is supported"),
    ]);
  });
});

describe("the command line", () => {
  const command = join(import.meta.dirname, "../../runtime/cli/tenon.js");
  const run = (words: string) =>
    bash(`"${process.execPath}" "${command}" sql github ${words}`, { TENON_URL: tenon.url, TENON_API_KEY: key });

  it("takes the statement from standard input, and prints CSV", async () => {
    const sql = `SELECT 'a "b", c' AS text, labels, NULL AS nothing FROM issues WHERE cardinality(labels) > 0 ORDER BY number`;
    const { code, out, err } = await run(`- --csv --limit 1 <<'SQL'\n${sql}\nSQL`);
    expect([code, err]).toEqual([0, "There are more rows: --limit takes up to 10,000, and OFFSET continues.\n"]);
    const [head, row, ...rest] = out.split("\r\n");
    expect([head, rest]).toEqual(["text,labels,nothing", [""]]);
    expect(row).toMatch(/^"a ""b"", c","\[""\w.*\]",$/);
  });

  it("describes the tables that the caller may read, with their rows", async () => {
    const { code, out, err } = await run("--describe");
    expect([code, err]).toEqual([0, ""]);
    const { tables } = JSON.parse(out) as { tables: { name: string; rows: number; columns: object; relations: object[] }[] };
    expect(tables.map(({ name }) => name)).toEqual(["comments", "issues"]);
    expect(tables[1]).toMatchObject({
      rows: expect.any(Number),
      columns: { number: "integer", labels: "text[]", scope: "text[]" },
    });
    expect(tables[0]?.relations).toHaveLength(1);
    expect(tables[0]?.rows).toBeGreaterThan(0);
  });

  it("needs a statement", async () => {
    const { code, err } = await run("");
    expect([code, err]).toEqual([64, expect.stringContaining("give a SELECT, - for standard input, or --describe")]);
  });
});
