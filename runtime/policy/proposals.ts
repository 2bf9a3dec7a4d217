import { hash, randomBytes } from "node:crypto";
import {
  type AccountStore,
  type Caller,
  canonical,
  hasRight,
  type ListedProposal,
  mayUseEntity,
  newOwner,
  type ProposalEnd,
  type StoredProposal,
} from "../accounts/index.ts";
import { asTenonError, shown, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { Rounds } from "../base/rounds.ts";
import type { Action, Proposal, ProposalState, WholeProposal } from "../contract/index.ts";
import { type ConnectorInstance, checkRequest, executeChecked, type GuardedWrite, resultText } from "../execute/index.ts";
import { changesNothing, changesOf, isWithoutEffect } from "./current-values.ts";
import { changedFields } from "./policy.ts";
import { contentOf, hashOf, headOf, type ProposalContent, proposalOf, textsOf, wholeProposal } from "./proposal.ts";
import { endOf, writeOnce } from "./write-once.ts";

/** Proposals of one caller that may be pending, and that a list has. */
const mostPending = 20;
const mostListed = 100;
/** Proposals among which a list looks for those that its caller may see. */
const mostLooked = 1_000;
/** How many of them are read at once, and milliseconds between two readings. */
const readAtOnce = 20;
const readPause = 10;
/** Milliseconds for which a proposal is kept after it has expired. */
export const proposalMemory = 30 * 86_400_000;

export interface ProposalsOptions {
  readonly store: AccountStore;
  /** Milliseconds that a proposal can be approved. */
  readonly lifetime: number;
  /** Milliseconds that a write may take. */
  readonly timeout: number;
  /** Whether the audit log has an entry for each proposal and decision. */
  readonly audits: boolean;
  /** Tells somebody that a proposal waits. It does not fail. */
  readonly notify?: ((proposal: Proposal, log: Logger) => void) | undefined;
}

/** Who decides, and with what. */
export interface Decider {
  readonly caller: Pick<Caller, "id" | "name" | "grant">;
  /** Finds the instance for the caller. @throws TenonError where the caller may not see it */
  readonly find: (id: string) => Promise<ConnectorInstance>;
  readonly log: Logger;
  readonly requestId: string;
}

/** Keeps the writes that wait for the approval of a person, and sends those that one has approved: each once. */
export class Proposals {
  readonly #options: ProposalsOptions;
  /** The hash of the write that each approval is for. An approval is good once, in this process only. */
  readonly #approvals = new WeakMap<object, string>();
  readonly #readings = new Rounds({ most: 1, pause: readPause });

  constructor(options: ProposalsOptions) {
    this.#options = options;
  }

  /** Whether a write is being sent for an approval. It is true once for each. */
  takeApproval(write: GuardedWrite): boolean {
    const { approval } = write.context;
    if (approval === undefined || this.#approvals.get(approval) !== requestOf(write)) return false;
    return this.#approvals.delete(approval);
  }

  /** Keeps a write for an approval, unless it waits for one already. @returns the error for its caller @throws TenonError */
  async propose(write: GuardedWrite, reason: string | undefined): Promise<TenonError> {
    const { store } = this.#options;
    const { instance, request, context } = write;
    const { id: caller, name, idempotencyKey, intent, isBlind } = context.author ?? { id: "unknown", name: "unknown" };
    const known = await store.proposalOf(caller, requestOf(write), Date.now());
    if (known?.state === "rejected")
      throw new TenonError("write_rejected", `A person has rejected this write (proposal ${known.id}). Nothing was sent.`);
    if (known !== undefined) return this.#required(known, isBlind);
    const changes = await changesOf(write);
    // For a caller who may not read, the refusal would tell what the platform has.
    if (isBlind !== true && isWithoutEffect(request.action, changes)) throw changesNothing(changes);
    const id = newId();
    const { action, given: params } = request;
    const end = action.name.lastIndexOf(".");
    const content: ProposalContent = {
      caller: { id: caller, name },
      connector: instance.id,
      entity: action.name.slice(0, end),
      action: action.name.slice(end + 1),
      params,
      changes,
      intent: intent ?? null,
      reason: reason ?? null,
      idempotencyKey: idempotencyKey ?? id,
    };
    return this.#required(await this.#add(id, content, requestOf(write), context.log, context.requestId), isBlind);
  }

  /** The latest proposals that a caller may see: its own, and with the right `approve` those of others too. */
  async list(caller: Pick<Caller, "id" | "grant">, find: Decider["find"], state?: ProposalState): Promise<readonly Proposal[]> {
    const found: Proposal[] = [];
    const visible = new Map<string, boolean>();
    for await (const stored of this.#latest(caller, state)) {
      const { connector, entity } = headOf(stored);
      if (stored.caller !== caller.id && !mayUseEntity(caller.grant, entity)) continue;
      const proposal = proposalOf(stored, this.#options.timeout);
      if (state !== undefined && proposal.state !== state) continue;
      const known = visible.get(connector) ?? (await isThere(find, connector));
      visible.set(connector, known);
      if (known) found.push(proposal);
      if (found.length === mostListed) break;
    }
    return found;
  }

  /** The latest proposals among which a caller may see some, read in turns with other work. */
  async *#latest({ id, grant }: Pick<Caller, "id" | "grant">, state?: ProposalState): AsyncGenerator<ListedProposal> {
    const { store } = this.#options;
    const now = Date.now();
    const caller = hasRight(grant, "approve") ? undefined : id;
    let after: ListedProposal | undefined;
    for (let looked = 0; looked < mostLooked; looked += readAtOnce) {
      const some = await this.#readings.take(id, () => store.proposals(state, now, readAtOnce, { caller, after }));
      yield* some;
      if (some.length < readAtOnce) return;
      after = some.at(-1);
    }
  }

  /** Withdraws a pending proposal of the caller. @returns false where there is none @throws TenonError */
  async withdraw(id: string, { caller, find, requestId }: Omit<Decider, "log">): Promise<boolean> {
    const stored = await this.#find(id, caller, find);
    // A caller may propose and withdraw without end: none of its values stays.
    const { content } = textsOf({ ...headOf(stored), params: {}, changes: [] });
    const decision = { state: "withdrawn", by: caller.id, at: Date.now(), content } as const;
    const isDone = await this.#options.store.decideProposal(id, decision);
    if (isDone) await this.#note("proposal.withdraw", caller.id, stored, "done", requestId);
    return isDone;
  }

  /** @throws TenonError `unknown_proposal` for one that the caller may not see too */
  async get(id: string, { caller, find }: Pick<Decider, "caller" | "find">): Promise<WholeProposal> {
    const stored = await this.#find(id, caller, find);
    return wholeProposal(stored, this.#options.timeout, stored.caller === caller.id && !hasRight(caller.grant, "read"));
  }

  /**
   * A proposal without its values.
   *
   * @returns also how its write has ended, as JSON; null where it has not
   * @throws as `get`
   */
  async head(
    id: string,
    { caller, find }: Pick<Decider, "caller" | "find">,
  ): Promise<{ readonly proposal: Proposal; readonly outcome: string | null }> {
    const stored = await this.#find(id, caller, find);
    return { proposal: proposalOf(stored, this.#options.timeout), outcome: stored.outcome };
  }

  /** Rejects a proposal: the same request is refused until it would have expired. @throws TenonError */
  async reject(id: string, { caller, find, requestId }: Decider): Promise<WholeProposal> {
    const stored = await this.#open(id, caller, find);
    if (!(await this.#options.store.decideProposal(id, { state: "rejected", by: caller.id, at: Date.now() })))
      throw await this.#closed(id);
    await this.#note("proposal.reject", caller.id, stored, "done", requestId);
    return this.get(id, { caller, find });
  }

  /**
   * Approves a proposal and sends its write. Resolves when the write has ended, however it ended.
   *
   * @param hash of what the caller was shown
   * @throws TenonError `target_changed` with another proposal when the values that were shown are no longer those of the platform, and
   *   what the write fails with
   */
  async approve(id: string, hash: string, decider: Decider): Promise<WholeProposal> {
    const { store, timeout } = this.#options;
    const { caller, find, log, requestId } = decider;
    const stored = await this.#open(id, caller, find);
    const content = await contentOf(stored);
    // What is stored must be what was shown, whoever has changed it since.
    if (hash !== stored.hash || hash !== hashOf(content))
      throw new TenonError("proposal_closed", "The hash is not that of this proposal: look at it again before you approve it.");
    await this.#requireProposer(stored);
    const instance = await find(content.connector);
    const { entity, action, params } = content;
    const checked = checkRequest(instance.connector, { entity, action, params });
    if (checked.kind !== "platform") throw new TenonError("proposal_closed", "The proposal is no write.");
    const approval = {};
    const signal = new AbortController().signal;
    const fields = changedFields(checked.action, checked.params);
    const note = (outcome: string) => this.#note("proposal.approve", caller.id, stored, outcome, requestId);
    const noteWrite = (outcome: string) =>
      this.#noteEntry(`${entity}.${action}`, stored.caller, content.connector, outcome, requestId, content.intent, fields);
    const author = { ...content.caller, idempotencyKey: content.idempotencyKey };
    const context = { timeout, signal, log, requestId, caller: caller.id, author, approval, onWrite: () => noteWrite("begun") };
    const write: GuardedWrite = { instance, request: checked, context };
    const changes = await changesOf(write);
    if (canonical(changes) !== canonical(content.changes))
      throw await this.#changed(stored, checked.action, { ...content, changes }, decider);
    const owner = newOwner();
    if (!(await store.decideProposal(id, { state: "sending", by: caller.id, at: Date.now(), owner })))
      throw await this.#closed(id);
    this.#approvals.set(approval, requestOf(write));
    const end = (given: ProposalEnd) => store.endProposal(id, owner, given);
    try {
      await note("begun");
      const request = [instance.id, entity, action, params];
      const once = { caller: stored.caller, key: content.idempotencyKey, request, timeout, signal };
      const { result } = await writeOnce(store, once, () => executeChecked(instance, checked, context));
      await end({ state: "done", outcome: resultText(result) });
    } catch (thrown) {
      const { code, message, retryable } = asTenonError(thrown);
      const outcome = JSON.stringify({ code, message });
      await end(
        endOf(thrown) === "in_doubt" ? { state: "in_doubt", outcome } : { state: retryable ? "pending" : "failed", outcome },
      );
      await noteWrite(code);
      await note(code);
      throw thrown;
    } finally {
      this.#approvals.delete(approval);
    }
    await noteWrite("done");
    await note("done");
    return this.get(id, { caller, find });
  }

  async #add(id: string, content: ProposalContent, request: string, log: Logger, requestId: string): Promise<StoredProposal> {
    const { store, lifetime, timeout, notify } = this.#options;
    const now = Date.now();
    const given = { id, caller: content.caller.id, request, ...textsOf(content), hash: hashOf(content) };
    const stored = await store.addProposal(
      { ...given, createdAt: now, expiresAt: now + lifetime },
      mostPending,
      now - proposalMemory,
    );
    if (stored === undefined)
      throw new TenonError("too_many_proposals", `${mostPending} writes of this caller wait for an approval. Nothing was sent.`);
    if (stored.id !== id) return stored;
    await this.#note("proposal.create", content.caller.id, stored, "done", requestId);
    notify?.(proposalOf(stored, timeout), log);
    return stored;
  }

  async #required(stored: StoredProposal, isBlind = false): Promise<TenonError> {
    const proposal = await wholeProposal(stored, this.#options.timeout, isBlind);
    const { id, entity, action, expires_at, reason } = proposal;
    const message = `A person has to approve this ${entity}.${action}: proposal ${id} waits until ${expires_at}. Nothing was sent.`;
    return new TenonError("approval_required", reason === null ? message : `${message} ${reason}`, { proposal });
  }

  /** Puts another proposal in the place of one whose target has changed, unless that has what it would set. */
  async #changed(
    stored: StoredProposal,
    action: Action,
    content: ProposalContent,
    { caller, log, requestId }: Decider,
  ): Promise<TenonError> {
    const { store, timeout } = this.#options;
    const { id } = stored;
    if (!(await store.decideProposal(id, { state: "changed", by: caller.id, at: Date.now() }))) return this.#closed(id);
    await this.#note("proposal.approve", caller.id, stored, "target_changed", requestId);
    if (isWithoutEffect(action, content.changes))
      return new TenonError(
        "target_changed",
        "The platform has what this write would set already. Nothing was sent, and nothing waits.",
      );
    const next = newId();
    // A key that was the id stays, so that its caller learns the outcome.
    const proposal = await wholeProposal(await this.#add(next, content, stored.request, log, requestId), timeout);
    const message = `What this write would change has changed. Nothing was sent: look at proposal ${proposal.id}.`;
    return new TenonError("target_changed", message, { proposal });
  }

  async #closed(id: string): Promise<TenonError> {
    const stored = await this.#options.store.proposal(id);
    const state = stored === undefined ? "gone" : proposalOf(stored, this.#options.timeout).state;
    return new TenonError("proposal_closed", `The proposal is ${state} already.`);
  }

  async #find(id: string, { id: caller, grant }: Pick<Caller, "id" | "grant">, find: Decider["find"]): Promise<StoredProposal> {
    const stored = await this.#options.store.proposal(id);
    if (stored !== undefined) {
      const { connector, entity } = headOf(stored);
      const isSeen = stored.caller === caller || (hasRight(grant, "approve") && mayUseEntity(grant, entity));
      if (isSeen && (await isThere(find, connector))) return stored;
    }
    throw new TenonError("unknown_proposal", `There is no proposal "${shown(id)}".`);
  }

  /** A pending proposal about which the caller may decide. @throws TenonError */
  async #open(id: string, caller: Pick<Caller, "id" | "grant">, find: Decider["find"]): Promise<StoredProposal> {
    const stored = await this.#find(id, caller, find);
    if (stored.caller === caller.id || !hasRight(caller.grant, "approve"))
      throw new TenonError(
        "forbidden",
        'Another key than that of the proposal has to decide, with the right "approve". Nothing was sent.',
      );
    if (proposalOf(stored, this.#options.timeout).state !== "pending") throw await this.#closed(id);
    return stored;
  }

  /** Refuses a proposal of a stored caller who may no longer write what it asked for. */
  async #requireProposer(stored: StoredProposal): Promise<void> {
    const caller = await this.#options.store.caller(stored.caller);
    if (caller === undefined) return;
    const { revokedAt, expiresAt, grant } = caller;
    const { entity, connector } = headOf(stored);
    const isGood = revokedAt === null && (expiresAt === null || expiresAt > Date.now());
    const isAllowed = hasRight(grant, "write") && mayUseEntity(grant, entity) && (grant.instances?.includes(connector) ?? true);
    if (!isGood || !isAllowed)
      throw new TenonError("proposal_closed", "The key or client that proposed this write may not write it any longer.");
  }

  #note(action: string, caller: string, { id, hash }: StoredProposal, outcome: string, requestId: string): Promise<void> {
    return this.#noteEntry(action, caller, `${id} ${hash}`, outcome, requestId, null);
  }

  async #noteEntry(
    action: string,
    caller: string,
    target: string,
    outcome: string,
    requestId: string,
    intent: string | null,
    fields?: readonly string[],
  ): Promise<void> {
    if (!this.#options.audits) return;
    const rest = { requestId, intent, times: 1, ...(fields === undefined ? {} : { fields }) };
    await this.#options.store.audit([{ at: Date.now(), caller, action, target, outcome, ...rest }]);
  }
}

function newId(): string {
  return `prop_${randomBytes(9).toString("base64url").replaceAll(/[-_]/g, "0")}`;
}

/** The hash of what a write asks for. */
function requestOf({ instance, request }: GuardedWrite): string {
  return hash("sha256", canonical([instance.id, request.action.name, request.given]), "base64url");
}

async function isThere(find: Decider["find"], id: string): Promise<boolean> {
  return find(id).then(
    () => true,
    (thrown: unknown) => {
      if (asTenonError(thrown).code === "unknown_connector") return false;
      throw thrown;
    },
  );
}
