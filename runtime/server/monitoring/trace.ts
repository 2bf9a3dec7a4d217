import type { Response } from "express";
import type { TenonError } from "../../base/errors.ts";
import type { EndedCall } from "../../base/platform-use.ts";
import { actionTraits, isStoreAction } from "../../contract/index.ts";
import type { ConnectorInstance, ExecuteResult } from "../../execute/index.ts";

/** What is noted about one request while it runs: names of the specs and times, never a value of the request. Times are milliseconds. */
export class Trace {
  instance: ConnectorInstance | undefined;
  entity: string | undefined;
  action: string | undefined;
  /** What it does, for the audit log, such as `issues.create` or `sync.start`; undefined where that is not noted. */
  deed: string | undefined;
  /** Id of what it is done to, where that is no instance, such as a key. */
  target: string | undefined;
  /** Why it failed, also where the response itself has the status 200, as for a tool of MCP. */
  failure: TenonError | undefined;
  /** Why, in the words of the caller. */
  intent: string | undefined;
  /** Names of the fields that a write sets. */
  sets: readonly string[] | undefined;
  /** Set when the audit log has the request already. */
  isAudited = false;
  /** Set for an action that changes nothing. */
  isRead = false;
  /** From the beginning until the request had passed all checks. */
  validation: number | undefined;
  /** Calls to the platform: how many, how long they waited for their turn, and how long the platform took. */
  calls = 0;
  queue = 0;
  platform = 0;
  /** Time of a cached search. */
  store: number | undefined;
  /** How many warnings of each code its answer has. */
  readonly warnings = new Map<string, number>();
  readonly #started = performance.now();

  /** Notes what an action is about. A name that the connector does not have is not noted: it may be anything. */
  about(instance: ConnectorInstance, entity: unknown, action: unknown): void {
    this.instance = instance;
    const { entities } = instance.connector;
    if (typeof entity === "string" && Object.hasOwn(entities, entity)) this.entity = entity;
    const own = this.entity === undefined ? {} : (entities[this.entity]?.actions ?? {});
    const isKnown = (name: string) => isStoreAction(name) || Object.hasOwn(actionTraits, name) || Object.hasOwn(own, name);
    if (typeof action === "string" && isKnown(action)) this.action = action;
    this.deed = `${this.entity ?? "unknown"}.${this.action ?? "unknown"}`;
  }

  checked(): void {
    this.validation = performance.now() - this.#started;
  }

  called({ waited, took }: EndedCall): void {
    this.calls++;
    this.queue += waited;
    this.platform += took;
  }

  warned({ warnings = [] }: ExecuteResult["meta"]): void {
    for (const { code } of warnings) this.warnings.set(code, (this.warnings.get(code) ?? 0) + 1);
  }

  searched(took: number): void {
    this.store = took;
  }

  /** The members of a line of the log. */
  get fields(): Readonly<Record<string, unknown>> {
    const { instance, entity, action, validation, calls, queue, platform, store } = this;
    const called = calls === 0 ? {} : { calls, queueMs: rounded(queue), platformMs: rounded(platform), quota: this.quota };
    const searched = store === undefined ? {} : { storeMs: rounded(store) };
    const checkedIn = validation === undefined ? {} : { validationMs: rounded(validation) };
    return { connector: instance?.id, entity, action, ...checkedIn, ...called, ...searched };
  }

  /** Calls that the platform still allows in this hour, by its last answers. */
  get quota(): { readonly graphql: number | undefined; readonly rest: number | undefined } | undefined {
    const client = this.instance?.client;
    return client === undefined ? undefined : { graphql: client.quotaLeft("graphql"), rest: client.quotaLeft("rest") };
  }
}

/** The trace of a request, which is made when it is first asked for. */
export function traceOf({ locals }: Response): Trace {
  const known: Trace | undefined = locals["trace"];
  const trace = known ?? new Trace();
  locals["trace"] = trace;
  return trace;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
