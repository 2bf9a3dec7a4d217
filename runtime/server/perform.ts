import type { AuditLog, Caller, WriteStore } from "../accounts/index.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { checkRequest, type EndedCall, type ExecuteContext, type ExecuteResult, isObject, run } from "../execute/index.ts";
import { auditEntry } from "./access-log.ts";
import type { Gate } from "./gate.ts";
import { writeOnce } from "./idempotency.ts";
import { type Instances, instanceOf } from "./instance-of.ts";
import type { Usage, Usages } from "./limits/usages.ts";
import type { Metrics } from "./metrics.ts";
import { requireAction } from "./permission.ts";
import { inSpan } from "./spans.ts";
import type { Trace } from "./trace.ts";

export interface PerformOptions {
  readonly instances: Instances;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "called">;
  /** Absent where no audit log is kept. */
  readonly audit?: AuditLog | undefined;
  readonly gate: Gate;
  readonly limits: Usages;
  /** Where writes with an `Idempotency-Key` are noted. */
  readonly writes: WriteStore;
  /** Milliseconds that one action may take. */
  readonly timeout: number;
}

/** An action that a caller asks for. */
export interface AskedAction {
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
  /** Takes what is noted about the action, for log, metrics and audit. */
  readonly trace: Trace;
}

/** What an action gave: its result, or the first answer to a write with the same key, as JSON. */
export type Performed =
  | { readonly kind: "result"; readonly result: ExecuteResult }
  | { readonly kind: "kept"; readonly answer: string; readonly replayed: boolean };

/**
 * Runs an action for a caller, if the caller may have it: the one way from HTTP to the actions.
 *
 * @throws TenonError for every failure
 */
export function perform(options: PerformOptions, asked: AskedAction): Promise<Performed> {
  return inSpan(asked, (called) => performNow(options, asked, called));
}

async function performNow(options: PerformOptions, asked: AskedAction, called: (call: EndedCall) => void): Promise<Performed> {
  const { instances, limits, gate, writes, timeout, log, metrics } = options;
  const { caller, body, trace, signal, requestId } = asked;
  const { grant, id } = caller;
  const instance = await instanceOf(instances, asked.connectorId, { grant, organization: asked.organization });
  if (body === undefined) throw new TenonError("invalid_json", "The body is empty.");
  const { entity, action, params, intent } = isObject(body) ? body : {};
  trace.about(instance, entity, action);
  requireAction(grant, instance, entity, action);
  const checked = checkRequest(instance.connector, body);
  trace.checked();
  if (typeof intent === "string") trace.intent = intent;
  const usage = limits.of(caller);
  const isWrite = checked.kind === "platform" && checked.action.traits.writes;
  const context: ExecuteContext = {
    timeout,
    signal,
    log,
    requestId,
    caller: id,
    onCall: (call) => {
      usage.spend("points", call.points);
      trace.called(call);
      called(call);
      metrics.called(instance.connector.name, call);
    },
  };
  const work = async () => {
    if (checked.kind === "platform") await usage.check("points");
    else await usage.check("searchSeconds");
    if (isWrite) await usage.take("writes", 1);
    return checked.kind === "platform"
      ? run(instance, checked, context)
      : timed(usage, trace, () => run(instance, checked, context));
  };
  const key = isWrite ? asked.idempotencyKey() : undefined;
  if (!isWrite) return { kind: "result", result: await gate.hold(work()) };
  const write = async (): Promise<Performed> => {
    if (key === undefined) return { kind: "result", result: await work() };
    const once = { caller: id, key, request: [instance.id, entity, action, params], timeout, signal };
    return { kind: "kept", ...(await writeOnce(writes, once, work)) };
  };
  return gate.hold(audited(options.audit, asked, write));
}

/** Does a write, and resolves only when the audit log has it. */
async function audited(audit: AuditLog | undefined, asked: AskedAction, write: () => Promise<Performed>): Promise<Performed> {
  const { trace, caller, requestId } = asked;
  const note = async (outcome: string) => {
    trace.isAudited = true;
    await audit?.keep(auditEntry(trace, caller.id, requestId, outcome));
  };
  try {
    const performed = await write();
    await note(performed.kind === "kept" && performed.replayed ? "replayed" : "done");
    return performed;
  } catch (thrown) {
    await note(asTenonError(thrown).code);
    throw thrown;
  }
}

/** Runs a search and takes its time from the caller's budget. */
async function timed(usage: Usage, trace: Trace, search: () => Promise<ExecuteResult>): Promise<ExecuteResult> {
  const started = performance.now();
  try {
    return await search();
  } finally {
    const took = performance.now() - started;
    usage.spend("searchSeconds", took / 1000);
    trace.searched(took);
  }
}
