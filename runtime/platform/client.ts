import { doubtAdvice, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import type { Redact } from "../base/redact.ts";
import type { PlatformPlan } from "../contract/index.ts";
import { FailureJudge, type GraphqlFault, type Headers, type Verdict } from "./failure.ts";
import { type Bucket, Scheduler } from "./scheduler.ts";
import { type Received, type RestRequest, Transport, type TransportOptions } from "./transport.ts";

/** Bounds of one action: all its calls together end before `deadline` (as of `performance.now()`). */
export interface CallContext {
  readonly deadline: number;
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Stands in every log line. */
  readonly requestId: string;
  /** Leaves a part of the quota to callers who wait. */
  readonly background?: true;
}

export interface GraphqlRead {
  readonly document: string;
  /** Asked again for each try, because a smaller page changes them. */
  readonly variables: () => Readonly<Record<string, unknown>>;
  /** Whether the answer holds what was asked for; if not, its errors are fatal. */
  readonly usable: (data: unknown) => boolean;
  /** Makes the page smaller; false when it cannot. */
  readonly shrink?: () => boolean;
}

export interface GraphqlAnswer {
  readonly data: unknown;
  readonly faults: readonly GraphqlFault[];
  readonly headers: Headers;
}

export interface RestAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly headers: Headers;
}

export interface ClientOptions extends Omit<TransportOptions, "plan"> {
  readonly plan: PlatformPlan;
  readonly redact: Redact;
}

/** One try of a call. */
interface Attempt<Good extends Received> {
  readonly call: (signal: AbortSignal) => Promise<Received>;
  /** Whether an answer is what was wanted. */
  readonly isGood: (received: Received) => received is Good;
}

/** What came back, and what to do about it where it was not good. */
type Sent<Good extends Received> =
  | { readonly good: true; readonly received: Good }
  | { readonly good: false; readonly received: Received; readonly verdict: Verdict };

type Limited = Extract<Verdict, { kind: "limited" }>;

/** Tries of a read, the first included. */
const mostTries = 4;
const firstPause = 250;
const longestPause = 8_000;
/** One try may take this long, in milliseconds; GitHub itself gives up after ten seconds. */
const tryTime = 15_000;
/** After so many refusals of the credential in a row nothing is sent for a while: more would lock the account out for longer. */
const mostRejections = 3;
const rejectionPause = 60_000;

/** Redirects that say "nothing was done here, send the same call there" (RFC 9110, 15.4); GitHub uses 301 so for a renamed repository. */
const movedStatuses = [301, 307, 308];

/**
 * The platform behind one credential: every call goes through one scheduler, is judged by the connector's rules, and is tried
 * again only where that cannot do harm. Reads are retried with backoff and full jitter; a write is sent once, and again only
 * when the platform said that it did nothing.
 */
export class PlatformClient {
  readonly plan: PlatformPlan;
  readonly judge: FailureJudge;
  readonly #transport: Transport;
  readonly #scheduler: Scheduler;
  #rejections = 0;
  #rejectedUntil = 0;

  constructor(options: ClientOptions) {
    this.plan = options.plan;
    this.judge = new FailureJudge(options.plan, options.redact);
    this.#transport = new Transport(options);
    this.#scheduler = new Scheduler(options.plan.rateLimit);
  }

