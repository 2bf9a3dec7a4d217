import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { binaryArray, binaryHalves } from "../../../runtime/postgres/index.ts";
import { type Sql, sql } from "../../../runtime/sql/index.ts";
import { anyCharacter } from "../../support/any-character.ts";
import { usePglite } from "../../support/postgres/use-pglite.ts";

describe("arrays in the binary form", () => {
  const place = usePglite();

  /** What the server has got. */
  async function given(array: Sql): Promise<unknown> {
    const [row] = await place.database.query<{ items: string; count: number }>(
      sql`SELECT to_json(a) AS items, cardinality(a) AS count FROM (SELECT ${array} AS a) AS given`,
    );
    return [JSON.parse(row?.items ?? ""), row?.count];
  }

  it("have the same items on the server, whatever characters they have, and nulls", async () => {
    // The server's text cannot hold U+0000.
    const text = fc.string({ unit: anyCharacter, maxLength: 20 }).map((one) => one.replaceAll("\0", ""));
    const lists = fc.array(fc.option(text), { maxLength: 10 });
    for (const list of fc.sample(lists, { seed: 5, numRuns: 40 }))
      expect(await given(sql`${binaryArray("text", list)}::text[]`)).toEqual([list, list.length]);
  });

  it.each([
    ["no items", sql`${binaryArray("text", [])}::text[]`, []],
    ["booleans", sql`${binaryArray("boolean", [true, null, false])}::boolean[]`, [true, null, false]],
    ["integers", sql`${binaryArray("integer", [0, -(2 ** 31), 2 ** 31 - 1])}::integer[]`, [0, -(2 ** 31), 2 ** 31 - 1]],
    ["numbers", sql`${binaryArray("double precision", [0.1, null, -1e300])}::double precision[]`, [0.1, null, -1e300]],
    ["bigints", sql`${binaryArray("bigint", [-(2n ** 53n) + 1n, null, 7n])}::bigint[]`, [-(2 ** 53) + 1, null, 7]],
    ["halves of bigints", sql`${binaryHalves([[0, -1, -1, -7], [], [2, 3]])}::bigint[]`, [2 ** 32 - 1, -7, 2 * 2 ** 32 + 3]],
    ["no halves", sql`${binaryHalves([[]])}::bigint[]`, []],
  ])("can have %s", async (_, array, items) => {
    expect(await given(array)).toEqual([items, items.length]);
  });
});
