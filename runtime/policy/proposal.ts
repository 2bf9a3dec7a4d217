import { hash } from "node:crypto";
import { canonical, isAbandoned, type StoredProposal } from "../accounts/index.ts";
import type { FieldChange, Proposal, WholeProposal } from "../contract/index.ts";

/** What a person decides about. */
export interface ProposalContent {
  /** Who asked for the write. */
  readonly caller: { readonly id: string; readonly name: string };
  readonly connector: string;
  readonly entity: string;
  readonly action: string;
  /** As they were sent. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly changes: readonly FieldChange[];
  readonly intent: string | null;
  /** Why the policy requires an approval. */
  readonly reason: string | null;
  readonly idempotencyKey: string;
}

/** What a list shows of the content. It comes first in what is stored, because the rest may be megabytes. */
type ProposalHead = Omit<ProposalContent, "params" | "changes">;

export function hashOf(content: ProposalContent): string {
  return hash("sha256", canonical(content), "base64url").slice(0, 22);
}

/** The content as it is stored. */
export function textOf({ params, changes, ...head }: ProposalContent): string {
  return JSON.stringify({ ...head, params, changes });
}

/** Reads what a list shows, of which no text has the beginning of `params` in it: within one, quotes are escaped. */
export function headOf({ content }: Pick<StoredProposal, "content">): ProposalHead {
  const head: ProposalHead = JSON.parse(`${content.slice(0, content.indexOf(',"params":'))}}`);
  return head;
}

export function contentOf({ content }: StoredProposal): ProposalContent {
  // Only `content` of this room is stored there.
  const read: ProposalContent = JSON.parse(content);
  return read;
}

/** @param timeout milliseconds that a write may take: one that takes much longer has no end */
export function proposalOf(stored: StoredProposal, timeout: number, now = Date.now()): Proposal {
  const { connector, entity, action, caller, intent, reason, idempotencyKey } = headOf(stored);
  const { id, hash, createdAt, expiresAt, decidedBy, decidedAt } = stored;
  return {
    id,
    state: stateOf(stored, timeout, now),
    connector_id: connector,
    entity,
    action,
    proposed_by: caller,
    intent,
    reason,
    created_at: new Date(createdAt).toISOString(),
    expires_at: new Date(expiresAt).toISOString(),
    decided_by: decidedBy,
    decided_at: decidedAt === null ? null : new Date(decidedAt).toISOString(),
    hash,
    idempotency_key: idempotencyKey,
  };
}

/** @param isBlind for whom the present values of the platform are not: a caller who proposed the write and may not read */
export function wholeProposal(stored: StoredProposal, timeout: number, isBlind = false): WholeProposal {
  const { params, changes: all } = contentOf(stored);
  const changes = isBlind ? all.map(({ from: _, ...change }) => change) : all;
  const { outcome } = stored;
  return { ...proposalOf(stored, timeout), params, changes, outcome: outcome === null ? null : JSON.parse(outcome) };
}

function stateOf({ state, owner, expiresAt, decidedAt }: StoredProposal, timeout: number, now: number): Proposal["state"] {
  if (state === "pending" && expiresAt <= now) return "expired";
  const begunAt = decidedAt ?? 0;
  return state === "sending" && isAbandoned({ owner: owner ?? "", begunAt }, timeout) ? "in_doubt" : state;
}
