import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import type { Json } from "../simulator/client.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { entities, newFolder, openCache, type Row, storedFields } from "./support/cache.ts";
import { byKey, liveRecords } from "./support/live.ts";
import { bad, good, list, startTenon, type Tenon } from "./support/service.ts";

// Cached search over HTTP, over records that a sync brought in. What each operator means is proved elsewhere; here is the way to it.

let platform: Platform;
let tenon: Tenon;
let dataDir: string;
let live: Record<string, Row[]>;

beforeAll(async () => {
  dataDir = newFolder();
  platform = await startPlatform();
  platform.fail({ kind: "quota", remaining: 100_000, limit: 100_000 });
  const cache = await openCache(platform, { dataDir });
  expect((await cache.sync()).outcome).toBe("complete");
  live = await liveRecords(cache.instance);
  await cache.close();
  tenon = await startTenon(platform, { dataDir });
});

afterAll(async () => {
  await tenon.service.close();
  await platform.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const search = (entity: string, params: object) => tenon.run(entity, "context_store_search", params);
const rows = (body: Json): Row[] => shaped<Row[]>(list(body["data"]));
const issues = () => live["issues"] ?? [];
const meta = (body: Json) => shaped<Record<string, unknown>>(body["meta"]);

describe("before the first sync", () => {
  it("an entity that no sync reads has no search, and no table", async () => {
    const { errors } = bad(await tenon.run("webhooks", "context_store_search", { query: {} }), 422, "invalid_request");
    const message = 'No sync reads webhooks, so it has no action "context_store_search".';
    expect(errors).toMatchObject([{ code: "unknown_action", message, allowed: expect.arrayContaining(["list"]) }]);
    const params = { sql: "select id from webhooks" };
    expect(list(bad(await tenon.run("issues", "context_store_sql_query", params), 422, "invalid_request").errors)).toMatchObject([
      { pointer: "/params/sql", message: expect.stringContaining("webhooks") },
    ]);
  });

  it("every search answers an empty list and no time of a sync, and warns of that", async () => {
    const folder = newFolder();
    const fresh = await startTenon(platform, { dataDir: folder });
    try {
      for (const entity of entities) {
        const body = good(await fresh.run(entity, "context_store_search", { query: {} }));
        const meta = { has_more: false, cursor: null, took_ms: expect.any(Number), synced_at: null };
        const message = expect.stringMatching(/^No sync has read .* `tenon sync github/);
        expect(body, entity).toEqual({ data: [], meta: { ...meta, warnings: [{ path: "data", code: "not_synced", message }] } });
      }
    } finally {
      await fresh.service.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe.each(entities)("%s", (entity) => {
  const store = github.entities[entity]?.store;

  it("gives cached the values that it gives live, for every field that is kept", async () => {
    const body = good(await search(entity, { query: {}, limit: 10_000, fields: storedFields(entity) }));
    expect(byKey(entity, rows(body))).toEqual(byKey(entity, live[entity] ?? []));
    expect(rows(body).length).toBeGreaterThan(0);
  });

  it("gives exactly the searchable fields where none are asked for, and says when it was synced", async () => {
    const body = good(await search(entity, { query: {}, limit: 10_000 }));
    const names = Object.keys(store?.fields ?? {}).sort();
    for (const row of rows(body)) expect(Object.keys(row).sort()).toEqual(names);
    expect(Date.parse(String(meta(body)["synced_at"]))).toBeLessThanOrEqual(Date.now());
    expect(body["meta"]).toEqual({
      has_more: false,
      cursor: null,
      took_ms: expect.any(Number),
      synced_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/),
    });
  });

  it("is walked by a cursor, each record once, in the order of one large page", async () => {
    const sort = Object.keys(store?.fields ?? {})
      .slice(0, 1)
      .map((name) => ({ [name]: "desc" }));
    const all = rows(good(await search(entity, { query: { sort }, limit: 10_000 })));
    const limit = Math.max(1, Math.ceil(all.length / 4));
    const met: Row[] = [];
    for (let cursor: unknown; met.length <= all.length; ) {
      const body = good(await search(entity, { query: { sort }, limit, ...(cursor === undefined ? {} : { cursor }) }));
      met.push(...rows(body));
      expect(meta(body)["has_more"]).toBe(met.length < all.length);
      expect(meta(body)["cursor"]).toEqual(met.length < all.length ? expect.any(String) : null);
      if (meta(body)["has_more"] !== true) break;
      cursor = meta(body)["cursor"];
    }
    expect(met).toEqual(all);
  });
});

describe("a search of issues", () => {
  const numbers = (records: readonly Row[]) => records.map(({ number }) => number);

  it("filters and sorts", async () => {
    const query = {
      filter: { eq: { state: "open" }, gt: { commentCount: 0 } },
      sort: [{ updatedAt: "desc" }, { number: "asc" }],
    };
    const wanted = issues()
      .filter(({ state, commentCount }) => state === "open" && Number(commentCount) > 0)
      .sort(
        (a, b) =>
          Date.parse(String(b["updatedAt"])) - Date.parse(String(a["updatedAt"])) || Number(a["number"]) - Number(b["number"]),
      );
    expect(wanted.length).toBeGreaterThan(10);
    expect(numbers(rows(good(await search("issues", { query }))))).toEqual(numbers(wanted));
  });

  it("takes names in snake_case in filter, sort and fields, and answers in camelCase", async () => {
    const snake = {
      query: { filter: { neq: { state_reason: null } }, sort: [{ updated_at: "asc" }] },
      fields: ["state_reason", "updated_at"],
    };
    const camel = {
      query: { filter: { neq: { stateReason: null } }, sort: [{ updatedAt: "asc" }] },
      fields: ["stateReason", "updatedAt"],
    };
    const found = rows(good(await search("issues", snake)));
    expect(found).toEqual(rows(good(await search("issues", camel))));
    expect(found.length).toBe(issues().filter(({ stateReason }) => stateReason !== null).length);
    expect(Object.keys(found[0] ?? {})).toEqual(["stateReason", "updatedAt"]);
  });

  it("gives paths into objects and lists, also those that are not searchable, written with dots or as keys", async () => {
    const query = { filter: { in: { number: [1, 2, 3] } }, sort: [{ number: "asc" }] };
    const wanted = issues()
      .filter(({ number }) => [1, 2, 3].includes(Number(number)))
      .sort((a, b) => Number(a["number"]) - Number(b["number"]))
      .map(({ author, labels }) => ({
        author: author === null ? null : { login: (author as Row)["login"] },
        labels: (labels as Row[]).map(({ name }) => ({ name })),
      }));
    expect(rows(good(await search("issues", { query, fields: ["author.login", "labels.name"] })))).toEqual(wanted);
    expect(
      rows(
        good(
          await search("issues", {
            query,
            fields: [
              ["author", "login"],
              ["labels", "name"],
            ],
          }),
        ),
      ),
    ).toEqual(wanted);
  });

  it("gives at most as many records as asked for, and says that there are more", async () => {
    const body = good(await search("issues", { query: {}, limit: 1 }));
    expect([rows(body).length, meta(body)["has_more"]]).toEqual([1, true]);
    const whole = good(await search("issues", { query: {}, limit: issues().length }));
    expect([rows(whole).length, meta(whole)["has_more"], meta(whole)["cursor"]]).toEqual([issues().length, false, null]);
    expect(rows(good(await search("commits", { query: {} }))).length).toBe(live["commits"]?.length);
  });

  it("warns of a scope that finds nothing because its records have it with other capitals", async () => {
    const warnings = async (query: object) => meta(good(await search("issues", { query, limit: 1 })))["warnings"];
    const [repository, message] = ["OCTOCAT/Hello-World", expect.stringContaining('some have repository "octocat/hello-world"')];
    for (const filter of [
      { eq: { repository } },
      { in: { repository: ["octocat/hello_world", repository] }, eq: { state: "open" } },
    ])
      expect(await warnings({ filter })).toContainEqual({ path: "data", code: "unknown_value", message });
    // Here it is another condition that finds nothing.
    expect(await warnings({ filter: { eq: { repository: "octocat/hello-world", number: 0 } } })).toBeUndefined();
  });

  it("warns of a value that finds nothing because no record can have it", async () => {
    const body = good(await search("issues", { query: { filter: { eq: { state: "OPEN" } } } }));
    expect(rows(body)).toEqual([]);
    expect(meta(body)["warnings"]).toEqual([
      {
        path: "/params/query/filter/eq/state",
        code: "unknown_value",
        message: 'state has no value "OPEN"; did you mean "open"?',
      },
    ]);
  });

  it("explains how it ran only when it is asked to", async () => {
    const query = { filter: { keyword: { title: "bug" } } };
    const body = good(await search("issues", { query, explain: true }));
    expect(meta(body)["plan"]).toEqual({
      driver: expect.stringMatching(/./),
      indexes: expect.any(Array),
      steps: expect.any(Array),
    });
    expect(rows(body)).toEqual(rows(good(await search("issues", { query, explain: false }))));
    expect(Object.hasOwn(meta(good(await search("issues", { query, explain: false }))), "plan")).toBe(false);
  });

  it("counts all records that match, however few of them are asked for", async () => {
    const query = { filter: { eq: { state: "open" } } };
    const body = good(await search("issues", { query, limit: 1, count: true, fields: ["number"] }));
    const open = issues().filter(({ state }) => state === "open").length;
    expect([rows(body).length, meta(body)["total_count"], meta(body)["has_more"]]).toEqual([1, open, open > 1]);
    expect(Object.hasOwn(meta(good(await search("issues", { query, count: false }))), "total_count")).toBe(false);
  });

  it("groups the records that match, the largest group first", async () => {
    const count = (state: string, locked: boolean) =>
      issues().filter((one) => one["state"] === state && one["locked"] === locked).length;
    const expected = ["open", "closed"]
      .flatMap((state) => [true, false].map((locked) => ({ state, locked, count: count(state, locked) })))
      .filter((group) => group.count > 0)
      .sort((a, b) => b.count - a.count);
    const body = good(await search("issues", { query: {}, groupBy: ["state", "locked"], count: true }));
    expect(rows(body)).toEqual(expected);
    expect(meta(body)).toMatchObject({ has_more: false, cursor: null, total_count: issues().length });
    const first = good(await search("issues", { query: {}, groupBy: ["state"], limit: 1 }));
    expect([rows(first).length, meta(first)["has_more"]]).toEqual([1, true]);
  });

  it("finds words and parts of long texts that a sync brought in", async () => {
    const found = rows(
      good(await search("issues", { query: { filter: { keyword: { body: "having PROBLEM" } } }, fields: ["number", "body"] })),
    );
    expect(numbers(found)).toContain(1);
    expect(found.length).toBe(
      issues().filter(({ body }) => /(?<![\p{L}\p{M}\p{N}])(having|problem)(?![\p{L}\p{M}\p{N}])/iu.test(String(body))).length,
    );
    const parts = rows(good(await search("issues", { query: { filter: { like: { body: "%a probl%" } } }, fields: ["number"] })));
    expect(numbers(parts)).toEqual(numbers(issues().filter(({ body }) => /a probl/i.test(String(body)))).sort());
  });

  it("treats an empty cursor as none", async () => {
    expect(rows(good(await search("issues", { query: {}, cursor: "", limit: 3 })))).toEqual(
      rows(good(await search("issues", { query: {}, limit: 3 }))),
    );
  });
});

describe("a search that is not valid", () => {
  const errors = (body: Json) =>
    shaped<{ pointer: string; code: string; allowed?: string[]; suggestion?: string }[]>(list(body["errors"]));
  const refuse = async (params: unknown, entity = "issues") =>
    errors(bad(await tenon.run(entity, "context_store_search", params as object), 422, "invalid_request"));

  it.each<[string, unknown, string, string]>([
    ["without params", undefined, "/params/query", "missing_param"],
    ["without a query", {}, "/params/query", "missing_param"],
    ["with params that are a list", [], "/params", "wrong_type"],
    ["with a query that is a text", { query: "open" }, "/params/query", "wrong_type"],
    ["with a query that is null", { query: null }, "/params/query", "wrong_type"],
    ["with an unknown member", { query: { where: {} } }, "/params/query/where", "unknown_param"],
    ["with an unknown parameter", { query: {}, per_page: 3 }, "/params/per_page", "unknown_param"],
    ["with an empty filter", { query: { filter: {} } }, "/params/query/filter", "empty"],
    [
      "with an unknown operator",
      { query: { filter: { equals: { state: "open" } } } },
      "/params/query/filter/equals",
      "unknown_operator",
    ],
    ["with an unknown field", { query: { filter: { eq: { stat: "open" } } } }, "/params/query/filter/eq/stat", "unknown_field"],
    [
      "with a field that is not searchable",
      { query: { filter: { eq: { author: "x" } } } },
      "/params/query/filter/eq/author",
      "unknown_field",
    ],
    [
      "with an operator that does not fit",
      { query: { filter: { gt: { locked: true } } } },
      "/params/query/filter/gt/locked",
      "operator_not_allowed",
    ],
    [
      "with a value of another type",
      { query: { filter: { eq: { number: "1" } } } },
      "/params/query/filter/eq/number",
      "wrong_type",
    ],
    [
      "with a time that is none",
      { query: { filter: { gt: { updatedAt: "yesterday" } } } },
      "/params/query/filter/gt/updatedAt",
      "wrong_type",
    ],
    [
      "with a field deep inside",
      { query: { filter: { not: { or: [{ eq: { stat: 1 } }] } } } },
      "/params/query/filter/not/or/0/eq/stat",
      "unknown_field",
    ],
    ["with an unknown direction", { query: { sort: [{ number: "down" }] } }, "/params/query/sort/0/number", "not_allowed"],
    ["with an unknown field to sort by", { query: { sort: [{ size: "asc" }] } }, "/params/query/sort/0/size", "unknown_field"],
    ["with a limit of 0", { query: {}, limit: 0 }, "/params/limit", "out_of_range"],
    ["with a limit of 10001", { query: {}, limit: 10_001 }, "/params/limit", "out_of_range"],
    ["with half a limit", { query: {}, limit: 1.5 }, "/params/limit", "out_of_range"],
    ["with a limit that is a text", { query: {}, limit: "10" }, "/params/limit", "out_of_range"],
    ["with a limit that is null", { query: {}, limit: null }, "/params/limit", "out_of_range"],
    ["with an explain that is a text", { query: {}, explain: "yes" }, "/params/explain", "wrong_type"],
    ["with a count that is a number", { query: {}, count: 1 }, "/params/count", "wrong_type"],
    ["with groups of no field", { query: {}, groupBy: [] }, "/params/groupBy", "wrong_type"],
    ["with groups of three fields", { query: {}, groupBy: ["state", "locked", "number"] }, "/params/groupBy", "wrong_type"],
    ["with groups of an unknown field", { query: {}, groupBy: ["stat"] }, "/params/groupBy/0", "unknown_field"],
    ["with groups of a long text", { query: {}, groupBy: ["body"] }, "/params/groupBy/0", "not_allowed"],
    ["with groups of a time", { query: {}, groupBy: ["updatedAt"] }, "/params/groupBy/0", "not_allowed"],
    ["with groups of one field twice", { query: {}, groupBy: ["state", "state"] }, "/params/groupBy", "not_allowed"],
    ["with fields beside groups", { query: {}, groupBy: ["state"], fields: ["number"] }, "/params/fields", "not_allowed"],
    ["with a cursor beside groups", { query: {}, groupBy: ["state"], cursor: "x" }, "/params/cursor", "not_allowed"],
    [
      "with a sort beside groups",
      { query: { sort: [{ number: "asc" }] }, groupBy: ["state"] },
      "/params/query/sort",
      "not_allowed",
    ],
    ["with a cursor that is a number", { query: {}, cursor: 7 }, "/params/cursor", "wrong_type"],
    ["with an unknown field to answer", { query: {}, fields: ["nunber"] }, "/params/fields/0", "unknown_field"],
    ["with an unknown path to answer", { query: {}, fields: ["author.log"] }, "/params/fields/0", "unknown_field"],
    ["with fields that are a text", { query: {}, fields: "number" }, "/params/fields", "wrong_type"],
  ])("is refused %s, and the answer says where", async (_title, params, pointer, code) => {
    expect(await refuse(params)).toEqual([expect.objectContaining({ pointer, code })]);
  });

  it("gets all of its faults together", async () => {
    const found = await refuse({
      query: { filter: { eq: { stat: 1 } }, sort: [{ number: "down" }], wher: 1 },
      limit: 0,
      fields: ["nunber"],
      expain: true,
    });
    expect(found.map(({ pointer }) => pointer).sort()).toEqual([
      "/params/expain",
      "/params/fields/0",
      "/params/limit",
      "/params/query/filter/eq/stat",
      "/params/query/sort/0/number",
      "/params/query/wher",
    ]);
    expect(found.find(({ pointer }) => pointer === "/params/expain")?.suggestion).toBe("explain");
  });

  it("lists the cached fields when another one is asked for", async () => {
    const [fault] = await refuse({ query: {}, fields: ["participants"] });
    expect(fault?.allowed?.sort()).toEqual(storedFields("issues").sort());
    const { record } = github.entities["issues"] ?? {};
    expect(record?.fields["participants"]?.onRequest).toBe(true);
    expect(fault?.allowed).not.toContain("participants");
  });

  it("lists the searchable fields, with the nearest spelling", async () => {
    const [fault] = await refuse({ query: { filter: { eq: { titel: "x" } } } });
    expect([fault?.allowed, fault?.suggestion]).toEqual([Object.keys(github.entities["issues"]?.store.fields ?? {}), "title"]);
  });

  it.each([
    ["is not a cursor", "rubbish"],
    ["is a cursor of something else", Buffer.from("[1]").toString("base64url")],
    ["is very long", "x".repeat(100_000)],
  ])("is refused with a cursor that %s", async (_title, cursor) => {
    const body = bad(await search("issues", { query: {}, cursor }), 422, "bad_cursor");
    expect(errors(body)).toEqual([expect.objectContaining({ pointer: "/params/cursor", code: "bad_cursor" })]);
  });

  it("is refused with the cursor of another entity, filter or sort", async () => {
    const given = meta(good(await search("issues", { query: { sort: [{ number: "asc" }] }, limit: 1 })))["cursor"];
    const sort = [{ number: "asc" }];
    bad(await search("pull_requests", { query: { sort }, cursor: given }), 422, "bad_cursor");
    bad(await search("issues", { query: { sort: [{ number: "desc" }] }, cursor: given }), 422, "bad_cursor");
    bad(await search("issues", { query: { sort, filter: { eq: { state: "open" } } }, cursor: given }), 422, "bad_cursor");
    // Another page size, other fields and the other spelling are the same search.
    const goesOn = { query: { sort }, cursor: given, limit: 2, fields: ["number"] };
    expect(rows(good(await search("issues", goesOn))).length).toBe(2);
  });
});
