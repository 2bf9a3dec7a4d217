import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinedPage, partsOf } from "../../../../runtime/store/sqlite/write/page-parts.ts";
import type { ListPage, Page } from "../../../../runtime/store/store.ts";

const checkpoint = { run: 1, full: true, step: 0 };

/** What a store does with a page: a place for each record, and the parents that are done, in their order. */
function meaningOf({ checkpoint: _, others = [], ...first }: Page): string[] {
  return [first, ...others].flatMap(({ records, parent, parentDone }) => [
    ...records.map(({ id }) => `${String(id)} below ${parent}`),
    ...(parentDone === undefined ? [] : [`done: ${JSON.stringify(parentDone)}`]),
  ]);
}

describe("a page in parts", () => {
  it("says the same as the page, and no part has more than 200 records", () => {
    let ids = 0;
    const list: fc.Arbitrary<ListPage> = fc
      .record({
        count: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 150, max: 700 })),
        parent: fc.option(fc.constantFrom("p", "q"), { nil: undefined }),
        done: fc.boolean(),
      })
      .map(({ count, parent, done }) => ({
        records: Array.from({ length: count }, () => ({ id: `r${ids++}` })),
        ...(parent === undefined ? {} : { parent }),
        ...(parent === undefined || !done ? {} : { parentDone: { key: parent, marker: "m" } }),
      }));
    fc.assert(
      fc.property(fc.array(list, { minLength: 1, maxLength: 8 }), ([first = { records: [] }, ...others]) => {
        const page = { ...first, others, checkpoint };
        const parts = partsOf(page);
        expect(parts.every((lists) => lists.reduce((sum, { records }) => sum + records.length, 0) <= 200)).toBe(true);
        expect(meaningOf(joinedPage(parts, checkpoint))).toEqual(meaningOf(page));
      }),
      { numRuns: 100, seed: 1 },
    );
  });
});
