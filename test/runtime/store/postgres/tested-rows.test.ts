import { describe, expect, it } from "vitest";
import { github } from "../../../../generated/github/index.ts";
import type { Queries } from "../../../../runtime/postgres/index.ts";
import type { Condition } from "../../../../runtime/search/index.ts";
import { raw } from "../../../../runtime/sql/index.ts";
import { findRows, type SearchLimits } from "../../../../runtime/store/postgres/search/find.ts";
import { layoutOf, wideColumns } from "../../../../runtime/store/postgres/tables/layout.ts";
import { turnsDuring } from "../../../support/turns.ts";

const layout = layoutOf("github", "issues", github.entities["issues"]?.store ?? { fields: {}, key: [] });
const body = "lorem ipsum dolor ".repeat(4_000);

/** A database whose records all have to be tested, each with a long text. */
function databaseWith(count: number): Pick<Queries, "each"> {
  const wide = wideColumns(layout).map(({ field }) => (field === "body" ? body : null));
  const texts = Object.fromEntries(wide.map((text, at) => [`w${at}`, text]));
  const rows = Array.from({ length: count }, (_, at) => ({ k: `${at}`, found: "{}", ...texts }));
  return { each: async (_statement, make) => rows.map((row) => make(row as never)) };
}

const like = (text: string): Condition => ({ kind: "test", operator: "like", field: "body", operand: `%${text}%` });
const patterns = Array.from({ length: 20 }, (_, at) => like(`a_b${at}`));
const patient = { deadline: Number.POSITIVE_INFINITY };

function find(count: number, limits: SearchLimits) {
  const conditions: Condition[] = [{ kind: "or", conditions: patterns }];
  const where = { sql: raw("TRUE"), exact: false };
  const wanted = {
    layout,
    conditions,
    where,
    sort: [],
    after: undefined,
    need: 10,
    bytes: 2 ** 20,
    whole: false,
    byWords: false,
  };
  return findRows(databaseWith(count) as Queries, wanted, limits, () => "made");
}

describe("records that are tested in this process", () => {
  it("leave a turn to other work after each long text", async () => {
    expect(await turnsDuring(find(5, patient))).toBeGreaterThanOrEqual(5 * patterns.length);
  });

  it("are tested by one search in each turn, however many searches there are", async () => {
    const searches = Array.from({ length: 4 }, (_, at) =>
      find(2, { ...patient, caller: { id: `caller ${at}`, worked: () => undefined } }),
    );
    expect(await turnsDuring(Promise.all(searches))).toBeGreaterThanOrEqual(4 * 2 * patterns.length);
  });

  it("are tested no longer than somebody waits for the answer", async () => {
    await expect(find(5, { deadline: 0 })).rejects.toMatchObject({ code: "search_timeout" });
    await expect(find(5, { ...patient, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "search_timeout" });
  });
});
