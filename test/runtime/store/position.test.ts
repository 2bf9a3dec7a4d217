import { expect, it } from "vitest";
import { positionAt, type SyncPosition } from "../../../runtime/store/position.ts";

it("takes what a pass has found to another place, and nothing of the place that it leaves", () => {
  const found = { pass: 7, full: true, source: "s", began: 1, newest: "n", partial: true, met: "both" } as const;
  const inList: SyncPosition = { ...found, step: 0, after: "cursor", metHead: true };
  expect(positionAt(inList, 0, { until: "n" })).toEqual({ ...found, step: 0, until: "n" });
  const amongParents = positionAt(inList, 1, { parent: "p", open: [{ key: "p", mark: null, params: {} }] });
  expect(positionAt(amongParents, 2)).toEqual({ ...found, step: 2 });
});

it("is in one place only, which the compiler checks", () => {
  const pass = { pass: 1, step: 0 } as const;
  // @ts-expect-error the cursor of a list without parents stands beside a parent
  const both: SyncPosition = { ...pass, full: true, after: "cursor", parent: "p" };
  // @ts-expect-error a list that is read again is read for its whole, and not for what is new in it
  const again: SyncPosition = { ...pass, full: true, until: "n", metHead: true };
  // @ts-expect-error a pass that reads parts of the records does not read everything
  const parts: SyncPosition = { ...pass, full: true, parts: [1] };
  expect([both, again, parts]).toHaveLength(3);
});
