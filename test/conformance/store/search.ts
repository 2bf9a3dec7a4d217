import { expect } from "vitest";
import type { StoreSearch } from "../../../runtime/store/store.ts";
import { type Case, checkpoint, collection, expectLimits, found, instance, kept, page, parts, records, whole } from "./case.ts";

// What a store answers to a search. What a search finds has cases of its own, in `../search.ts`.

const memos = { ...instance, entity: "memos", scope: "all" };

export const search: readonly Case[] = [
  [
    "finds nothing where nothing was saved",
    async (store) => {
      const answer = await store.search(collection, whole, performance.now() + 100_000);
      expect({ ...answer, json: Buffer.from(answer.json).toString() }).toEqual({
        json: "[]",
        more: false,
        last: undefined,
        syncedAt: null,
        sync: { scopes: 0, reported: [], schedule: null, misfits: {} },
        unlisted: [],
      });
      const counted = await store.search(collection, { ...whole, count: true }, performance.now() + 100_000);
      expect([Buffer.from(counted.json).toString(), counted.total]).toEqual(["[]", 0]);
      const never = { ...collection, instance: "never" };
      const none = await store.search(never, { ...whole, count: true }, performance.now() + 100_000);
      expect([Buffer.from(none.json).toString(), none.total]).toEqual(["[]", 0]);
    },
  ],
  [
    "says whether there is more, where the last record stands, and goes on behind that",
    async (store) => {
      await store.save(collection, page("abc"));
      const sort = [{ field: "title", direction: "desc" }] as const;
      const first = await store.search(collection, { ...whole, sort, limit: 2 }, performance.now() + 100_000);
      expect(first).toMatchObject({ more: true, last: ["Title of b", "b"] });
      expect(await found(store, { sort, limit: 2, ...(first.last === undefined ? {} : { after: first.last }) })).toBe("a");
    },
  ],
  ...[
    { size: 100_000, pages: 3 },
    { size: 700_000, pages: 14 },
  ].map(
    ({ size, pages }): Case => [
      `gives no more bytes than were requested, but at least one record, of records with ${size} each`,
      async (store) => {
        const bytes = 512 * 1024;
        const ids = Array.from({ length: 14 }, (_, at) => String(at + 10));
        // Bytes without words: a store takes far longer for words, which other tests are about.
        const body = "word".padEnd(size);
        await store.save(memos, { records: ids.map((id) => ({ id, body, size: 1, colours: [] })), checkpoint: checkpoint(1) });
        for (const query of [
          {},
          {
            fields: new Map([
              ["id", null],
              ["body", null],
            ]),
          },
          { limit: 1000 },
        ]) {
          const walked: string[] = [];
          let asked = 0;
          for (let after: StoreSearch["after"]; ; asked++) {
            const one = { ...whole, ...query, bytes, ...(after === undefined ? {} : { after }) };
            const { json, more, last } = await store.search(memos, one, performance.now() + 100_000);
            expect(json.length).toBeLessThanOrEqual(Math.max(bytes, size + 1000));
            walked.push(...(JSON.parse(Buffer.from(json).toString()) as { id: string }[]).map(({ id }) => id));
            after = last;
            if (!more) break;
          }
          expect([walked, asked + 1]).toEqual([ids, pages]);
        }
      },
    ],
  ),
  [
    "gives the searchable fields, or those that were requested",
    async (store) => {
      await store.save(collection, page("a"));
      const answered = async (fields: StoreSearch["fields"]) => {
        const { json } = await store.search(collection, { ...whole, fields }, performance.now() + 100_000);
        return JSON.parse(Buffer.from(json).toString());
      };
      expect(await answered(null)).toEqual([{ id: "a", title: "Title of a" }]);
      expect(await answered(new Map([["size", null]]))).toEqual([{ size: 1 }]);
    },
  ],
  [
    "counts all records that match, and groups them, the largest group first",
    async (store) => {
      const on = { ...collection, entity: "lights" };
      const light = (id: string, colour: string | null) => ({ id, colour });
      const colours = ["green", "red", "red", null, "green", null];
      await store.save(on, { records: colours.map((colour, at) => light(`${at}`, colour)), checkpoint: checkpoint(1) });
      const asked = async (query: Partial<StoreSearch>) => {
        const { json, total, more } = await store.search(on, { ...whole, count: true, ...query }, performance.now() + 100_000);
        return { data: JSON.parse(Buffer.from(json).toString()), total, more };
      };
      const filter = { kind: "test", operator: "eq", field: "colour", operand: "red" } as const;
      expect(await asked({ limit: 1 })).toMatchObject({ total: 6, more: true });
      expect(await asked({ limit: 1, filter })).toMatchObject({ total: 2, more: true });
      expect(await asked({ groupBy: ["colour"] })).toEqual({
        data: [
          { colour: "green", count: 2 },
          { colour: "red", count: 2 },
          { colour: null, count: 2 },
        ],
        total: 6,
        more: false,
      });
      expect(await asked({ groupBy: ["colour", "id"], filter, limit: 1 })).toEqual({
        data: [{ colour: "red", id: "1", count: 1 }],
        total: 2,
        more: true,
      });
      const { plan } = await store.search(on, { ...whole, groupBy: ["colour"], explain: true }, performance.now() + 100_000);
      expect(plan).toMatchObject({ driver: expect.any(String) });
    },
  ],
  [
    "gives no groups where there are more than a thousand, and says so",
    async (store) => {
      const ids = Array.from({ length: 1001 }, (_, at) => `${at}`);
      await store.save(collection, { records: records(...ids), checkpoint: checkpoint(1) });
      const answer = await store.search(collection, { ...whole, groupBy: ["id"] }, performance.now() + 100_000);
      expect([Buffer.from(answer.json).toString(), answer.tooManyGroups]).toEqual(["[]", true]);
    },
  ],
  [
    "names the values of its records that an enumeration does not list, as long as records have them",
    async (store) => {
      const on = { ...collection, entity: "lights" };
      const light = (id: string, colour: string | null) => ({ id, colour });
      const unlisted = async (query: Partial<StoreSearch> = {}) =>
        (await store.search(on, { ...whole, ...query }, performance.now() + 100_000)).unlisted;
      await store.save(on, { records: [light("a", "red"), light("b", null)], checkpoint: checkpoint(1) });
      expect(await unlisted()).toEqual([]);
      await store.save(on, { records: [light("c", "blue"), light("d", "amber")], checkpoint: checkpoint(1) });
      expect(await unlisted()).toEqual([
        { field: "colour", value: "amber" },
        { field: "colour", value: "blue" },
      ]);
      expect(await unlisted({ limit: 3 })).toEqual([{ field: "colour", value: "blue" }]);
      await store.save(on, { records: [light("e", "")], checkpoint: checkpoint(1) });
      expect(await unlisted()).toContainEqual({ field: "colour", value: "" });
      const more = Array.from({ length: 30 }, (_, at) => light(`x${at + 10}`, `x${at + 10}`));
      await store.save(on, { records: more, checkpoint: checkpoint(1) });
      // One more than warnings name, so that the answer can say that there are more; and the last of all, where it is asked for.
      expect(await unlisted()).toHaveLength(21);
      expect(await unlisted({ sort: [{ field: "id", direction: "desc" }], limit: 1 })).toEqual([
        { field: "colour", value: "x39" },
      ]);
      await store.save(on, { records: more.map(({ id }) => light(id, "red")), checkpoint: checkpoint(1) });
      await store.save(on, { records: [light("e", null)], checkpoint: checkpoint(1) });
      expect(await unlisted({ fields: new Map([["id", null]]) })).toEqual([]);
      await store.save(on, { records: [light("c", "green"), light("d", "green")], checkpoint: checkpoint(1) });
      expect(await unlisted()).toEqual([]);
    },
  ],
  [
    "names such values of the elements of lists too",
    async (store) => {
      const on = { ...collection, entity: "chains" };
      const chain = (id: string, ...colours: readonly string[]) => ({ id, colours: colours.map((name) => ({ name })) });
      const unlisted = async (query: Partial<StoreSearch> = {}) =>
        (await store.search(on, { ...whole, ...query }, performance.now() + 100_000)).unlisted;
      await store.save(on, { records: [chain("a", "red", "green"), chain("b")], checkpoint: checkpoint(1) });
      expect(await unlisted()).toEqual([]);
      await store.save(on, { records: [chain("c", "green", "blue"), chain("d", "amber", "blue")], checkpoint: checkpoint(1) });
      expect(await unlisted()).toEqual([
        { field: "colours", value: "amber" },
        { field: "colours", value: "blue" },
      ]);
      expect(await unlisted({ limit: 3 })).toEqual([{ field: "colours", value: "blue" }]);
      expect(await unlisted({ fields: new Map([["id", null]]) })).toEqual([]);
      await store.save({ ...on, instance: "two" }, { records: [chain("e", "grey")], checkpoint: checkpoint(1) });
      expect((await unlisted()).length).toBe(2);
      await store.save(on, { records: [chain("c", "red"), chain("d")], checkpoint: checkpoint(1) });
      expect(await unlisted()).toEqual([]);
    },
  ],
  [
    "finds no record of another instance or entity",
    async (store) => {
      await store.save(collection, page("a"));
      await store.save({ ...collection, instance: "two" }, page("b"));
      await store.save(parts, page("c"));
      expect(await found(store)).toBe("a");
      expect(await found(store, {}, { ...collection, instance: "three" })).toBe("");
    },
  ],
  [
    "says how old its answer is: null until every scope was complete once",
    async (store) => {
      const age = async () => (await store.search(collection, whole, performance.now() + 100_000)).syncedAt;
      await store.save(collection, page("a"));
      expect(await age()).toBeNull();
      await store.finish(collection, checkpoint(1), kept);
      expect(Date.parse((await age()) ?? "")).toBeLessThanOrEqual(Date.now());
      await store.save({ ...collection, scope: "other" }, page("b"));
      expect(await age()).toBeNull();
    },
  ],
  [
    "tells its plan when asked",
    async (store) => {
      await store.save(collection, page("a"));
      const { plan } = await store.search(collection, { ...whole, explain: true }, performance.now() + 100_000);
      expect(plan).toMatchObject({ driver: expect.any(String), indexes: expect.any(Array), steps: expect.any(Array) });
    },
  ],
  [
    "ends at its deadline, and when its caller has gone, who learns how long it worked",
    async (store) => {
      await store.save(collection, page("a"));
      await expectLimits((...limits) => store.search(collection, whole, ...limits));
    },
  ],
];
