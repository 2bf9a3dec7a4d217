import { describe, expect, it } from "vitest";
import { statusTable } from "../../../runtime/cli/sync/sync-status.ts";
import type { EntityStatus } from "../../../runtime/sync/index.ts";

const complete: EntityStatus = {
  scope: "repository=octocat/hello-world",
  entity: "issues",
  state: "complete",
  records: 120,
  hidden: 0,
  repeated: 0,
  misfits: {},
  synced_at: "2026-01-31T09:30:59.999Z",
  full_sync_at: null,
  calls: null,
  points: null,
  verified_at: null,
  verification: null,
  next_sync_at: "2026-01-31T10:30:00.000Z",
  position: null,
  problem: null,
};

describe("the table of what is cached", () => {
  it("has a line for each entity, with times to the minute", () => {
    expect(
      statusTable([complete, { ...complete, entity: "tags", records: 3, synced_at: null, state: "never", next_sync_at: null }]),
    ).toBe(
      [
        "scope                           entity  records  synced             verified  state     next sync",
        "repository=octocat/hello-world  issues  120      2026-01-31 09:30Z  never     complete  2026-01-31 10:30Z",
        "repository=octocat/hello-world  tags    3        never              never     never",
        "",
      ].join("\n"),
    );
    expect(statusTable([])).toBe("Nothing has been synced yet.\n");
  });

  it("says below the table what went wrong, each problem of a scope once, and what the platform forbids", () => {
    const problem = { code: "platform_forbidden", message: "The token may not read this." } as const;
    const failed: EntityStatus = { ...complete, state: "failed", problem };
    const lines = statusTable([
      failed,
      { ...failed, entity: "tags" },
      { ...complete, hidden: 1 },
      { ...complete, entity: "tags", hidden: 2 },
      { ...complete, misfits: { "number unexpected_type": 3, "state unlisted_value": 1 } },
    ]).split("\n");
    expect(lines.slice(6)).toEqual([
      "",
      "repository=octocat/hello-world: The token may not read this.",
      expect.stringMatching(/^repository=octocat\/hello-world issues: .* belongs to one record\./),
      expect.stringMatching(/^repository=octocat\/hello-world tags: .* belongs to 2 records\./),
      "repository=octocat/hello-world issues: The platform sent values that do not fit the spec, by field: number (unexpected_type): 3, state (unlisted_value): 1. They are kept as they are.",
      "",
    ]);
  });
});
