import { asTenonError, doubtAdvice, TenonError } from "../base/errors.ts";
import { madeOnce } from "../base/made-once.ts";
import type { PlatformLimits } from "../base/platform-use.ts";
import type { Redact } from "../base/redact.ts";
import type { PlatformPlan } from "../contract/index.ts";
import type { CallContext, Effect, GraphqlAnswer, GraphqlMutation, GraphqlRead, RestAnswer } from "./call.ts";
import { trialWait } from "./credential-use.ts";
import { FailureJudge, type GraphqlFault, type Headers, untilReset, type Verdict } from "./failure.ts";
import type { PlatformApi } from "./job.ts";
import { noHeaders, type Received } from "./received.ts";
import { Rejections } from "./rejections.ts";
import { RemovedFields } from "./removed-fields.ts";
import { tooLate, waitForRetry } from "./retry.ts";
import { Scheduler, type SharedCredential } from "./scheduler.ts";
import { HttpTransport, type RestRequest, type TransportOptions } from "./transport.ts";
import { hasData, isCredentialRefused, verdictOf } from "./verdict.ts";

export interface PlatformClientOptions extends Omit<TransportOptions, "plan" | "isRefused"> {
  readonly plan: PlatformPlan;
  readonly redact: Redact;
  /** Limits that other processes use too; absent where none does. */
  readonly shared?: SharedCredential | undefined;
}

/** One try of a call. */
interface Attempt<Good extends Received> {
  /** Name of the limit of this call alone. */
  readonly limit?: string;
  readonly call: (signal: AbortSignal, caller: string) => Promise<Received>;
  /** Whether the outcome is a usable answer. */
  readonly isGood: (received: Received) => received is Good;
}

/** The outcome of a call, and what to do about it unless it is good. */
type Sent<Good extends Received> =
  | { readonly good: true; readonly received: Good }
  | { readonly good: false; readonly received: Received; readonly verdict: Verdict };

type Limited = Extract<Verdict, { kind: "limited" }>;

/** Milliseconds that one try may take. GitHub itself gives up after ten seconds. */
const tryTime = 15_000;
/**
 * Redirects that ask to send the same call to another address and mean that nothing was done (RFC 9110, 15.4). GitHub uses 301 in
 * this way for a renamed repository.
 */
const movedStatuses = [301, 307, 308];

/** Redirects to something else, of which a call may read the address. */
const foundStatuses = [302, 303];

/** Limits of whoever shares the platform with nobody. */
const unlimited: PlatformLimits = { share: 1, wait: Number.POSITIVE_INFINITY };
/** Under this name all syncs take turns with callers. */
const syncCaller = "sync";
/** "No Content" (RFC 9110, 15.3.5), which stands for the answer that was lost. */
const gone = 204;

/** Loaded for the first call that needs it, because the parser takes long to load. */
const points = madeOnce(() => import("./points.ts"));

/**
 * Calls the platform with one credential. Every call goes through one scheduler, and its answer is judged by the connector's rules.
 * Reads are tried again with growing pauses of random length. A write is sent once, and again only when the platform said that it did
 * nothing or when no connection was made.
 */
export class PlatformClient {
  readonly plan: PlatformPlan;
  readonly judge: FailureJudge;
  readonly #transport: HttpTransport;
  readonly #scheduler: Scheduler;
  readonly #rejections: Rejections;
  readonly #removed = new RemovedFields();

  constructor(options: PlatformClientOptions) {
    this.plan = options.plan;
    this.judge = new FailureJudge(options.plan, options.redact);
    this.#transport = new HttpTransport({ ...options, isRefused: (received) => isCredentialRefused(received, this.judge) });
    this.#scheduler = new Scheduler(options.plan.rateLimit, options.shared);
    this.#rejections = new Rejections(options.plan.title);
  }

