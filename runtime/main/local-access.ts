import { TenonError } from "../base/errors.ts";
import { flushed, type LogSink } from "../base/log.ts";
import { checkChanges, readFeed } from "../changes/index.ts";
import type { Connector } from "../contract/index.ts";
import { type ConnectorInstance, execute } from "../execute/index.ts";
import { writeOnce } from "../policy/index.ts";
import type { ActionAccess } from "./access.ts";
import { type Accounts, openAccounts } from "./accounts.ts";
import { type Assembly, assemble } from "./assembly.ts";
import { type StoredInstances, storedInstances } from "./instances/stored-instances.ts";
import { unknownConnector } from "./known-connector.ts";
import { ownCommand } from "./own-command.ts";
import type { Settings } from "./settings/settings.ts";

/** The caller of writes without a service, among those whose idempotency keys are stored. */
const localCaller = "local";
const localAuthor = { id: localCaller, name: localCaller };

interface Opened {
  readonly accounts: Accounts;
  readonly assembly: Assembly;
  /** Instances that were added; absent where there is no secret key. */
  readonly stored: StoredInstances | undefined;
}

/** The way to run actions in this process. @param usual milliseconds that a call may take unless it says otherwise */
export function localAccess(
  settings: Settings,
  sink: LogSink,
  connectors: readonly Connector[],
  usual: number,
  writes: ActionAccess["writes"],
): ActionAccess {
  let opening: Promise<Opened> | undefined;
  const open = async (): Promise<Opened> => {
    const accounts = await openAccounts(settings);
    const assembly = await assemble(settings, sink, connectors, accounts, ownCommand(settings));
    return { accounts, assembly, stored: storedInstances(settings, accounts, connectors, assembly) };
  };
  const started = (): Promise<Opened> => {
    opening ??= open();
    return opening;
  };
  const instanceOf = async (id: string): Promise<Opened & { readonly instance: ConnectorInstance }> => {
    const all = await started();
    const { assembly, stored } = all;
    const off = assembly.off.get(id);
    if (off !== undefined) throw new TenonError("connector_not_configured", off);
    const instance = assembly.instances.get(id) ?? (await stored?.find(id));
    if (instance !== undefined) return { ...all, instance };
    throw unknownConnector(id, connectors);
  };
  return {
    hosted: false,
    writes,
    instances: async () => {
      const { assembly, stored } = await started();
      const own = [...assembly.instances].map(([id, { simulated }]) => ({
        id,
        connector: id,
        ...(simulated === true ? { simulated } : {}),
      }));
      const added = (await stored?.list()) ?? [];
      const all = [...own, ...added.map(({ id, connector }) => ({ id, connector }))];
      // Models cache what lists them: the order is always the same.
      return all.sort((one, other) => (one.id < other.id ? -1 : 1));
    },
    execute: async (connectorId, triple, { signal, timeout = usual, idempotencyKey: key, answerBytes, withTotal } = {}) => {
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
          withTotal,
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
      const answer = await readFeed(instance, checkChanges(instance.connector, instance.id, given), {
        entities: null,
        caller: "",
        signal,
      });
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
