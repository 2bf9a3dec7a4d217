import { describe, expect, it } from "vitest";
import { fullGrant, type StoredAuditEntry } from "../../../runtime/accounts/index.ts";
import { isError, visibleCalls } from "../../../runtime/admin/call-views.ts";

const entry = (number: number, requestId: string, outcome: string): StoredAuditEntry => ({
  number,
  at: 1,
  caller: "a",
  action: "issues.create",
  target: "github",
  outcome,
  requestId,
  intent: null,
  times: 1,
});

describe("the calls of the operator's page", () => {
  it("show a write that has ended once, and one that was cut off as begun, which is no error", () => {
    const entries = [
      entry(5, "failed", "not_found"),
      entry(4, "cut off", "begun"),
      entry(3, "failed", "begun"),
      entry(2, "good", "done"),
      entry(1, "good", "begun"),
    ];
    const calls = visibleCalls(entries, { grant: fullGrant, instances: new Set() });
    const shown = (views: typeof calls) => views.map(({ requestId, outcome }) => [requestId, outcome]);
    expect(shown(calls)).toEqual([
      ["failed", "not_found"],
      ["cut off", "begun"],
      ["good", "done"],
    ]);
    expect(shown(calls.filter(isError))).toEqual([["failed", "not_found"]]);
  });
});
