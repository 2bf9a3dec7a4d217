import { expect, it } from "vitest";
import { layoutOf } from "../../../../runtime/store/postgres/tables/layout.ts";
import { WordStatistics } from "../../../../runtime/store/postgres/words/word-counts.ts";
import { searchPlan } from "../../../support/search-records.ts";

it("estimates how many records have words, of which the statistics list only the most common ones", async () => {
  // A thousand records have ten words each that are not listed, of a thousand such words.
  const statistics = { tokens: ["1", "2"], shares: [0.5, 0.1, 0.1, 0.5], records: 1_000, each: 10.6, words: 4_008, own: 0.25 };
  const queries = { query: async <Row extends object>() => [statistics] as Row[] };
  const layout = layoutOf("test", "things", searchPlan);
  const words = layout.columns.get("body")?.words ?? { field: "", name: '""', number: 0 };
  const counts = await new WordStatistics().counts(queries, layout, words);
  const rare = (count: number) => Array.from({ length: count }, (_, index) => BigInt(100 + index));
  expect(counts.ofAny([1n])).toBe(500);
  expect(counts.ofAny([1n, 2n])).toBe(600);
  // One word may be nearly as common as a listed one, but not each of twenty.
  expect(counts.ofAny(rare(1))).toBe(50);
  expect(counts.ofAny([1n, ...rare(1)])).toBe(550);
  expect(counts.ofAny(rare(20))).toBeCloseTo(200);
  expect(counts.ofAny(rare(900))).toBe(1_000);
});
