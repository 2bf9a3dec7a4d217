import type { ProposalState } from "../contract/proposal.ts";

/** A write that waits for the approval of a person, or did, as a list has it. All times are milliseconds since 1970. */
export interface ListedProposal {
  readonly id: string;
  /** Id of the caller who asked for the write. */
  readonly caller: string;
  /** Hash of the request, by which the same request is recognised. */
  readonly request: string;
  /** What a list shows, as JSON. */
  readonly head: string;
  /** The hash of everything that the person is shown. */
  readonly hash: string;
  readonly state: ProposalState;
  readonly createdAt: number;
  /** When it can no longer be approved. */
  readonly expiresAt: number;
  /** Id of the caller who approved or rejected it. */
  readonly decidedBy: string | null;
  readonly decidedAt: number | null;
  /** The process that sends it. */
  readonly owner: string | null;
}

/** With what may be megabytes, so that no list has it. */
export interface StoredProposal extends ListedProposal {
  /** What the person is shown beside the head, as JSON. */
  readonly content: string;
  /** How it ended, as JSON. */
  readonly outcome: string | null;
}

/** Which proposals a list has, besides their state. */
export interface ProposalChoice {
  /** Only those of this caller. */
  readonly caller?: string | undefined;
  /** Only those behind this one in the list. */
  readonly after?: Pick<ListedProposal, "id" | "createdAt"> | undefined;
}

/** What is stored of a new proposal. */
export type NewProposal = Pick<
  StoredProposal,
  "id" | "caller" | "request" | "head" | "content" | "hash" | "createdAt" | "expiresAt"
>;

/** What becomes of a pending proposal. */
export interface ProposalDecision {
  readonly state: "sending" | "rejected" | "changed" | "withdrawn";
  /** Id of the caller who decides. */
  readonly by: string;
  readonly at: number;
  readonly owner?: string | null;
  /** What takes the place of the content. */
  readonly content?: string;
}

/** How the sending of a proposal ended. `pending`: certainly nothing was sent, and it can be approved again. */
export interface ProposalEnd {
  readonly state: "done" | "failed" | "in_doubt" | "pending";
  readonly outcome: string | null;
}

/** Stores the writes that wait for an approval. */
export interface ProposalStore {
  /**
   * Stores a proposal, unless the same request of its caller is pending. Proposals that have expired before `oldest` are forgotten.
   *
   * @param most proposals of one caller that may be pending
   * @returns the one that is pending now; undefined when the caller has too many
   */
  addProposal(proposal: NewProposal, most: number, oldest: number): Promise<StoredProposal | undefined>;
  proposal(id: string): Promise<StoredProposal | undefined>;
  /** The latest proposal of a request that is pending or was rejected, and has not expired. */
  proposalOf(caller: string, request: string, now: number): Promise<StoredProposal | undefined>;
  /**
   * The latest proposals, the latest first, at most so many.
   *
   * @param state only those; `pending` leaves out what has expired
   */
  proposals(state: ProposalState | undefined, now: number, limit: number, choice?: ProposalChoice): Promise<ListedProposal[]>;
  /**
   * Decides about a pending proposal that has not expired. Only its own caller may withdraw it, and only others may decide otherwise.
   *
   * @returns false when there is none, or somebody would decide who may not
   */
  decideProposal(id: string, decision: ProposalDecision): Promise<boolean>;
  /** Stores how the sending ended that this owner has begun. */
  endProposal(id: string, owner: string, end: ProposalEnd): Promise<void>;
}
