import { hash } from "node:crypto";
import { canonical, isAbandoned, type ListedProposal, type StoredProposal } from "../accounts/index.ts";
import { LargeJson } from "../base/large-json.ts";
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

/** What a list shows of the content. It is stored apart, because the rest may be megabytes. */
type ProposalHead = Omit<ProposalContent, "params" | "changes">;

export function hashOf(content: ProposalContent): string {
  return hash("sha256", canonical(content), "base64url").slice(0, 22);
}

/** The content as it is stored. */
export function textsOf({ params, changes, ...head }: ProposalContent): Pick<StoredProposal, "head" | "content"> {
  return { head: JSON.stringify(head), content: JSON.stringify({ params, changes }) };
}

/** Reads what a list shows. */
export function headOf(stored: Pick<ListedProposal, "head">): ProposalHead {
  // Only texts of this room are stored there.
  const head: ProposalHead = JSON.parse(stored.head);
  return head;
}

/** Characters of a text that is parsed here: a longer one would hold up other requests. */
const parsedHere = 32 * 1024;

/** The thread of this process for those. */
const parser = new LargeJson();

/** Parses a text that a proposal has. @throws Error when it is not JSON, or the thread ends before */
async function parsed(text: string): Promise<unknown> {
  if (text.length <= parsedHere) return JSON.parse(text) as unknown;
  const found = await parser.parse(Buffer.from(text), new AbortController().signal);
  if (found === undefined) throw new Error("what is stored of a proposal is not JSON");
  return found.value;
}

export async function contentOf(stored: StoredProposal): Promise<ProposalContent> {
  const rest = (await parsed(stored.content)) as Pick<ProposalContent, "params" | "changes">;
  return { ...headOf(stored), ...rest };
}

/** @param timeout milliseconds that a write may take: one that takes much longer has no end */
export function proposalOf(stored: ListedProposal, timeout: number, now = Date.now()): Proposal {
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
export async function wholeProposal(stored: StoredProposal, timeout: number, isBlind = false): Promise<WholeProposal> {
  const { params, changes: all } = await contentOf(stored);
  const changes = isBlind ? all.map(({ from: _, ...change }) => change) : all;
  const { outcome } = stored;
  return { ...proposalOf(stored, timeout), params, changes, outcome: outcome === null ? null : await parsed(outcome) };
}

function stateOf({ state, owner, expiresAt, decidedAt }: ListedProposal, timeout: number, now: number): Proposal["state"] {
  if (state === "pending" && expiresAt <= now) return "expired";
  const begunAt = decidedAt ?? 0;
  return state === "sending" && isAbandoned({ owner: owner ?? "", begunAt }, timeout) ? "in_doubt" : state;
}