  /** @throws TenonError when there is no usable answer before the deadline. */
  async graphql(read: GraphqlRead, context: CallContext): Promise<GraphqlAnswer> {
    for (let tries = 1; ; tries++) {
      const whole = documentOf(read);
      const { document, removed } = this.#removed.of(whole);
      const variables = read.variables();
      const points = await this.#points(document, variables, context);
      const sent = await this.#send("graphql", false, points, context, {
        call: (signal, caller) => this.#transport.graphql(document, variables, signal, caller),
        isGood: (answer): answer is Extract<Received, { kind: "graphql" }> =>
          answer.kind === "graphql" &&
          ((read.usable(answer.data, answer.faults) && !this.#isLimited(answer.faults)) ||
            (answer.faults.length === 0 && answer.data !== undefined && answer.data !== null)),
      });
      if (sent.good) {
        // GitHub ends a query that costs too much, and gives what it has until then: a smaller one is whole.
        if (sent.received.faults.some((fault) => this.judge.rule(fault)?.shrink) && read.shrink?.()) continue;
        if (removed.length > 0) context.onRemoved?.(removed);
        return sent.received;
      }
      const { verdict } = sent;
      if (await this.#lostFields(whole, sent)) continue;
      const shrunk = verdict.kind !== "limited" && verdict.kind !== "final" && (read.shrink?.() ?? false);
      await waitForRetry(this.plan.title, verdict, tries, shrunk, context);
    }
  }

