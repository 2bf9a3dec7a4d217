import { expect, it } from "vitest";
import { type Checkpoint, checkpointAt } from "../../../runtime/store/checkpoint.ts";

it("takes what a sync run has found to another place, and nothing of the place that it leaves", () => {
  const found = { run: 7, full: true, source: "s", began: 1, newest: "n", partial: true, childAccess: "both" } as const;
  const inList: Checkpoint = { ...found, step: 0, after: "cursor", sawNewestKnown: true };
  expect(checkpointAt(inList, 0, { until: "n" })).toEqual({ ...found, step: 0, until: "n" });
  const amongParents = checkpointAt(inList, 1, { parent: "p", open: [{ key: "p", marker: null, params: {} }] });
  expect(checkpointAt(amongParents, 2)).toEqual({ ...found, step: 2 });
});

it("is in one place only, which the compiler checks", () => {
  const run = { run: 1, step: 0 } as const;
  // @ts-expect-error the cursor of a list without parents stands beside a parent
  const both: Checkpoint = { ...run, full: true, after: "cursor", parent: "p" };
  // @ts-expect-error a list that is read again is read for its whole, and not for what is new in it
  const again: Checkpoint = { ...run, full: true, until: "n", sawNewestKnown: true };
  // @ts-expect-error a sync run that reads partitions of the records does not read everything
  const partitions: Checkpoint = { ...run, full: true, partitions: [1] };
  expect([both, again, partitions]).toHaveLength(3);
});
