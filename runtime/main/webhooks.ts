import { fullGrant, type HintStore } from "../accounts/index.ts";
import { TenonError } from "../base/errors.ts";
import type { Connector } from "../contract/index.ts";
import { instanceOf } from "../server/instance-of.ts";
import type { InstanceHealth } from "../server/monitoring/instance-health.ts";
import type { InstanceWebhooks } from "../server/monitoring/webhook-gauges.ts";
import type { Webhooks } from "../server/routes/webhook-route.ts";
import type { ManagedWebhooks } from "../server/routes/webhooks-route.ts";
import { type ToldScopes, upkeepOf } from "../sync/index.ts";
import { AddedWebhooks, WebhookInbox } from "../webhooks/index.ts";
import type { Accounts } from "./accounts.ts";
import type { Assembly } from "./assembly.ts";
import type { StoredInstances } from "./instances/stored-instances.ts";
import type { Settings } from "./settings/settings.ts";
import { secretsByInstance } from "./webhook-secrets.ts";

/** The scopes of which webhooks come in. @param minutes between two syncs of such a scope */
export function toldScopes(store: HintStore, minutes: number): ToldScopes {
  return { minutes, since: (id, time) => store.toldScopes(id, time) };
}

interface WebhookParts extends Pick<Assembly, "instances" | "off"> {
  readonly settings: Settings;
  readonly accounts: Accounts;
  readonly connectors: readonly Connector[];
  readonly stored: StoredInstances | undefined;
  readonly onHints: () => void;
  readonly count: Webhooks["count"];
  /** The address on which the service listens. */
  readonly url: () => string;
}

export interface PlatformWebhooks extends Webhooks, ManagedWebhooks {
  /** What the metrics show of instances of which webhooks have named something. */
  readonly states: (all: readonly InstanceHealth[]) => Promise<readonly InstanceWebhooks[]>;
}

/** How webhooks of platforms are taken. */
export function platformWebhooks(parts: WebhookParts): PlatformWebhooks {
  const { settings, accounts, connectors, instances, off, stored, onHints, count, url } = parts;
  const secrets = secretsByInstance(settings.webhookSecrets);
  const { store, secured } = accounts;
  const added = secured && new AddedWebhooks(store, secured.keys);
  const since = () => Date.now() - settings.webhookSyncMinutes * 60_000;
  return {
    added,
    count,
    address: (isNear) => settings.publicUrl || (isNear ? url() : undefined),
    named: async (id) => new Map((await store.toldScopes(id, 0)).map(({ scope, at }) => [scope, at])),
    inbox: new WebhookInbox(store, onHints),
    secrets: async (id, scope) => [
      ...(secrets.get(id) ?? []),
      ...(scope === undefined ? [] : ((await added?.secrets(id, scope)) ?? [])),
    ],
    find: (id) =>
      instanceOf({ instances, off, stored }, id, { grant: fullGrant }).catch((thrown: unknown) => {
        if (thrown instanceof TenonError && ["unknown_connector", "connector_not_configured"].includes(thrown.code))
          return undefined;
        throw thrown;
      }),
    state: async (id) => {
      if (!secrets.has(id) && ((await added?.of(id)) ?? []).length === 0) return undefined;
      const [told, waiting] = await Promise.all([store.toldScopes(id, 0), store.waitingHints()]);
      return { told, since: since(), waiting: waiting.find(({ instance }) => instance === id)?.hints ?? 0 };
    },
    states: async (all) => {
      // The file of the accounts is made when it is first used.
      if (secrets.size === 0 && added === undefined) return [];
      const [told, waiting] = await Promise.all([store.toldScopes(null, 0), store.waitingHints()]);
      const ofInstance = Map.groupBy(told, ({ instance }) => instance);
      return all.flatMap(({ id, connector: name, scopes }): InstanceWebhooks[] => {
        const own = ofInstance.get(id) ?? [];
        const hints = waiting.find(({ instance }) => instance === id)?.hints ?? 0;
        const connector = connectors.find((one) => one.name === name);
        if (connector === undefined || (own.length === 0 && hints === 0)) return [];
        const names = scopes.map(({ scope }) => scope);
        const kept = upkeepOf(connector, names, { told: own, since: since() });
        const by = kept.filter((one) => one.by === "webhooks").length;
        return [{ instance: id, webhooks: by, schedule: kept.length - by, waiting: hints }];
      });
    },
  };
}
