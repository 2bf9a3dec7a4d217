import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Json } from "../simulator/client.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { newFolder, openCache } from "./support/cache.ts";
import { compat, connected, type Got, shownText } from "./support/compat.ts";
import { startTenon, type Tenon } from "./support/service.ts";

// Cached search under /compat, over the records of one repository.

let platform: Platform;
let tenon: Tenon;
let dataDir: string;
let run: (entity: string, action: string, params?: unknown, more?: object) => Promise<Got>;

beforeAll(async () => {
  dataDir = newFolder();
  platform = await startPlatform();
  const cache = await openCache(platform, { dataDir });
  expect((await cache.sync(["repository=octocat/hello-world"])).outcome).toBe("complete");
  await cache.close();
  tenon = await startTenon(platform, { dataDir, ...compat });
  run = (await connected(tenon.url)).run;
});

afterAll(async () => {
  await tenon.service.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const search = (entity: string, params: object, more?: object) => run(entity, "context_store_search", params, more);
const result = ({ body }: Got) => shaped<{ data: Json[]; meta: Record<string, unknown> }>(body["result"]);
const names = async (filter: object): Promise<string[]> => {
  const got = await search("labels", { query: { filter, sort: [{ name: "asc" }] }, fields: ["name"] });
  expect(got.status, JSON.stringify(got.body)).toBe(200);
  return result(got).data.map((one) => String(one["name"]));
};

describe("an answer", () => {
  it("has its records and its meta in the result, with whole milliseconds", async () => {
    const got = await search("labels", { query: {}, limit: 2 });
    expect(got.body).toMatchObject({ status: "success", connector_metadata: null });
    const { data, meta } = result(got);
    expect(data).toHaveLength(2);
    expect(meta).toMatchObject({ has_more: true, cursor: expect.any(String), synced_at: expect.any(String) });
    for (let count = 0; count < 20; count++)
      expect(Number.isInteger(result(await search("labels", { query: {}, limit: 1 })).meta["took_ms"])).toBe(true);
  });

  it("has names in snake_case at every depth", async () => {
    const { data } = result(await search("issues", { query: {} }));
    const all = JSON.stringify(data).match(/"(\w+)":/g) ?? [];
    expect(all.filter((name) => /[A-Z]/.test(name))).toEqual([]);
    expect(data[0]).toHaveProperty("created_at");
    expect(data[0]).toHaveProperty("database_id");
  });

  it("is empty where nothing is found", async () => {
    const got = await search("labels", { query: { filter: { eq: { name: "no such label" } } } });
    expect(result(got)).toMatchObject({ data: [], meta: { has_more: false, cursor: null } });
  });

  it("is walked by its cursor", async () => {
    const found: unknown[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const params = { query: { sort: [{ name: "asc" }] }, limit: 3, ...(cursor === undefined ? {} : { cursor }) };
      const { data, meta } = result(await search("labels", params));
      found.push(...data.map((one) => one["name"]));
      cursor = meta["cursor"];
    }
    expect(found).toEqual(await names({ not: { eq: { name: null } } }));
  });
});

describe("names", () => {
  it("of filter, sort and fields are taken in both spellings", async () => {
    const asked = async (created: string, number: string) =>
      result(
        await search("issues", {
          query: { filter: { gt: { [created]: "2020-01-01" } }, sort: [{ [created]: "desc" }] },
          limit: 3,
          fields: [[number], [created]],
        }),
      ).data;
    const rows = await asked("created_at", "database_id");
    expect(rows.map((row) => Object.keys(row).sort())).toEqual(Array(3).fill(["created_at", "database_id"]));
    expect(await asked("createdAt", "databaseId")).toEqual(rows);
  });

  it("of selected and excluded fields too", async () => {
    const shaped = async (more: object) =>
      result(await search("issues", { query: {}, limit: 1, fields: ["number", "createdAt", "author.login"] }, more)).data[0];
    const both = { created_at: expect.any(String), author: { login: expect.any(String) } };
    expect(await shaped({ select_fields: ["created_at", "author.login", "nothing"] })).toEqual(both);
    expect(await shaped({ select_fields: ["createdAt", "author"] })).toEqual(both);
    expect(await shaped({ exclude_fields: ["number"] })).toEqual(both);
  });

  it("that are unknown are refused with the nearest one", async () => {
    const { status, body } = await search("labels", { query: { filter: { eq: { nam: "x" } } } });
    expect([status, shownText(body)]).toEqual([
      422,
      '/params/query/filter/eq/nam: labels has no searchable field "nam". Did you mean "name"?',
    ]);
  });
});

describe("text operators", () => {
  it("find beginnings, ends and parts, whatever their case", async () => {
    expect(await names({ startswith: { name: "BUG" } })).toEqual(["bug"]);
    expect(await names({ endswith: { name: "First Issue" } })).toEqual(["good first issue"]);
    expect(await names({ contains: { name: "WANT" } })).toEqual(["help wanted"]);
  });

  it("take the wildcards of patterns literally", async () => {
    expect(await names({ contains: { name: "%" } })).toEqual(["100% sure?"]);
    expect(await names({ contains: { name: "b_g" } })).toEqual([]);
    expect(await names({ endswith: { name: "\\" } })).toEqual([]);
    expect(await names({ like: { name: "b_g" } })).toEqual(["bug"]);
  });

  it("stand beside each other and inside of other conditions", async () => {
    const either = {
      or: [{ startswith: { name: "help" } }, { not: { contains: { name: "" } } }, { contains: { name: "first" } }],
    };
    expect(await names(either)).toEqual(["good first issue", "help wanted"]);
    expect(await names({ startswith: { name: "g" }, contains: { name: "first" }, like: { name: "%issue" } })).toEqual([
      "good first issue",
    ]);
    expect(await names({ startswith: { name: "g" }, contains: { description: "zzz" } })).toEqual([]);
  });

  it("are named in faults where they stand in the request", async () => {
    const { status, body } = await search("issues", {
      query: {
        filter: { startswith: { title: 5 }, contains: { title: "x", number: "1" }, and: [{ endswith: { titel: "x" } }] },
      },
    });
    expect([
      status,
      shownText(body)
        .split(", /")
        .map((text) => text.replace(/^\//, "")),
    ]).toEqual([
      422,
      expect.arrayContaining([
        "params/query/filter/startswith/title: The value must be a string.",
        "params/query/filter/contains/number: contains is not allowed for number, which is a whole number.",
        expect.stringMatching(
          /^params\/query\/filter\/and\/0\/endswith\/titel: issues has no searchable field "titel"\. Did you mean "title/,
        ),
      ]),
    ]);
    expect(String(body["message"])).toMatch(/^\/params\/query\/filter\/(startswith|and)\//);
  });

  it.each(["array_contains", "any"])("do not include %s", async (operator) => {
    const { status, body } = await search("labels", { query: { filter: { [operator]: { name: "x" } } } });
    expect([status, shownText(body)]).toEqual([422, expect.stringContaining(`There is no operator "${operator}".`)]);
  });

  it("are refused when they are nested too deeply, and do no harm", async () => {
    const depth = 20_000;
    const filter = `${'{"not":'.repeat(depth)}{"contains":{"name":"x"}}${"}".repeat(depth)}`;
    const { send } = await connected(tenon.url);
    const body = `{"entity":"labels","action":"context_store_search","params":{"query":{"filter":${filter}}}}`;
    expect((await send(body)).status).toBe(422);
  });
});

describe("long texts", () => {
  it("are cut when asked for", async () => {
    const bodies = async (more: object) =>
      result(await search("issues", { query: {}, fields: ["body"] }, more)).data.map((one) => String(one["body"]));
    const whole = await bodies({});
    expect(whole.some((text) => [...text].length > 300)).toBe(true);
    const cut = await bodies({ skip_truncation: false });
    expect(cut).toHaveLength(whole.length);
    for (const [index, text] of cut.entries()) {
      const characters = [...(whole[index] ?? "")];
      expect([...text].slice(0, 200)).toEqual(characters.slice(0, 200));
      expect(text === whole[index]).toBe(characters.length <= 200);
    }
  });
});

describe("a search by meaning", () => {
  it("of an entity without it is refused with 422 and in words", async () => {
    const { status, body } = await search("labels", { semantic: { prompt: "x" } });
    expect(status).toBe(422);
    expect(shownText(body)).toMatch(/No field of labels can be searched by meaning\./);
  });

  it("needs no field, and takes the text operators in its filter", async () => {
    const asked = (semantic: object) =>
      vi.waitFor(
        async () => {
          const got = await search("issues", { semantic: { prompt: "the page does not open", ...semantic }, limit: 100 });
          expect(got.status, JSON.stringify(got.body)).toBe(200);
          return got;
        },
        { timeout: 60_000, interval: 200 },
      );
    const { data, meta } = result(await asked({}));
    expect(data.length).toBeGreaterThan(0);
    const scores = data.map((one) => Number(shaped<Record<string, unknown>>(one["metadata"])["score"]));
    expect(Math.min(...scores)).toBeGreaterThanOrEqual(0.25);
    expect(data[0]).toMatchObject({ entity: { node_id: expect.any(String) } });
    expect(data[0]?.["metadata"]).toEqual({ score: expect.any(Number), context: expect.any(String) });
    expect(Number.isInteger(meta["took_ms"])).toBe(true);
    const hits = result(await asked({ min_similarity: -1, filter: { startswith: { title: "found" } } })).data;
    expect(hits.map((one) => shaped<Record<string, string>>(one["entity"])["title"])).toEqual(["Found a bug"]);
  });
});
