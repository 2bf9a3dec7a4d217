import { rmSync } from "node:fs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { responseBytes } from "../../runtime/mcp/budget.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { hello, newFolder, openCache } from "./support/cache.ts";
import { apiKey, startTenon, type Tenon } from "./support/service.ts";

// Walks over lists whose pages are too long for a model: each record comes exactly once.

let platform: Platform;
let tenon: Tenon;
let dataDir: string;
let client: Client;

beforeAll(async () => {
  dataDir = newFolder();
  platform = await startPlatform();
  platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
  const cache = await openCache(platform, { dataDir });
  expect((await cache.sync([hello])).outcome).toBe("complete");
  await cache.close();
  tenon = await startTenon(platform, { dataDir });
  client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${apiKey}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${tenon.url}/mcp`), { requestInit });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
});

afterAll(async () => {
  await client.close();
  await tenon.service.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Page {
  readonly data: readonly Readonly<Record<string, unknown>>[];
  readonly meta: Readonly<Record<string, unknown>>;
}

async function call(name: string, args: Record<string, unknown>): Promise<Page> {
  const result = (await client.callTool({
    name,
    arguments: { format: "json", ...args },
    _meta: { "tenon/structuredContent": true },
  })) as CallToolResult;
  expect(result.isError ?? false, JSON.stringify(result.content)).toBe(false);
  expect(Buffer.byteLength(JSON.stringify(result.content))).toBeLessThanOrEqual(responseBytes);
  return shaped<Page>(result.structuredContent);
}

/** All pages of a list, by the cursor that each gives, with the same arguments. */
async function walk(name: string, args: Record<string, unknown>, argument: "cursor" | "after" = "cursor"): Promise<Page[]> {
  const pages: Page[] = [];
  for (let cursor: unknown; ; ) {
    const own = args["params"] as object | undefined;
    const given = cursor === undefined ? {} : argument === "after" ? { params: { ...own, after: cursor } } : { cursor };
    const page = await call(name, { ...args, ...given });
    pages.push(page);
    if (page.meta["has_next_page"] !== true && page.meta["has_more"] !== true) return pages;
    cursor = page.meta["end_cursor"] ?? page.meta["cursor"];
    expect(cursor).toEqual(expect.any(String));
  }
}

const records = (pages: readonly Page[]) => pages.flatMap(({ data }) => data);
const numbers = (pages: readonly Page[]) => records(pages).map((one) => Number(one["number"]));
const cutPages = (pages: readonly Page[]) =>
  pages.filter(({ meta }) => (meta["cuts"] as { path: string }[] | undefined)?.some(({ path }) => path === "data"));
const repository = { owner: "octocat", repo: "hello-world" };
const all = () =>
  platform.world.repositories.find(({ name }) => name === "hello-world")?.issues.map(({ number }) => number) ?? [];
const ascending = (list: readonly number[]) => [...list].sort((a, b) => a - b);

describe("a walk over MCP gives every record once", () => {
  it.each(["cursor", "after"] as const)("of a live list, with the cursor as %s", async (argument) => {
    const args = { entity: "issues", action: "list", params: { ...repository, states: ["OPEN", "CLOSED"], per_page: 100 } };
    const pages = await walk("read", args, argument);
    expect(ascending(numbers(pages))).toEqual(ascending(all()));
    expect(cutPages(pages).length).toBeGreaterThan(0);
    for (const { meta } of cutPages(pages)) expect(meta["has_next_page"]).toBe(true);
  });

  it("of the platform's search", async () => {
    const args = {
      entity: "issues",
      action: "api_search",
      params: { query: "repo:octocat/hello-world is:issue", per_page: 100 },
    };
    const pages = await walk("read", args);
    expect(ascending(numbers(pages))).toEqual(ascending(all()));
    expect(cutPages(pages).length).toBeGreaterThan(0);
  });

  it.each([147, 1000, 20])("of the cache, with limit %i", async (limit) => {
    const pages = await walk("search", { entity: "issues", limit, sort: [{ updatedAt: "desc" }] });
    expect(ascending(numbers(pages))).toEqual(ascending(all()));
    if (limit > 20) expect(cutPages(pages).length).toBeGreaterThan(0);
  });

  it("by meaning", async () => {
    const fields = ["number", "title", "url", "body", "repository", "author", "labels", "assignees", "milestone", "createdAt"];
    const args = { entity: "issues", prompt: "it stops with an error message", limit: 100, dedup: "none", fields };
    const direct: unknown[] = [];
    for (let cursor: unknown; ; ) {
      const semantic = { field: "body", prompt: args.prompt, dedup: args.dedup };
      const params = { semantic, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const { body } = await tenon.run("issues", "context_store_search", params);
      const { data, meta } = shaped<Page>(body);
      direct.push(...data.map(({ entity }) => (entity as { number: string }).number));
      if (meta["has_more"] !== true) break;
      cursor = meta["cursor"];
    }
    const pages = await walk("semantic_search", args);
    expect(records(pages).map(({ entity }) => (entity as { number: string }).number)).toEqual(direct);
    expect(cutPages(pages).length).toBeGreaterThan(0);
  });
});
