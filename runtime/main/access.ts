import { TenonError } from "../base/errors.ts";
import { flushed, type LogSink } from "../base/log.ts";
import { checkChanges, readFeed } from "../changes/index.ts";
import { HostedTransport, type ReachedInstance } from "../client/hosted.ts";
import type { Answered, ChangesQuery, Triple } from "../client/transport.ts";
import { actionOf, actionTraits, type Connector, isStoreAction } from "../contract/index.ts";
import { type ConnectorInstance, execute, simulatedMark } from "../execute/index.ts";
import { writeOnce } from "../policy/index.ts";
import { type Accounts, openAccounts } from "./accounts.ts";
import { type Assembly, assemble } from "./assembly.ts";
import { type StoredInstances, storedInstances } from "./instances/stored-instances.ts";
import type { Settings } from "./settings/settings.ts";

/** Where actions run for a program that is not the service: on a service elsewhere, or in its own process. */
export interface Access {
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
  /** Milliseconds. Default: the setting TENON_TIMEOUT_MS. */
  readonly timeout?: number;
}

export interface AccessOptions {
  /** Workspace in which the service looks up the instance of a connector; the id of a call is then the connector's name. */
  readonly workspace?: string | undefined;
  readonly organization?: string | undefined;
}

/**
 * Opens the way to run actions: hosted where the setting `url` names a service, otherwise in this process, with the same settings, data
 * folder and simulated platforms as `tenon serve`.
 */
export function openAccess(settings: Settings, options: AccessOptions, sink: LogSink, connectors: readonly Connector[]): Access {
  const writes: Access["writes"] = (connectorId, entity, action) => {
    if (isStoreAction(action)) return false;
    const connector = connectors.find(({ name }) => name === connectorId);
    const own = connector && actionOf(connector, entity, action);
    const traits = Object.entries<{ readonly writes: boolean }>(actionTraits).find(([name]) => name === action)?.[1];
    return own?.traits.writes ?? traits?.writes ?? true;
  };
  const timeout = settings.timeoutMs;
  return settings.url === "" ? local(settings, sink, connectors, timeout, writes) : hosted(settings, options, timeout, writes);
}

/** The way to one connector of the service that the setting `url` names. @throws CallError when nothing says who calls */
export function hostedTransport(
  { url, apiKey, clientId, clientSecret }: Settings,
  { workspace, organization }: AccessOptions,
  id: string,
): HostedTransport {
  return new HostedTransport(id, {
    baseUrl: url,
    ...(apiKey === "" ? { clientId: clientId || undefined, clientSecret: clientSecret || undefined } : { apiKey }),
    ...(workspace === undefined ? { connectorId: id } : { workspace }),
    organization,
  });
}

function hosted(settings: Settings, options: AccessOptions, usual: number, writes: Access["writes"]): Access {
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

/** The caller of writes without a service, among those whose idempotency keys are stored. */
const localCaller = "local";
const localAuthor = { id: localCaller, name: localCaller };

interface Opened {
  readonly accounts: Accounts;
  readonly assembly: Assembly;
  /** Instances that were added; absent where there is no secret key. */
  readonly stored: StoredInstances | undefined;
}

function local(
  settings: Settings,
  sink: LogSink,
  connectors: readonly Connector[],
  usual: number,
  writes: Access["writes"],
): Access {
  let opening: Promise<Opened> | undefined;
  const open = async (): Promise<Opened> => {
    const accounts = await openAccounts(settings);
    const assembly = await assemble(settings, sink, connectors, accounts);
    return { accounts, assembly, stored: storedInstances(settings, accounts, connectors, assembly) };
  };
  /** @param id the one instance that is used, which saves the start of the others' simulators */
  const opened = async (id?: string): Promise<Opened> => {
    opening ??= open();
    const all = await opening;
    await all.assembly.usable(id);
    return all;
  };
  const instanceOf = async (id: string): Promise<Opened & { readonly instance: ConnectorInstance }> => {
    const all = await opened(id);
    const { assembly, stored } = all;
    const off = assembly.off.get(id);
    if (off !== undefined) throw new TenonError("connector_not_configured", off);
    const instance = assembly.instances.get(id) ?? (await stored?.find(id));
    if (instance !== undefined) return { ...all, instance };
    const names = connectors.map(({ name }) => name).join(", ");
    throw new TenonError("unknown_connector", `There is no connector "${id}"; there is ${names}.`);
  };
  return {
    hosted: false,
    writes,
    instances: async () => {
      const { assembly, stored } = await opened();
      const own = [...assembly.instances].map(([id, one]) => ({ id, connector: one.connector.name, ...simulatedMark(one) }));
      const added = (await stored?.list()) ?? [];
      return [...own, ...added.map(({ id, connector }) => ({ id, connector }))];
    },
    execute: async (connectorId, triple, { signal, timeout = usual, idempotencyKey: key, answerBytes } = {}) => {
      signal?.throwIfAborted();
      const { instance, assembly, accounts } = await instanceOf(connectorId);
      const requestId = globalThis.crypto.randomUUID();
      const gone = signal ?? new AbortController().signal;
      const bound = answerBytes === undefined ? {} : { answerBytes };
      const work = () =>
        execute(instance, triple, {
          timeout,
          signal: gone,
          log: assembly.log,
          requestId,
          author: { ...localAuthor, idempotencyKey: key },
          ...bound,
        });
      try {
        if (key === undefined || !writes(instance.connector.name, triple.entity, triple.action)) {
          const { data, meta } = await work();
          return { data, meta };
        }
        const request = [instance.id, triple.entity, triple.action, triple.params];
        return (await writeOnce(accounts.store, { caller: localCaller, key, request, timeout, signal: gone }, work)).result;
      } catch (thrown) {
        throw signal?.aborted === true ? signal.reason : thrown;
      }
    },
    changes: async (connectorId, query, { signal = new AbortController().signal } = {}) => {
      const { instance } = await instanceOf(connectorId);
      const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
      const answer = await readFeed(instance, checkChanges(instance.connector, instance.id, given), { entities: null, signal });
      signal.throwIfAborted();
      return answer;
    },
    close: async () => {
      const all = await opening?.catch(() => undefined);
      await all?.assembly.close();
      await all?.accounts.close();
      await flushed(sink);
    },
  };
}
