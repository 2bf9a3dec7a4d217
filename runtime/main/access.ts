import { HostedTransport, type ReachedInstance } from "../client/hosted.ts";
import type { HostedOptions } from "../client/options.ts";
import type { Answered, ChangesQuery, Triple } from "../client/transport.ts";
import type { Settings } from "./settings/settings.ts";

/** Where actions run for a program that is not the service: on a service elsewhere, or in its own process. */
export interface ActionAccess {
  readonly hosted: boolean;
  /** @throws TenonError, or the reason of the signal */
  execute(connectorId: string, triple: Triple, call?: AccessCall): Promise<Answered>;
  /** Reads a page of the change feed. @throws as `execute` */
  changes(connectorId: string, query: ChangesQuery, call?: Pick<AccessCall, "signal">): Promise<Answered>;
  /** The connector instances that can be used. */
  instances(): Promise<readonly ReachedInstance[]>;
  /** Whether an action changes something on the platform. One that no spec knows counts as one that does. */
  writes(connectorId: string, entity: string, action: string): boolean;
  close(): Promise<void>;
}

export interface AccessCall {
  readonly signal?: AbortSignal | undefined;
  /** A write with the same key is done once. Default: a new key on a service, none without a service. */
  readonly idempotencyKey?: string;
  /** Bytes that the records of a cached search of this process should not exceed. Default: those of any search. */
  readonly answerBytes?: number;
  /** A list that this process reads says how many records there are. */
  readonly withTotal?: boolean;
  /** Milliseconds. Default: the setting TENON_TIMEOUT_MS. */
  readonly timeout?: number;
}

export interface AccessOptions {
  /** Workspace in which the service looks up the instance of a connector; the id of a call is then the connector's name. */
  readonly workspace?: string | undefined;
  readonly organization?: string | undefined;
}

/** The service that the setting `url` names, and who calls it. */
export function callerOf({ url, apiKey, clientId, clientSecret }: Settings): HostedOptions {
  if (apiKey !== "") return { baseUrl: url, apiKey };
  return { baseUrl: url, clientId: clientId || undefined, clientSecret: clientSecret || undefined };
}

/** The way to one connector of the service that the setting `url` names. @throws CallError when nothing says who calls */
export function hostedTransport(settings: Settings, { workspace, organization }: AccessOptions, id: string): HostedTransport {
  return new HostedTransport(id, {
    ...callerOf(settings),
    ...(workspace === undefined ? { connectorId: id } : { workspace }),
    organization,
  });
}

/** The way to run actions on the service that the setting `url` names. @param usual milliseconds that a call may take */
export function hostedAccess(
  settings: Settings,
  options: AccessOptions,
  usual: number,
  writes: ActionAccess["writes"],
): ActionAccess {
  const transports = new Map<string, HostedTransport>();
  const transportTo = (id: string): HostedTransport => {
    const known = transports.get(id);
    if (known !== undefined) return known;
    const made = hostedTransport(settings, options, id);
    transports.set(id, made);
    return made;
  };
  return {
    hosted: true,
    writes,
    instances: () => transportTo("").instances(AbortSignal.timeout(usual)),
    execute: (connectorId, triple, { signal, timeout = usual, idempotencyKey: given } = {}) => {
      const changes = writes(connectorId, triple.entity, triple.action);
      const idempotencyKey = changes ? (given ?? globalThis.crypto.randomUUID()) : undefined;
      const requestId = globalThis.crypto.randomUUID();
      return transportTo(connectorId).execute(triple, { writes: changes, signal, timeout, idempotencyKey, requestId });
    },
    changes: (connectorId, query, { signal } = {}) => {
      const requestId = globalThis.crypto.randomUUID();
      const timeout = usual + (query.wait ?? 0) * 1000;
      return transportTo(connectorId).changes(query, { writes: false, signal, timeout, idempotencyKey: undefined, requestId });
    },
    close: async () => undefined,
  };
}