  /**
   * Sends a mutation: once, unless it is idempotent.
   *
   * @throws TenonError `write_in_doubt` or `write_deadline_exceeded` when it is unknown whether it was done
   */
  async mutate(mutation: GraphqlMutation, context: CallContext): Promise<GraphqlAnswer> {
    for (let tries = 1; ; tries++) {
      const { document, removed } = this.#removed.of(mutation.document);
      const sent = await this.#send("graphql", mutation.effect !== "none", 1, context, {
        call: (signal, caller) => this.#transport.graphql(document, mutation.variables, signal, caller),
        isGood: (answer): answer is Extract<Received, { kind: "graphql" }> =>
          answer.kind === "graphql" && answer.faults.length === 0 && mutation.usable(answer.data),
      });
      if (sent.good) {
        if (removed.length > 0) context.onRemoved?.(removed);
        return sent.received;
      }
      const { received, verdict } = sent;
      if (await this.#lostFields(mutation.document, sent)) continue;
      // Data beside errors says that something was done. The answer must not look as if nothing was.
      if (received.kind === "graphql" && verdict.kind !== "limited" && mutation.usable(received.data)) return received;
      this.#checkDoubt(mutation.effect, received, verdict, context);
      await waitForRetry(this.plan.title, verdict, tries, false, context);
    }
  }

  /** Whether a document was refused because of fields that it can do without, so that less is sent for it from now on. */
  async #lostFields(document: string, sent: { readonly received: Received; readonly verdict: Verdict }): Promise<boolean> {
    const { received, verdict } = sent;
    if (verdict.kind !== "final" || (received.kind !== "graphql" && received.kind !== "refused")) return false;
    // Whatever has data has been done, at least in part.
    if (received.kind === "graphql" && hasData(received.data)) return false;
    return this.#removed.learn(document, received.faults);
  }

  /** Throws when it is unknown whether a write was done that must not be done twice. */
  #checkDoubt(effect: Effect, received: Received, verdict: Verdict, context: CallContext): void {
    if (effect !== "once") return;
    const unsent = received.kind === "lost" && received.unsent;
    if (!unsent && verdict.kind === "transient") throw this.#inDoubt(verdict.message, context);
    if (verdict.kind === "heavy") throw this.#inDoubt(verdict.error.message, context);
    // An error with a path came up while the mutation was carried out. One that the spec does not know may leave a part of it done.
    const isUnknown = verdict.kind === "final" && verdict.error.code === "platform_failed";
    if (isUnknown && received.kind === "graphql" && received.faults.some(({ path }) => path.length > 0))
      throw this.#inDoubt(verdict.error.message, context);
  }

  /**
   * Makes a REST call. A write is sent once, unless it is idempotent.
   *
   * @throws TenonError `write_in_doubt` or `write_deadline_exceeded` when it is unknown whether a write was done
   */
  async rest(call: RestRequest, effect: Effect, context: CallContext): Promise<RestAnswer> {
    const tried = { lost: false };
    try {
      return await this.#rest(call, effect, context, tried);
    } catch (thrown) {
      if (effect !== "keyed" || !tried.lost) throw thrown;
      throw this.#inDoubt(asTenonError(thrown).message, context);
    }
  }

  /** @param tried receives whether a try may have done something although its response is not known */
  async #rest(call: RestRequest, effect: Effect, context: CallContext, tried: { lost: boolean }): Promise<RestAnswer> {
    let target = call;
    for (let tries = 1, hops = 0; ; ) {
      const sent = await this.#send("rest", effect !== "none", 1, context, {
        ...(call.limit === undefined ? {} : { limit: call.limit }),
        call: (signal, caller) => this.#transport.rest(target, signal, caller),
        isGood: (answer): answer is Extract<Received, { kind: "rest" }> =>
          answer.kind === "rest" && (answer.status < 300 || (call.redirect === true && foundStatuses.includes(answer.status))),
      });
      if (sent.good) return sent.received;
      const { received, verdict } = sent;
      if (received.kind === "rest" && movedStatuses.includes(received.status)) {
        if (context.byName === true) throw this.#moved();
        if (hops++ >= 1) throw new TenonError("platform_failed", `${this.plan.title} redirected too often.`);
        target = { ...call, path: this.#redirect(received.headers) };
        continue;
      }
      // The try whose answer was lost has removed it.
      if (tried.lost && call.method === "DELETE" && verdict.kind === "final" && verdict.error.code === "not_found")
        return { status: gone, data: null, headers: noHeaders() };
      this.#checkDoubt(effect, received, verdict, context);
      if (verdict.kind === "final") tried.lost = false;
      else tried.lost ||= verdict.kind !== "limited" && !(received.kind === "lost" && received.unsent);
      await waitForRetry(this.plan.title, verdict, tries++, false, context);
    }
  }

  async #send<Good extends Received>(
    bucket: PlatformApi,
    write: boolean,
    points: number,
    context: CallContext,
    { call, isGood, limit }: Attempt<Good>,
  ): Promise<Sent<Good>> {
    this.#rejections.check();
    const { deadline, signal, background = false, spend, platformLimits: { share, wait } = unlimited } = context;
    const caller = context.caller ?? (background ? syncCaller : "");
    const asked = performance.now();
    return this.#scheduler.run(
      {
        bucket,
        write,
        points,
        deadline: Math.min(deadline, asked + wait),
        signal,
        background,
        caller,
        share,
        ...(limit === undefined ? {} : { limit }),
      },
      async () => {
        const started = performance.now();
        const left = deadline - started;
        if (left <= 0) throw tooLate(this.plan.title);
        // The calls before this one may have been refused while it waited for its turn.
        this.#rejections.check();
        spend?.(points);
        // A write under way is not aborted when the caller goes away, because it would then be unknown whether it was done.
        const received = await endedAfter(write ? left : Math.min(left, tryTime), write ? undefined : signal, (end) =>
          call(end, caller),
        );
        this.#note(bucket, received, started, context);
        if ("brokenText" in received && received.brokenText) context.onBrokenText?.();
        const budget = this.plan.rateLimit.points?.[bucket];
        const good = isGood(received);
        const times = { waited: started - asked, took: performance.now() - started };
        context.onCall?.({ bucket, points: budget === undefined ? 1 : write ? budget.write : budget.read, good, ...times });
        // The scheduler must know what this answer says about budget and limits before it starts the next call.
        if (received.kind === "lost") this.#scheduler.lost(bucket, points);
        // Headers on such a call are about its own limit: GitHub's of `search/code` tell what is left of ten searches a minute.
        else if (limit !== undefined) this.#scheduler.unobserved(bucket);
        else this.#observe(bucket, points, received.headers);
        if (received.kind === "refused" && received.status === 401) this.#rejections.add(write);
        else if (received.kind !== "lost") this.#rejections.clear();
        if (isGood(received)) {
          this.#scheduler.taken(bucket, started);
          return { good: true, received };
        }
        const verdict = verdictOf(received, this.judge, this.plan.title, context);
        if (verdict.kind === "limited")
          return { good: false, received, verdict: this.#hold(bucket, limit, verdict, started, context) };
        if (received.kind !== "lost") this.#scheduler.taken(bucket, started);
        return { good: false, received, verdict };
      },
    );
  }

  /** Calls that are left until the platform's budget is full again; undefined while no answer has reported it. */
  quotaLeft(bucket: PlatformApi): number | undefined {
    return this.#scheduler.quotaLeft(bucket);
  }

  #isLimited(faults: readonly GraphqlFault[]): boolean {
    return faults.some((fault) => this.judge.rule(fault)?.code === "rate_limited");
  }

  /**
   * Holds back calls for as long as the platform's limits demand.
   *
   * @param started when the refused call went out
   * @returns the verdict with the time for which calls are held back
   */
  #hold(
    bucket: PlatformApi,
    limit: string | undefined,
    limited: Limited,
    started: number,
    { log, requestId }: CallContext,
  ): Limited {
    const { primary, wait } = limited;
    const named = wait === undefined || primary ? wait : Math.min(wait, trialWait);
    const asked = performance.now() + (named ?? this.#scheduler.nextPause(started));
    const ofCall = limit === undefined ? undefined : this.#scheduler.holdCall(limit, asked);
    const until = ofCall ?? (primary ? this.#scheduler.exhausted(bucket, asked) : this.#scheduler.pause(asked));
    const waitMs = Math.max(0, Math.round(until - performance.now()));
    log.warn({ requestId, bucket, waitMs }, "the platform refused a call because of its rate limits");
    return { ...limited, wait: waitMs };
  }

  #inDoubt(message: string, context: CallContext): TenonError {
    const late = context.signal.aborted || performance.now() >= context.deadline;
    return late
      ? new TenonError("write_deadline_exceeded", `${this.plan.title} did not respond in time. ${doubtAdvice}`)
      : new TenonError("write_in_doubt", `${message} ${doubtAdvice}`);
  }

  /** The error for a write to what the platform has under another name. It says by the redirect that it did nothing. */
  #moved(): TenonError {
    return new TenonError(
      "write_rejected",
      `${this.plan.title} has this under another name now, and the policy for writes goes by names. Nothing was sent: read it, and use its present name.`,
    );
  }

  #redirect(headers: Headers): string {
    const target = this.#transport.redirect(headers.get("location"));
    if (target === undefined)
      throw new TenonError(
        "platform_failed",
        `${this.plan.title} redirected the call to an address to which the token must not be sent.`,
      );
    return target;
  }

  /**
   * What a call takes from the hourly budget. It is computed for calls that no caller waits for, because they may be large, and for callers
   * who have only a share; the platform's answers correct the budget for all others.
   */
  async #points(document: string, variables: Readonly<Record<string, unknown>>, context: CallContext): Promise<number> {
    const { background, platformLimits: { share } = unlimited } = context;
    const { cost } = this.plan.rateLimit;
    if ((background === undefined && share >= 1) || cost === undefined) return 1;
    const { pointsOf } = await points();
    return pointsOf(document, variables, cost);
  }

  #observe(bucket: PlatformApi, points: number, headers: Headers): void {
    const names = this.plan.rateLimit.headers;
    if (names === undefined) return;
    const remaining = Number(headers.get(names.remaining) ?? Number.NaN);
    const left = untilReset(headers, names, Date.now());
    if (Number.isFinite(remaining) && left !== undefined)
      this.#scheduler.observe(bucket, remaining, left + performance.now(), points);
    else this.#scheduler.unobserved(bucket);
  }

  #note(bucket: PlatformApi, received: Received, started: number, { log, requestId }: CallContext): void {
    const ms = Math.round(performance.now() - started);
    if (received.kind === "lost") {
      log.warn({ requestId, bucket, ms, cause: causeOf(received.cause) }, "a call to the platform was lost");
      return;
    }
    const name = this.plan.rateLimit.requestId;
    const platformRequestId = name === undefined ? undefined : (received.headers.get(name) ?? undefined);
    if (received.kind === "refused")
      log.warn({ requestId, bucket, ms, status: received.status, platformRequestId }, "the platform refused a call");
    else log.debug({ requestId, bucket, ms, platformRequestId }, "called the platform");
  }
}

function documentOf({ document }: GraphqlRead): string {
  return typeof document === "string" ? document : document();
}

/** Runs a call with a signal that ends it after `ms` milliseconds, or together with another signal. */
async function endedAfter<Result>(
  ms: number,
  outer: AbortSignal | undefined,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const end = new AbortController();
  const abort = () => end.abort();
  const timer = setTimeout(abort, Math.max(1, Math.ceil(ms)));
  outer?.addEventListener("abort", abort, { once: true });
  try {
    return await call(end.signal);
  } finally {
    clearTimeout(timer);
    outer?.removeEventListener("abort", abort);
  }
}

/** The reason behind "fetch failed", which tells the operator whether the host name or the port is wrong. */
function causeOf(thrown: unknown): string {
  return thrown instanceof Error && thrown.cause instanceof Error ? `${thrown.message}: ${thrown.cause.message}` : String(thrown);
}
