import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { checkChanges, type FeedContext, lastPosition, readFeed } from "../../../runtime/changes/index.ts";
import { readFeedCursor } from "../../../runtime/changes/position.ts";
import { recordKey } from "../../../runtime/changes/record-key.ts";
import { keyText } from "../../../runtime/search/index.ts";
import type { Change } from "../../../runtime/store/change-log.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { shaped } from "../../support/shaped.ts";

const context: FeedContext = { entities: null, caller: "c", signal: new AbortController().signal };
const change = (
  sequence: number,
  kind: Change["kind"],
  key: string,
  fields: readonly string[] = [],
  entity = "issues",
): Change => {
  return { sequence, entity, key, scope: "a=b", kind, fields, at: sequence * 1000 };
};

/** An instance with a log and the present records of its issues. @param first the oldest change that the log still has */
function logged(all: readonly Change[], records: readonly { readonly id: string }[] = [], first = 0) {
  const asked: unknown[] = [];
  const changes = async (_of: object, query: { from: number; limit: number; entities: readonly string[] | null }) => {
    asked.push(query);
    const { from, limit, entities } = query;
    const rest = all.filter((one) => one.sequence >= from && entities?.includes(one.entity) !== false);
    const next = all.length;
    const position = rest.length > limit ? (rest[limit]?.sequence ?? next) : next;
    return { log: "l", first, next, changes: rest.slice(0, limit), position };
  };
  const current = async ({ entity }: { entity: string }, keys: readonly string[]) => {
    asked.push([entity, keys.length]);
    return records.flatMap((one) => (keys.includes(one.id) ? [{ key: one.id, json: JSON.stringify(one) }] : []));
  };
  const { instance } = fakeInstance(() => ({}));
  const own = { ...instance, store: shaped<NonNullable<typeof instance.store>>({ changes, current }) };
  const read = async (given: Record<string, unknown>, more: Partial<FeedContext> = {}) => {
    const request = checkChanges(github, own.id, given);
    const { data, meta } = await readFeed(own, request, { ...context, ...more });
    const at = (cursor: string) => readFeedCursor(request.digest, cursor);
    return {
      data: data.map(({ cursor, ...entry }) => ({ ...entry, at_cursor: at(cursor) })),
      meta: { ...meta, cursor: at(meta.cursor) },
      next: meta.cursor,
    };
  };
  return { read, asked, own };
}

const log = [
  change(0, "created", "open"),
  change(1, "updated", "open", ["title"]),
  change(2, "updated", "left", ["state"]),
  change(3, "created", "octocat", [], "users"),
  change(4, "updated", "closed", ["title"]),
  change(5, "deleted", "gone"),
  change(6, "created", "gone later"),
];
const records = [
  { id: "open", title: "t", state: "open", body: "b" },
  { id: "left", title: "t", state: "closed", body: "b" },
  { id: "closed", title: "t", state: "closed", body: "b" },
];

