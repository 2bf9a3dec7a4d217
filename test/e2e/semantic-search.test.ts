import { rmSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../simulator/client.ts";
import { anyCharacter } from "../support/any-character.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { hello, newFolder, openCache, type Row } from "./support/cache.ts";
import { apiKey, bad, good, list, startTenon, type Tenon } from "./support/service.ts";

// Search by meaning over HTTP, with the model of the project, over records that a sync brought in. TENON_TEST_PROMPTS says how many random
// prompts are sent.

const prompts = Number(process.env["TENON_TEST_PROMPTS"] ?? 150);
const seed = Number(process.env["TENON_TEST_SEED"] ?? Date.now() % 1_000_000);

let platform: Platform;
let tenon: Tenon;
let dataDir: string;

beforeAll(async () => {
  dataDir = newFolder();
  platform = await startPlatform();
  platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
  await sync();
  tenon = await startTenon(platform, { dataDir });
  await embedded();
});

afterAll(async () => {
  await tenon.service.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** Brings the records of the main repository into the store, beside the service. */
async function sync(): Promise<void> {
  const cache = await openCache(platform, { dataDir });
  expect((await cache.sync([hello])).outcome).toBe("complete");
  await cache.close();
}

/** Waits until every text is embedded. */
async function embedded(): Promise<void> {
  for (;;) {
    const { semantic } = shaped<{ semantic: readonly Row[] }>((await status())["meta"]);
    if (semantic.length > 0 && semantic.every(({ state }) => state === "complete")) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const status = async () =>
  good(await tenon.send("GET", "/api/v1/integrations/connectors/github/sync", undefined, { Authorization: `Bearer ${apiKey}` }));
const search = (entity: string, semantic: unknown, more: object = {}) =>
  tenon.run(entity, "context_store_search", { semantic, ...more });
const meta = (body: Json) => shaped<Record<string, unknown>>(body["meta"]);
interface Hit {
  readonly entity: Row;
  readonly metadata: { readonly score: number; readonly context: string; readonly start: number; readonly end: number };
}
const hits = (body: Json) => shaped<Hit[]>(list(body["data"]));
const body = (prompt: string, more: object = {}) => ({ field: "body", prompt, ...more });

/** The members of `entity` that the interface names. */
const entities = {
  issues: ["html_url", "id", "node_id", "number", "state", "title", "updated_at"],
  pull_requests: ["html_url", "id", "node_id", "number", "state", "title", "updated_at"],
  comments: ["created_at", "html_url", "id", "node_id", "updated_at"],
} as const;

describe("semantic_search in SQL", () => {
  const sql = (statement: string, more: object = {}) =>
    tenon.run("labels", "context_store_sql_query", { sql: statement, ...more });

  it("gives the hits of the action, which join with tables", async () => {
    const prompt = "it crashes with an error message";
    const filter = { eq: { state: "open" } };
    const found = hits(good(await search("issues", body(prompt, { filter, context_size: 80 }), { limit: 5 })));
    const answer = good(
      await sql(
        `SELECT i.id AS node_id, i.state, s.score, s.context FROM semantic_search(entity => 'issues', field => 'body', prompt => '${prompt}', filter => '${JSON.stringify(filter)}', context_size => 80, top => 5) AS s JOIN issues i ON i.key = s.key ORDER BY s.score DESC`,
      ),
    );
    expect(list(answer["data"])).toEqual(
      found.map(({ entity, metadata: { score, context } }) => ({ node_id: entity["node_id"], state: "open", score, context })),
    );
    expect(found).toHaveLength(5);
    expect(meta(answer)["synced_at"]).toEqual(expect.any(String));
  });

  it.each([
    ["a field without passages", "entity => 'issues', field => 'title', prompt => 'x'", 'semantic_search: "title" cannot be'],
    ["no prompt", "entity => 'issues', field => 'body'", "semantic_search: prompt is required."],
    [
      "too many hits",
      "entity => 'issues', field => 'body', prompt => 'x', top => 101",
      "limit must be a whole number from 1 to 100",
    ],
    ["an entity without meaning", "entity => 'labels', field => 'name', prompt => 'x'", "No field of labels can be searched"],
    ["an entity that there is not", "entity => 'isues', field => 'body', prompt => 'x'", 'There is no table "isues"'],
    ["a name that there is not", "entity => 'issues', promt => 'x'", 'no parameter "promt"'],
    ["values without names", "'issues', 'body', 'x'", "takes its parameters by name"],
    [
      "what is no constant",
      "entity => 'issues', field => 'body', prompt => lower('X')",
      "prompt of semantic_search must be a constant",
    ],
    [
      "a filter that is no JSON",
      "entity => 'issues', field => 'body', prompt => 'x', filter => 'state'",
      "filter of semantic_search is JSON",
    ],
    [
      "a filter of a name that there is not",
      `entity => 'issues', field => 'body', prompt => 'x', filter => '{"eq":{"staet":1}}'`,
      "staet",
    ],
  ])("refuses %s, and says where", async (_what, args, message) => {
    const [fault] = list(bad(await sql(`SELECT * FROM semantic_search(${args}) s`), 422, "invalid_request")["errors"]);
    expect(fault).toMatchObject({ pointer: "/params/sql", message: expect.stringContaining(message) });
    expect(String(fault?.["message"])).toContain("(line 1, column ");
  });

  it("takes a few searches in a statement, and no more", async () => {
    const one = (name: string) => `semantic_search(entity => 'issues', field => 'body', prompt => 'x', top => 1) ${name}`;
    expect(list(good(await sql(`SELECT count(*) AS n FROM ${["a", "b", "c", "d"].map(one).join(", ")}`))["data"])).toEqual([
      { n: expect.any(Number) },
    ]);
    expect(JSON.stringify((await sql(`SELECT 1 AS one FROM ${["a", "b", "c", "d", "e"].map(one).join(", ")}`)).body)).toContain(
      "at most 4 searches by meaning",
    );
  });
});

describe.each(Object.entries(entities))("%s", (entity, members) => {
  it("answers hits with the members of the interface, all of them strings", async () => {
    const answer = good(await search(entity, body("it crashes with an error message")));
    const found = hits(answer);
    expect(found).toHaveLength(10);
    for (const { entity: one, metadata } of found) {
      expect(Object.keys(one).sort()).toEqual([...members]);
      for (const value of Object.values(one)) expect(value).toEqual(expect.any(String));
      expect(Object.keys(metadata).sort()).toEqual(["context", "end", "score", "start"]);
      expect(Math.abs(metadata.score)).toBeLessThanOrEqual(1);
      expect(metadata.context.length).toBeLessThanOrEqual(2048);
    }
    const scores = found.map(({ metadata }) => metadata.score);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(meta(answer)).toMatchObject({
      has_more: true,
      cursor: expect.any(String),
      took_ms: expect.any(Number),
      synced_at: expect.any(String),
    });
    expect(meta(answer)["warnings"]).toBeUndefined();
  });

  it("walks by cursor over every record that has a text, each once", async () => {
    const keys: unknown[] = [];
    for (let cursor: unknown = undefined; cursor !== null; ) {
      const page = good(await search(entity, body("slow"), cursor === undefined ? {} : { cursor, limit: 100 }));
      keys.push(...hits(page).map(({ entity: one }) => one["node_id"]));
      cursor = meta(page)["cursor"];
    }
    expect(new Set(keys).size).toBe(keys.length);
    const all = good(await tenon.run(entity, "context_store_search", { query: {}, limit: 10_000, fields: ["id", "body"] }));
    const withText = shaped<Row[]>(list(all["data"])).filter((row) => /[\p{L}\p{N}]/u.test(String(row["body"] ?? "")));
    expect(keys.toSorted()).toEqual(withText.map((row) => row["id"]).sort());
  });
});

const characters = (...ranges: readonly (readonly [number, number])[]) =>
  fc.oneof(...ranges.map(([min, max]) => fc.integer({ min, max }).map((code) => String.fromCodePoint(code))));
const textOf = (unit: fc.Arbitrary<string>) => fc.string({ unit, minLength: 1, maxLength: 300 });
const short = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  textOf(characters([0x1f300, 0x1faff], [0x200d, 0x200d], [0xfe0f, 0xfe0f], [0x1f1e6, 0x1f1ff])),
  textOf(characters([0x4e00, 0x9fff], [0x3040, 0x30ff], [0xac00, 0xd7a3], [0x20000, 0x2a6df])),
  textOf(characters([0x300, 0x36f], [0x5d0, 0x5ea], [0x600, 0x6ff], [0x202a, 0x202e])),
  textOf(characters([0, 0x1f], [0x7f, 0x9f])),
  textOf(characters([0x20, 0x20], [0x9, 0xd], [0xa0, 0xa0], [0x2000, 0x200b], [0x3000, 0x3000])),
  fc
    .array(
      fc.constantFrom(
        "const x = await f(a[0]);",
        "}",
        "\n\tat run (a.js:1:2)",
        "```",
        "<!--",
        "SELECT * FROM t;",
        "->",
        "\\",
        '"',
      ),
      {
        maxLength: 60,
      },
    )
    .map((parts) => parts.join(" ")),
);
/** Up to about the largest body that the service reads, and somewhat above it. */
const long = fc.tuple(short, fc.integer({ min: 1, max: 1_100_000 })).map(([text, length]) =>
  text
    .repeat(Math.ceil(length / Math.max(1, text.length)))
    .slice(0, length)
    .toWellFormed(),
);
const anyPrompt = fc.oneof({ weight: 24, arbitrary: short }, { weight: 1, arbitrary: long });

describe("a search by meaning", () => {
  it(
    `answers any prompt, or says what is wrong with it (seed ${seed})`,
    async () => {
      const statuses = new Map<number, number>();
      const all = fc.sample(anyPrompt, { numRuns: prompts, seed });
      for (let at = 0; at < all.length; at += 16)
        await Promise.all(
          all.slice(at, at + 16).map(async (prompt) => {
            const reply = await search("issues", body(prompt, { dedup: prompt.length % 2 === 0 ? "max" : "none" }), { limit: 3 });
            statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
            const shown = `${JSON.stringify(prompt.slice(0, 100))} of ${prompt.length} characters: ${reply.text.slice(0, 300)}`;
            expect([200, 413, 422], shown).toContain(reply.status);
            if (reply.status === 413) expect(Buffer.byteLength(JSON.stringify(prompt))).toBeGreaterThan(1_000_000);
            if (reply.status === 422) expect(prompt.trim() === "" || !prompt.isWellFormed(), shown).toBe(true);
          }),
        );
      expect(statuses.get(200) ?? 0).toBeGreaterThan(prompts / 2);
      expect(hits(good(await search("issues", body("error")))).length).toBeGreaterThan(0);
    },
    120_000 + prompts * 100,
  );

  it("finds a text by other words, after a sync brought it", async () => {
    const { status: code } = await tenon.run("issues", "create", {
      owner: "octocat",
      repo: "hello-world",
      title: "Process killed",
      body: "## What happens\n\nThe worker uses more and more RAM until the kernel ends it.\n\n<!-- template -->",
    });
    expect(code).toBe(200);
    await sync();
    await embedded();
    const [first] = hits(good(await search("issues", body("memory leak, out of memory"))));
    expect(first).toMatchObject({
      entity: { title: "Process killed", state: "open" },
      metadata: { context: expect.stringContaining("more RAM") },
    });
    const number = Number(first?.entity["number"]);
    const edit = {
      owner: "octocat",
      repo: "hello-world",
      issue_number: number,
      body: "The colour of the button is hard to read.",
    };
    expect((await tenon.run("issues", "update", edit)).status).toBe(200);
    await sync();
    await embedded();
    const [other] = hits(good(await search("issues", body("memory leak, out of memory"))));
    expect(other?.entity["number"]).not.toBe(String(number));
    const [again] = hits(good(await search("issues", body("contrast is bad"))));
    expect(again?.entity["number"]).toBe(String(number));
  });

  it("keeps to its filter", async () => {
    const filter = { and: [{ eq: { state: "closed" } }, { gt: { number: 20 } }] };
    const found = hits(good(await search("issues", body("error", { filter }), { limit: 100 })));
    expect(found.length).toBeGreaterThan(5);
    for (const { entity } of found) expect(entity["state"] === "closed" && Number(entity["number"]) > 20).toBe(true);
    expect(hits(good(await search("issues", body("error", { filter: { eq: { number: -1 } } }))))).toEqual([]);
  });

  it("chooses fields of the entity by name and by path", async () => {
    const [first] = hits(good(await search("issues", body("error"), { limit: 1, fields: ["html_url", "author.login", "id"] })));
    expect(first?.entity).toEqual({
      html_url: expect.stringContaining("https://"),
      author: { login: expect.any(String) },
      id: expect.stringMatching(/^\d+$/),
    });
  });

  it("cuts contexts as asked, and gives several passages of a record only with `dedup: none`", async () => {
    for (const size of [1, 50, 2048])
      for (const { metadata } of hits(good(await search("issues", body("error", { context_size: size })))))
        expect(metadata.context.length).toBeLessThanOrEqual(size);
    const none = hits(good(await search("issues", body("error", { dedup: "none" }), { limit: 100 })));
    const max = hits(good(await search("issues", body("error"), { limit: 100 })));
    expect(new Set(max.map(({ entity }) => entity["id"])).size).toBe(max.length);
    expect(none.length).toBeGreaterThanOrEqual(max.length);
  });

  it.each([50, 2048])(
    "never shows the same part of a record twice, and says where each passage is (context of %i)",
    async (size) => {
      const found: Hit[] = [];
      const given = body("error", { dedup: "none", context_size: size });
      for (let cursor: unknown; ; ) {
        const more = cursor === undefined ? {} : { cursor };
        const answer = good(await search("issues", given, { limit: 20, fields: ["number", "body"], ...more }));
        const page = hits(answer);
        found.push(...page);
        if (meta(answer)["has_more"] !== true) break;
        expect(page).toHaveLength(20);
        cursor = meta(answer)["cursor"];
      }
      const shown = found.map(({ entity, metadata }) => JSON.stringify([entity["number"], metadata.context]));
      expect(new Set(shown).size).toBe(shown.length);
      for (const { entity, metadata } of found) {
        const { start, end, context } = metadata;
        const passage = String(entity["body"]).slice(start, end);
        expect(passage.trim()).toBe(passage);
        expect(passage).not.toBe("");
        expect(passage.length > size || context.includes(passage)).toBe(true);
      }
      // Nearly all of these texts are shorter than the larger context.
      const records = new Set(found.map(({ entity }) => entity["number"])).size;
      if (size === 2048) expect(found.length).toBeLessThan(records * 1.2);
    },
  );

  it("refuses a cursor with another context where passages are merged by it", async () => {
    const given = { dedup: "none", context_size: 100 };
    const { cursor } = meta(good(await search("issues", body("error", given), { limit: 5 })));
    bad(await search("issues", body("error", { ...given, context_size: 200 }), { limit: 5, cursor }), 422, "bad_cursor");
    good(await search("issues", body("error", given), { limit: 5, cursor }));
  });

  it("leaves out hits below `min_similarity`", async () => {
    const all = hits(good(await search("issues", body("error"), { limit: 100 })));
    const bound = all[4]?.metadata.score ?? 0;
    const some = hits(good(await search("issues", body("error", { min_similarity: bound }), { limit: 100 })));
    expect(some).toEqual(all.filter(({ metadata }) => metadata.score >= bound));
  });

  it("explains itself on request", async () => {
    const { plan } = meta(good(await search("issues", body("error"), { explain: true })));
    expect(plan).toMatchObject({
      model: "tenon-static-en-v1",
      passages: expect.any(Number),
      candidates: expect.any(Number),
      filter: "none",
      // Milliseconds of each part of the search.
      times: Object.fromEntries(["refresh", "candidates", "order", "hits"].map((part) => [part, expect.any(Number)])),
    });
  });

  it("warns of a prompt that is cut, and of one that the model cannot read", async () => {
    const long = good(await search("issues", body("crash ".repeat(3_000))));
    expect(meta(long)["warnings"]).toMatchObject([{ code: "prompt_cut", path: "/params/semantic/prompt" }]);
    const unknown = good(await search("issues", body("日本語の質問")));
    expect(meta(unknown)["warnings"]).toMatchObject([{ code: "prompt_unknown" }]);
    expect(unknown["data"]).toEqual([]);
  });

  it.each<[string, object, string]>([
    ["an unknown field", { semantic: { field: "bodi", prompt: "x" } }, "/params/semantic/field"],
    ["a field that is not semantic", { semantic: { field: "title", prompt: "x" } }, "/params/semantic/field"],
    ["no field", { semantic: { prompt: "x" } }, "/params/semantic/field"],
    ["no prompt", { semantic: { field: "body" } }, "/params/semantic/prompt"],
    ["an empty prompt", { semantic: body(" \n\t ") }, "/params/semantic/prompt"],
    ["a prompt that is no text", { semantic: { field: "body", prompt: 7 } }, "/params/semantic/prompt"],
    ["query beside semantic", { semantic: body("x"), query: {} }, "/params/query"],
    ["sort", { semantic: body("x"), sort: [] }, "/params/sort"],
    ["sort inside semantic", { semantic: body("x", { sort: [{ number: "asc" }] }) }, "/params/semantic/sort"],
    ["a wrong dedup", { semantic: body("x", { dedup: "all" }) }, "/params/semantic/dedup"],
    ["a context of no characters", { semantic: body("x", { context_size: 0 }) }, "/params/semantic/context_size"],
    ["a context above the window", { semantic: body("x", { context_size: 2049 }) }, "/params/semantic/context_size"],
    ["a limit above 100", { semantic: body("x"), limit: 101 }, "/params/limit"],
    ["a limit of 0", { semantic: body("x"), limit: 0 }, "/params/limit"],
    ["a similarity above 1", { semantic: body("x", { min_similarity: 1.1 }) }, "/params/semantic/min_similarity"],
    ["an unknown member", { semantic: body("x", { contextsize: 5 }) }, "/params/semantic/contextsize"],
    ["a wrong filter", { semantic: body("x", { filter: { eq: { nope: 1 } } }) }, "/params/semantic/filter/eq/nope"],
    ["an empty filter", { semantic: body("x", { filter: {} }) }, "/params/semantic/filter"],
    ["semantic that is no object", { semantic: "x" }, "/params/semantic"],
    ["a cursor of another search", { semantic: body("x"), cursor: "bm9uc2Vuc2U" }, "/params/cursor"],
    ["an unknown field to answer", { semantic: body("x"), fields: ["nope"] }, "/params/fields/0"],
  ])("is refused with %s, at its place", async (_what, params, pointer) => {
    const reply = await tenon.run("issues", "context_store_search", params);
    expect(reply.status).toBe(422);
    expect(shaped<Row[]>(list(reply.body["errors"])).map((fault) => fault["pointer"])).toEqual([pointer]);
  });

  it.each([
    ["title", '"title" cannot be searched by meaning.'],
    ["bodi", 'issues has no field "bodi".'],
  ])("says what is wrong with the field %s", async (field, message) => {
    const reply = await tenon.run("issues", "context_store_search", { semantic: { field, prompt: "x" } });
    expect(list(reply.body["errors"])).toMatchObject([{ message }]);
  });

  it("is refused on an entity without such a field", async () => {
    const reply = await tenon.run("labels", "context_store_search", { semantic: body("x") });
    expect(reply.status).toBe(422);
    expect(list(reply.body["errors"])).toMatchObject([{ pointer: "/params/semantic" }]);
  });

  it("does not take the cursor of another prompt", async () => {
    const { cursor } = meta(good(await search("issues", body("slow"))));
    expect(hits(good(await search("issues", body("slow"), { cursor, limit: 3 })))).toHaveLength(3);
    bad(await search("issues", body("fast"), { cursor }), 422, "bad_cursor");
    bad(await search("issues", body("slow", { dedup: "none" }), { cursor }), 422, "bad_cursor");
  });

  it("answers 409 before the first sync, and says what to do", async () => {
    const folder = newFolder();
    const fresh = await startTenon(platform, { dataDir: folder });
    try {
      const reply = await fresh.run("issues", "context_store_search", { semantic: body("x") });
      bad(reply, 409, "semantic_index_not_ready");
      expect(reply.body["detail"]).toContain("To sync it, run `tenon sync github");
    } finally {
      await fresh.service.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
