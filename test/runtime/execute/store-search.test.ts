import { describe, expect, it } from "vitest";
import type { StoreAnswer } from "../../../runtime/store/store.ts";
import { fakeInstance, run } from "../../support/fake-instance.ts";

/** A search of issues in a store that answers this. */
async function metaOf(answer: Partial<StoreAnswer>, query: object = {}) {
  const { instance } = fakeInstance(() => ({}));
  const found: StoreAnswer = {
    json: Buffer.from("[]"),
    more: false,
    last: undefined,
    syncedAt: null,
    unlisted: [],
    ...answer,
  };
  const store: typeof instance.store = {
    search: async () => found,
    states: async () => [],
    leased: async () => false,
    schedule: async () => null,
  };
  const request = { entity: "issues", action: "context_store_search", params: { query } };
  return (await run({ ...instance, store }, request)).meta;
}

describe("a cached search", () => {
  it("warns of values that its records have and their enumeration does not list", async () => {
    expect((await metaOf({ unlisted: [{ field: "state", value: "frozen" }] })).warnings).toEqual([
      { path: "data", code: "unlisted_value", message: 'state has the value "frozen", which is not one of closed, open.' },
    ]);
  });

  it("has no warnings where there is nothing to warn of, and those of the filter first", async () => {
    expect(await metaOf({})).not.toHaveProperty("warnings");
    const { warnings } = await metaOf({ unlisted: [{ field: "state", value: "frozen" }] }, { filter: { eq: { state: "OPEN" } } });
    expect(warnings?.map(({ code }) => code)).toEqual(["unknown_value", "unlisted_value"]);
  });
});