describe("a page of changes", () => {
  it("has each change with the record's key and a cursor behind it", async () => {
    const { read } = logged(log);
    const { data, meta } = await read({});
    expect(data.map(({ entity, kind, key }) => [entity, kind, key])).toEqual(
      log.map(({ entity, kind, key }) => [entity, kind, { id: key }]),
    );
    expect(data[1]).toEqual({
      sequence: 1,
      connector_id: "github",
      entity: "issues",
      kind: "updated",
      key: { id: "open" },
      scope: "a=b",
      changed_fields: ["title"],
      at: "1970-01-01T00:00:01.000Z",
      at_cursor: { log: "l", from: 2 },
    });
    expect(data[0]).not.toHaveProperty("changed_fields");
    expect(meta).toEqual({ cursor: { log: "l", from: 7 }, has_more: false, truncated: false });
  });

  it("has the fields of the records that the filter finds, and says which may have left it", async () => {
    const { read, asked } = logged(log, records);
    const { data } = await read({ entity: "issues", filter: { eq: { state: "open" } }, fields: ["id", "title"] });
    const record = { id: "open", title: "t" };
    expect(data.map(({ sequence, record, matches }) => ({ sequence, record, matches }))).toEqual([
      { sequence: 0, record, matches: undefined },
      { sequence: 1, record, matches: undefined },
      { sequence: 2, record: undefined, matches: false },
      { sequence: 5, record: undefined, matches: undefined },
    ]);
    expect(data.map((one) => Object.hasOwn(one, "record"))).toEqual([true, true, false, false]);
    // The keys of what is not deleted, each once.
    expect(asked.at(-1)).toEqual(["issues", 4]);
  });

  it("has whole records where fields are wanted and no filter, and none of those that are gone", async () => {
    const { data } = await logged(log, records).read({ entity: "issues", fields: ["state"] });
    expect(data.map(({ record }) => record)).toEqual([
      { state: "open" },
      { state: "open" },
      { state: "closed" },
      { state: "closed" },
      undefined,
      undefined,
    ]);
    expect(data.some((one) => "matches" in one)).toBe(false);
  });

  it("has the requested part of what the caller may use", async () => {
    const { read } = logged(log);
    const of = async (entity: unknown, entities: FeedContext["entities"]) =>
      (await read({ ...(entity === undefined ? {} : { entity }) }, { entities })).data.map((one) => one.entity === "users");
    expect(await of(undefined, ["users"])).toEqual([true]);
    expect(await of(["users", "issues"], ["users"])).toEqual([true]);
    expect(await of("users", null)).toEqual([true]);
    expect((await of(undefined, null)).length).toBe(7);
  });

  it("is followed by the next one, until the log ends", async () => {
    const { read } = logged(log);
    const one = await read({ limit: 4 });
    expect([one.data.length, one.meta]).toEqual([4, { cursor: { log: "l", from: 4 }, has_more: true, truncated: false }]);
    const other = await read({ limit: 4, cursor: one.next });
    expect(other.data.map(({ sequence }) => sequence)).toEqual([4, 5, 6]);
    expect(other.meta.has_more).toBe(false);
    expect((await read({ cursor: other.next })).data).toEqual([]);
  });

  it("begins behind everything where only the latest is wanted, whatever the log has lost", async () => {
    const { read } = logged(log, [], 3);
    expect(await read({ cursor: "latest" })).toMatchObject({ data: [], meta: { cursor: { from: 7 }, truncated: false } });
    // The beginning is lost.
    expect(await read({})).toMatchObject({ data: [], meta: { cursor: { from: 7 }, has_more: false, truncated: true } });
  });

  it.each([
    [{ log: "other", from: 4 }, true],
    [{ log: "", from: 3 }, false],
    [{ log: "l", from: 3 }, false],
    [{ log: "l", from: 2 }, true],
    [{ log: "l", from: 7 }, false],
    [{ log: "l", from: 8 }, true],
  ])("is truncated when the log lacks what comes after %j: %s", async (after, truncated) => {
    const { own } = logged(log, [], 3);
    const request = { ...checkChanges(github, own.id, {}), after };
    expect((await readFeed(own, request, context)).meta.truncated).toBe(truncated);
  });

  it("ends where its records are too large, and the next one begins there", async () => {
    const many = Array.from({ length: 120 }, (_, at) => change(at, "created", `i${at}`));
    const body = "x".repeat(90_000);
    const { read } = logged(
      many,
      many.map((_, at) => ({ id: `i${at}`, body })),
    );
    const given = { entity: "issues", fields: ["id"], limit: 1000 };
    const { data, meta, next } = await read(given);
    expect([data.length, meta.has_more, meta.cursor]).toEqual([50, true, { log: "l", from: 50 }]);
    expect((await read({ ...given, cursor: next })).data.at(0)?.sequence).toBe(50);
  });
});

describe("a request that waits for a change", () => {
  it("gets it when it comes, with one look at the log for all who wait", async () => {
    const all = log.slice(0, 3);
    const { own } = logged(all);
    let looks = 0;
    const changes: typeof own.store.changes = (of, query) => {
      if (query.limit === 1 && query.entities?.length === 0 && ++looks === 2) all.push(change(3, "deleted", "gone"));
      return own.store.changes(of, query);
    };
    const waiting = { ...own, store: { ...own.store, changes } };
    const request = { ...checkChanges(github, own.id, { entity: "issues", wait: 25 }), after: { log: "l", from: 3 } };
    const pages = await Promise.all([readFeed(waiting, request, context), readFeed(waiting, request, context)]);
    expect(pages.map(({ data }) => data.map(({ key }) => key))).toEqual([[{ id: "gone" }], [{ id: "gone" }]]);
    expect(looks).toBe(2);
  });

  it("ends without one at its time", async () => {
    const { own } = logged(log);
    const request = { ...checkChanges(github, own.id, {}), after: { log: "l", from: 7 }, wait: 1 };
    expect(await readFeed(own, request, context)).toMatchObject({ data: [], meta: { has_more: false, truncated: false } });
  });
});

describe("the end of a log", () => {
  it("is behind its last change, and the beginning where there is no store", async () => {
    const { own, asked } = logged(log);
    expect(await lastPosition(own)).toEqual({ log: "l", from: 7 });
    expect(asked).toEqual([{ from: 2 ** 52, limit: 1, entities: [] }]);
    const { instance: local } = fakeInstance(() => ({}));
    expect(await lastPosition(local)).toEqual({ log: "", from: 0 });
    const reading = readFeed(local, checkChanges(github, own.id, {}), context);
    await expect(reading).rejects.toMatchObject({ code: "context_store_unavailable" });
  });
});

describe("the key of a change", () => {
  it("has each of its fields with a value of its type, and is one text where nothing is known of the entity", () => {
    const fields = { owner: { type: "string", index: "exact" }, number: { type: "integer", index: "exact" } } as const;
    const plan = { key: ["owner", "number", "size"], fields: { ...fields, size: { type: "number", index: "exact" } } } as const;
    const key = { owner: "a/b", number: 5, size: 0.5 };
    expect(recordKey(plan, keyText(plan, key))).toEqual(key);
    expect(recordKey(undefined, "k")).toEqual({ key: "k" });
  });
});
