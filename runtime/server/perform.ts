import type { Caller, WriteStore } from "../accounts/index.ts";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/log.ts";
import { checkRequest, type ExecuteContext, type ExecuteResult, isObject, run } from "../execute/index.ts";
import type { Gate } from "./gate.ts";
import { writeOnce } from "./idempotency.ts";
import { type Instances, instanceOf } from "./instance-of.ts";
import type { Usage, Usages } from "./limits/usages.ts";
import { requireAction } from "./permission.ts";
import type { Trace } from "./trace.ts";

export interface PerformOptions {
  readonly instances: Instances;
  readonly log: Logger;
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
export async function perform(options: PerformOptions, asked: AskedAction): Promise<Performed> {
  const { instances, limits, gate, writes, timeout, log } = options;
  const { caller, body, trace, signal, requestId } = asked;
  const { grant, id } = caller;
  const instance = await instanceOf(instances, asked.connectorId, { grant, organization: asked.organization });
  if (body === undefined) throw new TenonError("invalid_json", "The body is empty.");
  const { entity, action } = isObject(body) ? body : {};
  trace.about(instance, entity, action);
  requireAction(grant, instance, entity, action);
  const checked = checkRequest(instance.connector, body);
  trace.checked();
  const usage = limits.of(caller);
  const isWrite = checked.kind === "platform" && checked.action.traits.writes;
  const context: ExecuteContext = {
    timeout,
    signal,
    log,
    requestId,
    onCall: (call) => {
      usage.spend("points", call.points);
      trace.called(call);
    },
  };
  const work = async () => {
    if (isWrite) usage.take("writes", 1);
    if (checked.kind === "platform") usage.check("points");
    else usage.check("searchSeconds");
    return checked.kind === "platform"
      ? run(instance, checked, context)
      : timed(usage, trace, () => run(instance, checked, context));
  };
  const key = isWrite ? asked.idempotencyKey() : undefined;
  if (key === undefined) return { kind: "result", result: await gate.hold(work()) };
  const once = { caller: id, key, request: [instance.id, body], timeout, signal };
  return { kind: "kept", ...(await gate.hold(writeOnce(writes, once, work))) };
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
