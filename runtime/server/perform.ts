import { type AuditLog, type Caller, hasRight, type WriteStore } from "../accounts/index.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import { isObject } from "../base/is-object.ts";
import type { Logger } from "../base/logger.ts";
import type { EndedCall, PlatformLimits } from "../base/platform-use.ts";
import { visibleText } from "../base/visible-text.ts";
import { checkRequest, type ExecuteContext, type ExecuteResult, executeChecked } from "../execute/index.ts";
import { changedFields, type KeyedResult, writeOnce } from "../policy/index.ts";
import { requireAction } from "./callers/permission.ts";
import type { Gate } from "./gate.ts";
import { type Instances, instanceOf } from "./instance-of.ts";
import type { Usages } from "./limits/usages.ts";
import { auditEntry } from "./monitoring/access-log.ts";
import type { Metrics } from "./monitoring/metrics.ts";
import { inSpan } from "./monitoring/spans.ts";
import type { Trace } from "./monitoring/trace.ts";

export interface PerformOptions {
  readonly instances: Instances;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "called" | "acted">;
  /** Absent where no audit log is kept. */
  readonly audit?: AuditLog | undefined;
  readonly gate: Gate;
  readonly limits: Usages;
  /** Where writes with an `Idempotency-Key` are noted. */
  readonly writes: WriteStore;
  /** Milliseconds that one action may take. */
  readonly timeout: number;
  /** What a key or client may have of a platform's limits. */
  readonly platformLimits: PlatformLimits;
}

/** An action that a caller asks for. */
export interface ExecuteRequest {
  readonly caller: Caller;
  readonly connectorId: unknown;
  readonly organization: string | undefined;
  /** Members `entity`, `action` and `params`, of which nothing is known yet. */
  readonly body: unknown;
  /** Gives the `Idempotency-Key`. It is called for writes only. @throws TenonError for one that is not valid */
  readonly idempotencyKey: () => string | undefined;
  readonly requestId: string;
  /** Headers of the request, for the parent of its span. */
  readonly headers: Readonly<Record<string, unknown>>;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  /** Bytes that the records of a cached search should not exceed, for a caller that takes less than a whole answer. */
  readonly answerBytes?: number | undefined;
  /** A list says how many records there are, as of `ExecuteContext`. */
  readonly withTotal?: boolean | undefined;
  /** Takes what is noted about the action, for log, metrics and audit. */
  readonly trace: Trace;
}

/**
 * Runs an action for a caller, if the caller may have it: the one way from HTTP to the actions.
 *
 * @throws TenonError for every failure
 */
export function perform(options: PerformOptions, asked: ExecuteRequest): Promise<KeyedResult> {
  return inSpan(asked, async (called) => {
    const performed = await performNow(options, asked, called).catch((thrown: unknown) => {
      asked.trace.failure = asTenonError(thrown);
      throw thrown;
    });
    asked.trace.warned(performed.result.meta);
    return performed;
  });
}

async function performNow(
  options: PerformOptions,
  asked: ExecuteRequest,
  called?: (call: EndedCall) => void,
): Promise<KeyedResult> {
  const { instances, limits, gate, writes, timeout, platformLimits, log, metrics } = options;
  const { caller, body, trace, signal, requestId } = asked;
  const { grant, id } = caller;
  const instance = await instanceOf(instances, asked.connectorId, { grant, organization: asked.organization });
  if (body === undefined) throw new TenonError("invalid_json", "The body is empty.");
  const { entity, action, params, intent } = isObject(body) ? body : {};
  trace.about(instance, entity, action);
  requireAction(grant, instance, entity, action);
  const usage = limits.of(caller);
  const checked = usage.measure(() => checkRequest(instance.connector, body));
  trace.checked();
  if (typeof intent === "string") trace.intent = visibleText(intent);
  const isWrite = checked.kind === "platform" && checked.action.traits.writes;
  trace.isRead = !isWrite;
  if (isWrite) trace.sets = changedFields(checked.action, checked.params);
  const key = isWrite ? asked.idempotencyKey() : undefined;
  const context: ExecuteContext = {
    timeout,
    signal,
    log,
    requestId,
    caller: id,
    ...(grant.entities === null ? {} : { entities: grant.entities }),
    ...(key === undefined ? {} : { idempotencyKey: JSON.stringify([id, key]) }),
    searched: (ms) => usage.spend("searchSeconds", ms / 1000),
    author: { id, name: caller.name, idempotencyKey: key, intent: trace.intent, isBlind: !hasRight(grant, "read") },
    onWrite: async () => options.audit?.begin(auditEntry(trace, caller.id, requestId, "begun")),
    ...(asked.answerBytes === undefined ? {} : { answerBytes: asked.answerBytes }),
    withTotal: asked.withTotal,
    ...(caller.isOperator === true ? {} : { platformLimits }),
    onCall: (call) => {
      usage.spend("points", call.points);
      trace.called(call);
      called?.(call);
      metrics.called(instance.connector.name, call);
    },
  };
  const work = async () => {
    if (checked.kind === "platform") await usage.check("points");
    else await usage.check("searchSeconds");
    if (isWrite) await usage.take("writes", 1);
    return checked.kind === "platform"
      ? executeChecked(instance, checked, context)
      : timed(trace, () => executeChecked(instance, checked, context));
  };
  if (!isWrite) return { result: await gate.hold(work()), replayed: false };
  const write = async (): Promise<KeyedResult> => {
    if (key === undefined) return { result: await work(), replayed: false };
    const resend = instance.connector.platform.rest?.idempotency !== undefined;
    const once = { caller: id, key, request: [instance.id, entity, action, params], timeout, signal, resend };
    return writeOnce(writes, once, work);
  };
  return gate.hold(audited(options.audit, asked, write));
}

/** Does a write, and resolves only when the audit log has its end, or cannot store it now. */
async function audited(
  audit: AuditLog | undefined,
  asked: ExecuteRequest,
  write: () => Promise<KeyedResult>,
): Promise<KeyedResult> {
  const { trace, caller, requestId } = asked;
  const note = async (outcome: string) => {
    trace.isAudited = true;
    await audit?.keep(auditEntry(trace, caller.id, requestId, outcome));
  };
  try {
    const performed = await write();
    await note(performed.replayed ? "replayed" : "done");
    return performed;
  } catch (thrown) {
    const { code } = asTenonError(thrown);
    // Nothing was sent, and a caller may be refused any number of times: the access log notes these together.
    if (code !== "too_many_requests") await note(code);
    throw thrown;
  }
}

/** Runs a search and notes how long it took, with its waiting. */
async function timed(trace: Trace, search: () => Promise<ExecuteResult>): Promise<ExecuteResult> {
  const started = performance.now();
  try {
    return await search();
  } finally {
    trace.searched(performance.now() - started);
  }
}
