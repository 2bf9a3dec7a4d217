import { hasRight } from "../accounts/index.ts";
import { isErrorCode } from "../base/error-codes.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import type { Proposal } from "../contract/index.ts";
import type { ToolTask, ToolTasks } from "../mcp/host.ts";
import { type Decider, type Proposals, proposalMemory } from "../policy/index.ts";
import type { SyncTasks, TaskAsker } from "./sync-tasks.ts";

/** Milliseconds after which a client should ask again about a write that waits for a person. */
const pollInterval = 5_000;

interface TaskOptions {
  readonly syncs: SyncTasks;
  readonly proposals: Proposals;
  readonly asker: TaskAsker;
  readonly decider: Omit<Decider, "log">;
  /** The page on which writes are approved; undefined where there is none. */
  readonly page: string | undefined;
}

/** The tasks of a caller: the syncs that it has started, and the writes that it has proposed. */
export function toolTasks({ syncs, proposals, asker, decider, page }: TaskOptions): ToolTasks {
  const own = async (id: string) => {
    const found = await proposals.head(id, decider).catch((thrown: unknown) => {
      if (asTenonError(thrown).code === "unknown_proposal") return undefined;
      throw thrown;
    });
    return found?.proposal.proposed_by.id === asker.caller ? found : undefined;
  };
  return {
    sync: hasRight(asker.grant, "sync") ? (connector, body) => syncs.start(asker, connector, body) : undefined,
    find: async (id) => {
      const found = await own(id);
      return found === undefined ? syncs.find(asker, id) : taskOf(found.proposal, found.outcome, page);
    },
    cancel: async (id) => {
      if ((await own(id)) === undefined) return syncs.cancel(asker, id);
      await proposals.withdraw(id, decider);
      return true;
    },
  };
}

/** @param outcome how the write has ended, as JSON: its result, or an error */
function taskOf(proposal: Proposal, outcome: string | null, page: string | undefined): ToolTask {
  const { id, entity, action, created_at, expires_at, decided_at } = proposal;
  const createdAt = Date.parse(created_at);
  const common = {
    id,
    tool: "write",
    createdAt,
    updatedAt: Date.parse(decided_at ?? created_at),
    ttl: Date.parse(expires_at) - createdAt + proposalMemory,
    pollInterval,
  };
  const where = page === undefined ? `with tenon approve ${id}` : `at ${page}`;
  switch (proposal.state) {
    case "pending": {
      const message = `A person with another key has to approve this ${entity}.${action} until ${expires_at}, ${where}. You cannot approve it.`;
      return { ...common, status: "working", message };
    }
    case "sending":
      return { ...common, status: "working", message: "The write was approved, and is being sent." };
    case "withdrawn":
      return { ...common, status: "cancelled", message: "The write was withdrawn. Nothing was sent." };
    case "done":
      return {
        ...common,
        status: "completed",
        message: "The write was approved and is done.",
        ...(outcome === null ? {} : { result: outcome }),
      };
    default: {
      const error = errorOf(proposal, outcome);
      return { ...common, status: "completed", message: error.message, error };
    }
  }
}

/** Why a write was not done, or may not have been. */
function errorOf({ id, state }: Proposal, outcome: string | null): TenonError {
  if (state === "rejected")
    return new TenonError("write_rejected", `A person has rejected this write (proposal ${id}). Nothing was sent.`);
  if (state === "changed")
    return new TenonError(
      "target_changed",
      "What this write would change has changed, and another proposal took its place. Nothing was sent.",
    );
  if (state === "expired") return new TenonError("proposal_closed", "Nobody has decided in time. Nothing was sent.");
  const { code = "", message = "" }: { code?: string; message?: string } = outcome === null ? {} : JSON.parse(outcome);
  if (isErrorCode(code)) return new TenonError(code, message);
  return new TenonError("write_in_doubt", "The process that sent this write has ended: read whether it was done.");
}
