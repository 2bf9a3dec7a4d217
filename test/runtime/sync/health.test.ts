import { describe, expect, it } from "vitest";
import { storedProblem } from "../../../runtime/store/problem-text.ts";
import { type EntityStatus, scopeHealth } from "../../../runtime/sync/index.ts";

const now = Date.UTC(2026, 0, 2);
const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString();

function status(scope: string, entity: string, more: Partial<EntityStatus> = {}): EntityStatus {
  return {
    scope,
    entity,
    state: "complete",
    records: 2,
    hidden: 0,
    synced_at: ago(1),
    full_sync_at: null,
    calls: null,
    points: null,
    verified_at: null,
    verification: null,
    position: null,
    problem: null,
    repeated: 0,
    misfits: {},
    next_sync_at: ago(-1),
    ...more,
  };
}

describe("the health of scopes", () => {
  const refused = { state: "failed", problem: storedProblem("platform_unauthorized"), synced_at: ago(5) } as const;
  const schedule = { scopes: [], minutes: 60, startedAt: null, due: null };

  it("is that of their worst entities, the worst scope first, with the reason that most of these have", () => {
    const all = [
      status("a", "issues"),
      status("b", "issues", { ...refused, misfits: { "number unexpected_type": 3, "title unexpected_type": 1 } }),
      status("b", "labels", { ...refused, synced_at: ago(7) }),
      status("b", "tags", { state: "failed", problem: storedProblem("platform_failed") }),
      status("b", "users", { misfits: { "login unexpected_type": 2 } }),
      status("c", "issues", { synced_at: ago(3) }),
      status("d", "issues", { state: "gone", problem: storedProblem("not_found") }),
    ];
    const found = scopeHealth(all, schedule, now);
    expect(found.map(({ scope, state, troubled, entities }) => [scope, state, troubled, entities])).toEqual([
      ["b", "failed", 3, 4],
      ["d", "gone", 1, 1],
      ["c", "stale", 1, 1],
      ["a", "ok", 0, 1],
    ]);
    expect(found[0]).toMatchObject({ since: ago(7), records: 8, misfits: 6, problem: { code: "platform_unauthorized" } });
  });

  it("is not bad where a sync run was only cut off, and not stale where nothing is on a schedule", () => {
    const cutOff = status("a", "issues", { problem: storedProblem("shutting_down"), state: "interrupted" });
    expect(scopeHealth([cutOff], schedule, now)[0]).toMatchObject({ state: "ok" });
    const unscheduled = status("a", "issues", { synced_at: ago(99), next_sync_at: null });
    expect(scopeHealth([unscheduled], schedule, now)[0]).toMatchObject({ state: "ok" });
  });
});
