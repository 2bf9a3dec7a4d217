import { describe, expect, it } from "vitest";
import type { Json } from "../../simulator/client.ts";
import type { Platform } from "../../support/github/start.ts";
import { factsOf, type ListCase, paramsOf, titled, whole } from "./case.ts";
import { good, list, type Tenon } from "./service.ts";

interface Running {
  readonly platform: Platform;
  readonly tenon: Tenon;
}

/** The tests that every list must pass: default fields, all fields, and a walk that meets every record once. */
export function checkLists(running: Running, cases: readonly ListCase[]): void {
  describe.each(titled(cases, "list"))("%s", (_title, one) => {
    const action = one.action ?? "list";
    const size = (count: number) => (one.single ? {} : { [one.size ?? "per_page"]: count });
    const run = async (params: object) => good(await running.tenon.run(one.entity, action, params));

    it("gives the default fields of every record, in order", async () => {
      const facts = factsOf(running.platform);
      const expected = one.expected(facts);
      const { data, meta } = await run({ ...paramsOf(one, facts), ...size(100) });
      expect(data).toEqual(expected.slice(0, 100).map(({ defaults }) => defaults));
      checkMeta(one, meta, expected.length > 100, expected.length);
    });

    it("gives exactly the fields asked for, every one of them", async () => {
      const facts = factsOf(running.platform);
      const expected = one.expected(facts).slice(0, 100).map(whole);
      const fields = Object.keys(expected[0] ?? {});
      const { data } = await run({ ...paramsOf(one, facts), ...size(100), fields });
      expect(list(data).map((row) => Object.keys(row).sort())).toEqual(expected.map(() => [...fields].sort()));
      expect(data).toEqual(expected);
    });

    it("has no other fields", async () => {
      const facts = factsOf(running.platform);
      const [first] = one.expected(facts).map(whole);
      const reply = await running.tenon.run(one.entity, action, { ...paramsOf(one, facts), fields: ["noSuchField"] });
      expect(reply.status).toBe(422);
      expect([...list(list(reply.body["errors"])[0]?.["allowed"])].sort()).toEqual(Object.keys(first ?? {}).sort());
    });

    const sizes = one.single ? [] : (one.sizes ?? [1, 7, 100]);
    it.each(sizes)("meets every record once in pages of %i", async (count) => {
      const facts = factsOf(running.platform);
      const expected = one.expected(facts);
      const [, identify] = identity(expected[0]?.defaults ?? {});
      const met: unknown[] = [];
      let after: Json | undefined;
      for (let pages = 0; pages <= expected.length; pages++) {
        const cursor = after === undefined ? {} : { after };
        const { data, meta } = await run({ ...paramsOf(one, facts), ...size(count), ...cursor, fields: identify.fields });
        const rows = list(data);
        expect(rows.length).toBe(Math.min(count, expected.length - met.length));
        met.push(...rows);
        checkMeta(one, meta, met.length < expected.length, expected.length);
        if (String(meta?.["has_next_page"]) !== "true") break;
        after = meta?.["end_cursor"];
      }
      expect(met).toEqual(expected.map(({ defaults }) => identify.pick(defaults)));
    });
  });
}

/** The field that tells records apart, so that a walk does not read more than it needs. */
function identity(
  sample: Record<string, unknown>,
): [string, { fields: string[]; pick: (row: Record<string, unknown>) => object }] {
  const name = ["id", "sha", "name", "starredAt"].find((key) => key in sample) ?? "";
  return [name, { fields: [name], pick: (row) => ({ [name]: row[name] }) }];
}

function checkMeta(one: ListCase, meta: Json | undefined, more: boolean, total: number): void {
  const counted = one.action === "api_search" ? { total_count: total } : {};
  const cursor = more || one.cursorAlways ? expect.any(String) : null;
  expect(meta).toEqual({ has_next_page: more, end_cursor: cursor, ...counted });
}