  /** @throws TenonError when there is no usable answer before the deadline. */
  async graphql(read: GraphqlRead, context: CallContext): Promise<GraphqlAnswer> {
    for (let tries = 1; ; tries++) {
      const sent = await this.#send("graphql", false, context, {
        call: (signal) => this.#transport.graphql(read.document, read.variables(), signal),
        isGood: (answer): answer is Extract<Received, { kind: "graphql" }> =>
          answer.kind === "graphql" &&
          ((read.usable(answer.data) && !this.#isLimited(answer.faults)) ||
            (answer.faults.length === 0 && answer.data !== undefined && answer.data !== null)),
      });
      if (sent.good) return sent.received;
      const { verdict } = sent;
      const shrunk = verdict.kind !== "limited" && verdict.kind !== "final" && (read.shrink?.() ?? false);
      await this.#recover(verdict, tries, shrunk, context);
    }
  }

  /**
   * A REST call. Anything but a GET is a write and sent once.
   *
   * @throws TenonError `write_in_doubt` or `write_deadline_exceeded` when nobody knows whether a write was done.
   */
  async rest(call: RestRequest, context: CallContext): Promise<RestAnswer> {
    const write = call.method !== "GET";
    let target = call;
    for (let tries = 1, hops = 0; ; ) {
      const sent = await this.#send("rest", write, context, {
        call: (signal) => this.#transport.rest(target, signal),
        isGood: (answer): answer is Extract<Received, { kind: "rest" }> => answer.kind === "rest" && answer.status < 300,
      });
      if (sent.good) return sent.received;
      const { received, verdict } = sent;
      if (received.kind === "rest" && movedStatuses.includes(received.status)) {
        if (hops++ >= 1) throw new TenonError("platform_failed", `${this.plan.title} redirected too often.`);
        target = { ...call, path: this.#redirect(received.headers) };
        continue;
      }
      const unsent = received.kind === "lost" && received.unsent;
      if (write && !unsent && verdict.kind === "transient") throw this.#inDoubt(verdict.message, context);
      if (write && verdict.kind === "heavy") throw this.#inDoubt(verdict.error.message, context);
      await this.#recover(verdict, tries++, false, context);
    }
  }

  async #send<Good extends Received>(
    bucket: Bucket,
    write: boolean,
    context: CallContext,
    { call, isGood }: Attempt<Good>,
  ): Promise<Sent<Good>> {
    if (this.#rejectedUntil > performance.now())
      throw new TenonError(
        "platform_unauthorized",
        `${this.plan.title} refused the credential of this connector several times; it is not tried again for a minute.`,
      );
    const { deadline, signal, background = false } = context;
    return this.#scheduler.run({ bucket, write, deadline, signal, background }, async () => {
      const started = performance.now();
      const left = deadline - started;
      if (left <= 0) throw this.#late();
      // A write that is on its way is not called back when the caller goes away: that would only leave it in doubt.
      const received = await within(write ? left : Math.min(left, tryTime), write ? undefined : signal, call);
      this.#note(bucket, received, started, context);
      // Before the scheduler lets the next call go, it must know what this one said about budget and limits.
      if (received.kind !== "lost") this.#observe(bucket, received.headers);
      if (received.kind === "refused" && received.status === 401) this.#rejected();
      else if (received.kind !== "lost") this.#rejections = 0;
      if (isGood(received)) {
        this.#scheduler.taken(bucket, started);
        return { good: true, received };
      }
      const verdict = this.#verdict(received, context);
      if (verdict.kind === "limited") return { good: false, received, verdict: this.#hold(bucket, verdict, started, context) };
      if (received.kind !== "lost") this.#scheduler.taken(bucket, started);
      return { good: false, received, verdict };
    });
  }

  /** Calls that are left until the platform's budget is full again; undefined before the first answer told. */
  quotaLeft(bucket: Bucket): number | undefined {
    return this.#scheduler.quotaLeft(bucket);
  }

  #isLimited(faults: readonly GraphqlFault[]): boolean {
    return faults.some((fault) => this.judge.rule(fault)?.code === "rate_limited");
  }

  #verdict(received: Received, context: CallContext): Verdict {
    const now = Date.now();
    switch (received.kind) {
      case "graphql":
        return this.judge.faults(received.faults, received.headers, now);
      case "refused":
        return this.judge.refusal(received, now);
      case "too-large": {
        const message = `${this.plan.title} sent an answer of more than ${received.limit} MiB. Ask for fewer fields or a smaller page.`;
        return { kind: "heavy", error: new TenonError("platform_too_complex", message) };
      }
      case "rest":
        // A redirect may mean that the call was done (303 says so).
        return { kind: "transient", message: `${this.plan.title} answered ${received.status}.` };
      case "lost":
        if (context.signal.aborted || performance.now() >= context.deadline)
          return { kind: "transient", message: "The deadline passed." };
        return { kind: "transient", message: `The connection to ${this.plan.title} failed or its answer was cut off.` };
    }
  }

  /**
   * Keeps calls at home for as long as the platform's limits ask for.
   *
   * @param started when the refused call went out
   * @returns the verdict with the time for which that is so
   */
  #hold(bucket: Bucket, limited: Limited, started: number, { log, requestId }: CallContext): Limited {
    const { primary, wait } = limited;
    const asked = performance.now() + (wait ?? this.#scheduler.nextPause(started));
    const until = primary ? this.#scheduler.exhausted(bucket, asked) : this.#scheduler.pause(asked);
    const waitMs = Math.max(0, Math.round(until - performance.now()));
    log.warn({ requestId, bucket, waitMs }, "the platform refused a call because of its rate limits");
    return { ...limited, wait: waitMs };
  }

  /** Waits until another try makes sense, or throws. */
  async #recover(verdict: Verdict, tries: number, shrunk: boolean, context: CallContext): Promise<void> {
    if (verdict.kind === "final") throw verdict.error;
    if (verdict.kind === "heavy") {
      if (shrunk) return;
      throw verdict.error;
    }
    if (verdict.kind === "limited") {
      if (tries > mostTries)
        throw new TenonError("rate_limited", `${this.plan.title} keeps refusing calls because of its rate limits.`, {
          retryAfter: Math.max(1, Math.ceil((verdict.wait ?? 0) / 1000)),
        });
      // The scheduler knows already how long to wait.
      return;
    }
    if (context.signal.aborted || performance.now() >= context.deadline) throw this.#late();
    if (tries >= mostTries) throw new TenonError("platform_failed", verdict.message, { retryAfter: 5 });
    const pause = Math.random() * Math.min(longestPause, firstPause * 2 ** (tries - 1));
    if (performance.now() + pause >= context.deadline) throw this.#late();
    await sleep(pause, context.signal);
    if (context.signal.aborted) throw this.#late();
  }

  #late(): TenonError {
    return new TenonError("deadline_exceeded", `${this.plan.title} did not answer in time.`);
  }

  #inDoubt(message: string, context: CallContext): TenonError {
    const late = context.signal.aborted || performance.now() >= context.deadline;
    return late
      ? new TenonError("write_deadline_exceeded", `${this.plan.title} did not answer in time. ${doubtAdvice}`)
      : new TenonError("write_in_doubt", `${message} ${doubtAdvice}`);
  }

  #redirect(headers: Headers): string {
    const target = this.#transport.redirect(headers.get("location"));
    if (target === undefined) throw new TenonError("platform_failed", `${this.plan.title} redirected the call to another place.`);
    return target;
  }

  #observe(bucket: Bucket, headers: Headers): void {
    const names = this.plan.rateLimit.headers;
    const remaining = Number(headers.get(names.remaining) ?? Number.NaN);
    const reset = Number(headers.get(names.reset) ?? Number.NaN) * 1000 - Date.now() + performance.now();
    if (Number.isFinite(remaining) && Number.isFinite(reset)) this.#scheduler.observe(bucket, remaining, reset);
  }

  #rejected(): void {
    this.#rejections++;
    if (this.#rejections >= mostRejections) {
      this.#rejections = 0;
      this.#rejectedUntil = performance.now() + rejectionPause;
    }
  }

  #note(bucket: Bucket, received: Received, started: number, { log, requestId }: CallContext): void {
    const ms = Math.round(performance.now() - started);
    if (received.kind === "lost") {
      log.warn({ requestId, bucket, ms, cause: causeOf(received.cause) }, "a call to the platform was lost");
      return;
    }
    const platformRequestId = received.headers.get(this.plan.rateLimit.requestId) ?? undefined;
    if (received.kind === "refused")
      log.warn({ requestId, bucket, ms, status: received.status, platformRequestId }, "the platform refused a call");
    else log.debug({ requestId, bucket, ms, platformRequestId }, "called the platform");
  }
}

/** Runs a call with a signal that ends it after `ms` milliseconds, or together with another signal. */
async function within<Result>(
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

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
  });
}

/** What stands behind "fetch failed": the operator wants to know whether the name or the port was wrong. */
function causeOf(thrown: unknown): string {
  return thrown instanceof Error && thrown.cause instanceof Error ? `${thrown.message}: ${thrown.cause.message}` : String(thrown);
}
