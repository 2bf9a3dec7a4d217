/**
 * How far a proposal is. `sending`: somebody has approved it, and it is being sent, or the process that sent it has ended. `changed`: the
 * target has changed, so that another proposal took its place. `withdrawn`: its own caller no longer wants it.
 */
export const proposalStates = ["pending", "sending", "done", "failed", "in_doubt", "rejected", "changed", "withdrawn"] as const;
export type ProposalState = (typeof proposalStates)[number];

/** What a write does to one field. A member is absent where the value is not known, or the write does not set it. */
export interface FieldChange {
  readonly field: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** A write that waits for the approval of a person, or did, as callers see it. Times are ISO 8601. */
export interface Proposal {
  readonly id: string;
  readonly state: ProposalState | "expired";
  readonly connector_id: string;
  readonly entity: string;
  readonly action: string;
  readonly proposed_by: { readonly id: string; readonly name: string };
  readonly intent: string | null;
  readonly reason: string | null;
  readonly created_at: string;
  readonly expires_at: string;
  readonly decided_by: string | null;
  readonly decided_at: string | null;
  /** Hash of everything that is shown; whoever approves repeats it. */
  readonly hash: string;
  readonly idempotency_key: string;
}

/** A proposal with all that a person has to see before they approve it, and with its outcome. */
export interface WholeProposal extends Proposal {
  readonly params: Readonly<Record<string, unknown>>;
  readonly changes: readonly FieldChange[];
  /** What the write responded, or the code and the message of the error that it ended with. */
  readonly outcome: unknown;
}
