import type { Response } from "express";
import type { ConnectorInstance, EndedCall } from "../execute/index.ts";

/** What is noted about one action while it runs: names and times, never a value of the request. Times are milliseconds. */
export class Trace {
  instance: ConnectorInstance | undefined;
  entity: string | undefined;
  action: string | undefined;
  /** From the beginning until the request was found to be right. */
  validation: number | undefined;
  /** Calls to the platform: how many, how long they waited for their turn, and how long the platform took. */
  calls = 0;
  queue = 0;
  platform = 0;
  /** Time of a cached search. */
  store: number | undefined;
  readonly #started = performance.now();

  about(instance: ConnectorInstance, entity: unknown, action: unknown): void {
    this.instance = instance;
    this.entity = nameOf(entity);
    this.action = nameOf(action);
  }

  checked(): void {
    this.validation = performance.now() - this.#started;
  }

  called({ waited, took }: EndedCall): void {
    this.calls++;
    this.queue += waited;
    this.platform += took;
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

/** A name of the request, for the log: nothing that is not a text, and only the beginning of a long one. */
function nameOf(name: unknown): string | undefined {
  return typeof name === "string" ? name.slice(0, 64) : undefined;
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
