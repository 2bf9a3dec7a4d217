import { expect, it } from "vitest";
import { warning } from "../../../runtime/contract/index.ts";
import { MisfitCounter } from "../../../runtime/sync/misfits.ts";

it("counts by field, whatever the record, so that many records with one wrong field leave room for the other fields", () => {
  const misfits = new MisfitCounter();
  for (let record = 0; record < 100; record++) misfits.add(warning(`data.${record}.id`, "unexpected_type"));
  misfits.add(warning("data.7.owner.names.2", "unlisted_value"));
  misfits.add(warning("data", "unexpected_type"));
  expect(misfits.counts).toEqual({ "id unexpected_type": 100, "owner.names unlisted_value": 1, " unexpected_type": 1 });
});
