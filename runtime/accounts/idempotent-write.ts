import { hash, randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { withDeadline } from "../base/deadline.ts";
import { TenonError } from "../base/errors.ts";
import { pause } from "../base/pause.ts";
import { processHasEnded } from "../base/process-liveness.ts";
import { retryWhileAway } from "./retry-while-away.ts";
import type { StoredWrite, WriteEnd, WriteStore } from "./write-store.ts";

/** Milliseconds that a key is remembered. */
export const memory = 24 * 3_600_000;
/** Milliseconds between two looks at a write that is under way. */
const lookEvery = 50;

/** This process. A later process may have the same number. */
const run = randomUUID();
const thisProcess = `${hostname()}:${process.pid}:${run}`;

export interface IdempotentRequest {
  /** Id of the caller; the keys of one caller say nothing about those of another. */
  readonly caller: string;
  /** The `Idempotency-Key`. */
  readonly key: string;
  /** The request: of equal content when it is the same. */
  readonly request: unknown;
  /** Milliseconds to wait for a first request with this key that is under way, and the longest that any such request takes. */
  readonly timeout: number;
  readonly signal: AbortSignal;
  /** Whether a write in doubt is sent again: the platform knows it by its key, and does it once. */
  readonly resend?: boolean;
}

export interface IdempotentAnswer {
  /** As JSON. */
  readonly answer: string;
  /** It is the answer to an earlier request. */
  readonly replayed: boolean;
}

/**
 * Does a write, unless one with the same key was done: then the first answer is given again. What was begun is stored before anything is
 * sent, so that a process that ends in between leaves a write that is known to be in doubt.
 *
 * @param work sends the write and gives its answer as JSON
 * @param endOf what an error of `work` says about the write
 * @throws TenonError `idempotency_conflict`, `idempotency_running`, `in_doubt`, `accounts_unusable`, and what `work` throws
 */
export async function idempotentWrite(
  store: WriteStore,
  given: IdempotentRequest,
  work: () => Promise<string>,
  endOf: (thrown: unknown) => "in_doubt" | "nothing",
): Promise<IdempotentAnswer> {
  const id = { caller: given.caller, key: hash("sha256", given.key, "base64url") };
  const request = hash("sha256", canonical(given.request), "base64url");
  const deadline = performance.now() + given.timeout;
  const owner = newOwner();
  // While the database is away, the end is stored later, because a repetition must get it.
  const note = (end: WriteEnd) => retryWhileAway(() => store.endWrite(id, owner, end), performance.now() + memory);
  for (;;) {
    const now = Date.now();
    const known = await store.beginWrite({ ...id, request, owner, begunAt: now }, now - memory).catch((thrown: unknown) => {
      // It may have been stored although the answer to that was lost. Nothing was sent, so that its key must be free again.
      void note({ state: "nothing" });
      throw thrown;
    });
    if (known === undefined) break;
    if (known.request !== request)
      throw new TenonError("idempotency_conflict", "This Idempotency-Key was sent with another request. Nothing was sent.");
    const end = await ended(store, known, deadline, given);
    if (end === "in_doubt" && given.resend === true) return { answer: await work(), replayed: false };
    if (end === "in_doubt")
      throw new TenonError(
        "in_doubt",
        "It is unknown whether the write with this Idempotency-Key was done. Read whether it was; only when it was not, repeat it with a new key.",
      );
    if (end !== undefined) return { answer: end.answer, replayed: true };
  }
  let answer: string;
  try {
    answer = await work();
  } catch (thrown) {
    // Where this fails, a repetition fails because the write is in doubt.
    await stored(note({ state: endOf(thrown) }), deadline);
    throw thrown;
  }
  await stored(note({ state: "done", answer }), deadline);
  return { answer, replayed: false };
}

/** Waits until the end of a write is stored, as long as there is time. */
async function stored(noted: Promise<boolean>, deadline: number): Promise<void> {
  await withDeadline(Math.max(0, deadline - performance.now()), noted, () => false);
}

/** Waits until a write has ended. @returns its answer, or that it is in doubt; undefined when its key is free again */
async function ended(
  store: WriteStore,
  first: StoredWrite,
  deadline: number,
  { timeout, signal }: IdempotentRequest,
): Promise<{ readonly answer: string } | "in_doubt" | undefined> {
  for (let known: StoredWrite | undefined = first; known !== undefined; known = await store.write(first)) {
    if (known.state === "done" && known.answer !== null) return { answer: known.answer };
    if (known.state === "in_doubt" || isAbandoned(known, timeout)) return "in_doubt";
    if (performance.now() >= deadline || signal.aborted)
      throw new TenonError("idempotency_running", "The first request with this Idempotency-Key is still under way.", {
        retryAfter: 1,
      });
    await pause(lookEvery, signal);
  }
  return undefined;
}

/** Names somebody in this process who sends one write. */
export function newOwner(): string {
  return `${thisProcess}:${randomUUID()}`;
}

/**
 * Whether nobody works on a write any longer that has no end: its process has ended, or it took longer than any request may.
 *
 * @param timeout milliseconds that a request may take
 */
export function isAbandoned({ owner, begunAt }: Pick<StoredWrite, "owner" | "begunAt">, timeout: number): boolean {
  return ownerHasEnded(owner) || Date.now() - begunAt > 2 * timeout + 60_000;
}

/** Whether the process of an owner has ended, as far as this machine can tell. */
export function ownerHasEnded(owner: string): boolean {
  const [host = "", pid = "", ofRun] = owner.split(":");
  if (host === hostname() && Number(pid) === process.pid && ofRun !== run) return true;
  return processHasEnded(host, Number(pid));
}

/** JSON in which the members of objects are in one order, so that requests of the same content have the same text. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}
