import { type Caller, type Grant, mayUseEntity } from "../accounts/index.ts";
import { shown, TenonError } from "../base/errors.ts";
import { checkChanges, continued, type FeedAnswer, type FeedRequest, readFeed } from "../changes/index.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { requireRight } from "./callers/permission.ts";
import type { Gate } from "./gate.ts";
import { type Instances, instanceOf } from "./instance-of.ts";
import type { Usages } from "./limits/usages.ts";
import type { Trace } from "./monitoring/trace.ts";

/** What reading changes needs of the service. */
export interface ChangesOptions {
  readonly instances: Instances;
  readonly limits: Usages;
  readonly gate: Gate;
}

/** A caller who reads changes. */
export interface RequestedChanges {
  /** The caller as they are now. @throws TenonError `unauthorized` when the token is not accepted any longer */
  readonly caller: () => Caller | Promise<Caller>;
  readonly connectorId: unknown;
  readonly organization: string | undefined;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal;
  readonly trace: Trace;
}

/** Milliseconds after which it is looked again whether a caller who waits may still read. */
const lookAgain = 1000;

/** Checks what a caller wants of the change feed. @throws TenonError */
export async function askChanges(
  options: ChangesOptions,
  asked: RequestedChanges,
  given: Readonly<Record<string, unknown>>,
  isStream = false,
): Promise<FeedRequest> {
  const { trace } = asked;
  trace.deed = "changes.read";
  trace.isRead = true;
  const { instance, caller } = await admitted(options, asked);
  trace.instance = instance;
  const request = options.limits.of(caller).measure(() => checkChanges(instance.connector, instance.id, given, isStream));
  requireEntities(caller.grant, request);
  trace.checked();
  return request;
}

/**
 * Reads a page of the change feed. What the caller may see is looked up anew before the changes are read and before they are given, and
 * meanwhile each second.
 *
 * @throws TenonError for every failure, also when the caller has lost the right to read
 */
export async function readChanges(
  options: ChangesOptions,
  asked: RequestedChanges,
  { wait, ...first }: FeedRequest,
): Promise<FeedAnswer> {
  const until = performance.now() + wait;
  const signal = AbortSignal.any([asked.signal, options.gate.closed]);
  for (let request: FeedRequest = { ...first, wait: 0 }; ; ) {
    const { instance, caller } = await admitted(options, asked);
    requireEntities(caller.grant, request);
    const usage = options.limits.of(caller);
    await usage.check("searchSeconds");
    const { entities } = caller.grant;
    const answer = await readFeed(instance, request, {
      entities,
      caller: caller.id,
      signal,
      took: (ms) => usage.spend("searchSeconds", ms / 1000),
    });
    const { data, meta } = answer;
    const left = until - performance.now();
    if (data.length > 0 || meta.truncated || meta.has_more || left <= 0 || signal.aborted) return visible(options, asked, answer);
    request = { ...continued(request, answer), wait: Math.min(left, lookAgain) };
  }
}

/** Leaves only what the caller may see now: the rights may have changed while the caller waited. */
async function visible(options: ChangesOptions, asked: RequestedChanges, answer: FeedAnswer): Promise<FeedAnswer> {
  const { caller } = await admitted(options, asked);
  return { ...answer, data: answer.data.filter(({ entity }) => mayUseEntity(caller.grant, entity)) };
}

async function admitted(
  { instances }: ChangesOptions,
  { caller: find, connectorId, organization }: RequestedChanges,
): Promise<{ readonly caller: Caller; readonly instance: ConnectorInstance }> {
  const caller = await find();
  const instance = await instanceOf(instances, connectorId, { grant: caller.grant, organization });
  requireRight(caller.grant, "read");
  return { caller, instance };
}

/** @throws TenonError `forbidden` for an entity that the caller names and may not use */
function requireEntities(grant: Grant, { entities }: FeedRequest): void {
  const foreign = entities?.find((entity) => !mayUseEntity(grant, entity));
  if (foreign !== undefined) throw new TenonError("forbidden", `This token does not allow the entity "${shown(foreign)}".`);
}
