import { expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import type { SyncState } from "../../../runtime/store/store.ts";
import { checkEntities } from "../../../runtime/sync/entity-check.ts";
import { readScopes } from "../../../runtime/sync/index.ts";
import { syncStatus } from "../../../runtime/sync/status.ts";
import { standIn } from "../../support/shaped.ts";

it("a scope that the platform no longer has is gone, except while a sync run reads it", () => {
  const checkpoint = standIn<NonNullable<SyncState["checkpoint"]>>({ full: true, step: 0 });
  const state = standIn<SyncState>({ scope: "repository=o/r", entity: "issues", problem: "not_found", checkpoint, notes: {} });
  const status = (running: boolean, more: Partial<SyncState> = {}) =>
    syncStatus(github, [{ ...state, ...more }], { schedule: null, running, now: 0 })[0];
  expect(status(false)).toMatchObject({ state: "gone", next_sync_at: null });
  expect(status(true)).toMatchObject({ state: "running" });
  expect(status(false, { problem: null })).toMatchObject({ state: "interrupted" });
});

it("an entity that none of the scopes fills is refused, with the kinds of scopes that do", () => {
  const scopes = readScopes(github, ["user=octocat"]);
  expect(() => checkEntities(github, ["issues"], scopes)).toThrow(
    expect.objectContaining({
      faults: [
        {
          ...{ pointer: "/entities/0", code: "no_scope", message: "None of the given scopes fills issues." },
          allowed: ["repository"],
        },
      ],
    }),
  );
  expect(checkEntities(github, ["issues"], readScopes(github, ["repository=o/r"]))).toBeUndefined();
});
