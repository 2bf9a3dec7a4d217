import { describe, expect, it } from "vitest";
import { fullGrant } from "../../../runtime/accounts/index.ts";
import { TenonError } from "../../../runtime/base/errors.ts";
import type { Proposal } from "../../../runtime/contract/index.ts";
import type { Proposals } from "../../../runtime/policy/index.ts";
import type { SyncTasks } from "../../../runtime/server/sync-tasks.ts";
import { toolTasks } from "../../../runtime/server/tool-tasks.ts";
import { shaped, standIn } from "../../support/shaped.ts";

const proposed = (state: Proposal["state"]) =>
  shaped<Proposal>({
    ...{ id: "prp_1", entity: "issues", action: "create", state, proposed_by: { id: "agent" } },
    ...{ created_at: "2026-01-01T00:00:00.000Z", expires_at: "2026-01-02T00:00:00.000Z", decided_at: null },
  });

/** The tasks of a caller who has proposed a write. @param outcome how it has ended, as it is stored */
function tasksOf(
  state: Proposal["state"],
  outcome: string | null,
  { caller = "agent", page = undefined as string | undefined } = {},
) {
  const withdrawn: string[] = [];
  const proposals = shaped<Proposals>({
    head: async (id: string) => {
      if (id !== "prp_1") throw new TenonError("unknown_proposal", "There is none.");
      return { proposal: proposed(state), outcome };
    },
    withdraw: async (id: string) => withdrawn.push(id) > 0,
  });
  const syncs = standIn<SyncTasks>({ find: async () => undefined, cancel: async () => false });
  const asker = { caller, grant: fullGrant };
  const tasks = toolTasks({ ...{ syncs, proposals, page, decider: shaped({}) }, asker: shaped(asker) });
  return { tasks, withdrawn };
}

describe("the task of a write that waits for an approval", () => {
  const gone = { code: "write_in_doubt", message: expect.stringContaining("The process that sent this write has ended") };

  it.each<[state: Proposal["state"], outcome: string | null, task: object]>([
    ["pending", null, { status: "working", message: expect.stringMatching(/issues\.create.*with tenon approve prp_1/) }],
    ["sending", null, { status: "working", message: "The write was approved, and is being sent." }],
    ["withdrawn", null, { status: "cancelled", message: "The write was withdrawn. Nothing was sent." }],
    ["done", '{"data":1}', { status: "completed", result: '{"data":1}' }],
    ["rejected", null, { status: "completed", error: expect.objectContaining({ code: "write_rejected" }) }],
    ["changed", null, { status: "completed", error: expect.objectContaining({ code: "target_changed" }) }],
    ["expired", null, { status: "completed", error: expect.objectContaining({ code: "proposal_closed" }) }],
    [
      "failed",
      '{"code":"platform_rejected","message":"No."}',
      { status: "completed", message: "No.", error: expect.objectContaining({ code: "platform_rejected", message: "No." }) },
    ],
    ["failed", '{"code":"of another version","message":"No."}', { status: "completed", error: expect.objectContaining(gone) }],
    ["failed", null, { status: "completed", error: expect.objectContaining(gone) }],
  ])("says how far it is: %s, with the outcome %j", async (state, outcome, task) => {
    expect(await tasksOf(state, outcome).tasks.find("prp_1")).toMatchObject({ id: "prp_1", tool: "write", ...task });
  });

  it("names the page where it is approved, if there is one", async () => {
    const { tasks } = tasksOf("pending", null, { page: "https://tenon.example/approvals" });
    expect((await tasks.find("prp_1"))?.message).toContain("at https://tenon.example/approvals.");
  });

  it("can be withdrawn by its own caller alone, and does not exist for another", async () => {
    const own = tasksOf("pending", null);
    expect([await own.tasks.cancel("prp_1"), own.withdrawn]).toEqual([true, ["prp_1"]]);
    const other = tasksOf("pending", null, { caller: "other" });
    expect([await other.tasks.cancel("prp_1"), await other.tasks.find("prp_1"), other.withdrawn]).toEqual([false, undefined, []]);
    expect(await own.tasks.find("prp_2")).toBeUndefined();
  });
});
