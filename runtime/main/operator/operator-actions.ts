import { type Caller, type Grant, hasRight } from "../../accounts/index.ts";
import type { Administration, FormFields, PageAction, PreparedAction } from "../../admin/index.ts";
import { TenonError } from "../../base/errors.ts";
import type { Logger } from "../../base/logger.ts";
import type { Connector } from "../../contract/index.ts";
import type { Proposals } from "../../policy/index.ts";
import { requireRight } from "../../server/callers/permission.ts";
import { type Instances, isVisible, type ListedInstance } from "../../server/instance-of.ts";
import { type Authorizations, authorize } from "../../server/routes/authorization-route.ts";
import {
  forgetScope,
  requireAllEntities,
  type SyncControl,
  startSync,
  stopSync,
} from "../../server/routes/sync-control-route.ts";
import type { Subscriptions } from "../../subscriptions/index.ts";
import type { Secured } from "../accounts.ts";
import type { AddOptions } from "./added-connectors.ts";
import { connectorActions } from "./operator-connectors.ts";
import { keyActions, seesCaller } from "./operator-keys.ts";
import { done, instancePagePath } from "./operator-pages.ts";
import { finder, proposalActions } from "./operator-proposals.ts";
import { managerOf, subscriptionActions } from "./operator-subscriptions.ts";

export interface OperatorActionsOptions extends Omit<AddOptions, "keys"> {
  readonly instances: Instances;
  readonly list: () => Promise<readonly ListedInstance[]>;
  readonly control: SyncControl;
  /** Absent where no connectors and callers can be stored. */
  readonly secured: Secured | undefined;
  readonly authorizations: Authorizations | undefined;
  readonly proposals: Proposals;
  readonly subscriptions: Subscriptions;
  readonly log: Logger;
  readonly connectors: readonly Connector[];
  /** Whether every platform is simulated: connectors that are added are then used from the next start on. */
  readonly isSimulated: boolean;
}

/** What the operator's page can change, over the functions of the routes and of the command line. */
export function operatorActions(options: OperatorActionsOptions): Administration {
  const { store, secured, connectors } = options;
  const stored =
    secured === undefined
      ? []
      : [...connectorActions({ ...options, keys: secured.keys }), ...keyActions({ ...options, keys: secured.keys })];
  return {
    actions: new Map<string, PageAction>([
      ...syncActions(options),
      ...proposalActions(options),
      ...(secured === undefined ? [] : subscriptionActions(options)),
      ["connector.authorize", authorizeAction(options)],
      ...stored,
    ]),
    permissions: ({ grant }) => ({
      sync: hasRight(grant, "sync"),
      control: hasRight(grant, "sync") && grant.entities === null,
      connectors: secured !== undefined && grant.entities === null,
      keys: secured !== undefined,
      subscribe: secured !== undefined && hasRight(grant, "read"),
    }),
    subscriptions: async (caller) => (secured === undefined ? [] : options.subscriptions.list(managerOf(options, caller))),
    proposals: (caller) => options.proposals.list(caller, finder(options, caller), "pending"),
    added: async () => new Set(secured === undefined ? [] : (await store.instances()).map(({ id }) => id)),
    connectors: connectors.map(({ name, title, platform }) => ({
      name,
      title,
      kinds: platform.auth.kinds.map((kind) => `${kind.name}: ${Object.keys(kind.values).join(", ")}`),
      variables: Object.keys(platform.variables ?? {}),
    })),
    callers: async ({ grant }) => {
      if (secured === undefined) return [];
      const all = await Promise.all([store.callers("key"), store.callers("client")]);
      return all
        .flat()
        .filter((one) => seesCaller(grant, one))
        .sort((one, other) => other.createdAt - one.createdAt);
    },
  };
}

/** The instance that a form names. @throws TenonError `unknown_connector` for one that the caller does not see */
async function requireInstance(
  options: OperatorActionsOptions,
  { grant }: Caller,
  { instance = "" }: FormFields,
): Promise<string> {
  const found = (await options.list()).find((one) => one.id === instance && isVisible({ grant }, one));
  if (found === undefined) throw new TenonError("unknown_connector", "There is no connector with this id.");
  return found.id;
}

function syncActions(options: OperatorActionsOptions): [string, PageAction][] {
  const { control } = options;
  /** An action of somebody who may sync the instance. */
  const action = (
    check: (grant: Grant) => void,
    make: (id: string, fields: FormFields) => Omit<PreparedAction, "back">,
  ): PageAction => {
    return async (caller, fields) => {
      const id = await requireInstance(options, caller, fields);
      requireRight(caller.grant, "sync");
      check(caller.grant);
      return { ...make(id, fields), back: instancePagePath(id) };
    };
  };
  const asker = (id: string, { caller, trace }: Parameters<PreparedAction["run"]>[0]) => {
    return { grant: caller.grant, id, organization: undefined, trace };
  };
  return [
    [
      "sync.start",
      action(
        () => undefined,
        (id, { scope = "", full = "" }) => ({
          question: `Sync ${id} now?`,
          facts: [
            { name: "Scopes", value: scope === "" ? "those of its schedule" : scope },
            { name: "Reads", value: full === "" ? "what has changed" : "everything again" },
          ],
          warning: "It uses the platform's rate limit.",
          verb: "Sync now",
          run: async (context) => {
            const body = { ...(scope === "" ? {} : { scopes: [scope] }), full: full !== "" };
            const scopes = await startSync(control, asker(id, context), body);
            return done(`The sync of ${id} has started: ${scopes.join(", ")}.`, instancePagePath(id));
          },
        }),
      ),
    ],
    [
      "sync.stop",
      action(
        (grant) => requireAllEntities(grant, "the sync that runs may be of others too"),
        (id) => ({
          question: `Stop the sync of ${id}?`,
          facts: [],
          warning:
            "It stops after the page that it reads, and the next sync continues from there. Only syncs of this process are stopped.",
          verb: "Stop",
          run: async (context) => {
            const stopped = await stopSync(control, asker(id, context));
            return done(
              stopped ? `The sync of ${id} was stopped.` : `This process does not sync ${id} now.`,
              instancePagePath(id),
            );
          },
        }),
      ),
    ],
    [
      "sync.forget",
      action(
        (grant) => requireAllEntities(grant, "a scope has records of others too"),
        (id, { scope = "" }) => ({
          question: `Forget ${scope} of ${id}?`,
          facts: [{ name: "Scope", value: scope }],
          warning:
            "Its cached records are removed, and nothing on the platform. If it is on a schedule, the next sync reads it again.",
          verb: "Forget",
          run: async (context) => {
            const { removed } = await forgetScope(control, asker(id, context), scope, context.signal);
            return done(`The scope ${scope} is forgotten: ${removed} records were removed.`, instancePagePath(id));
          },
        }),
      ),
    ],
  ];
}

function authorizeAction(options: OperatorActionsOptions): PageAction {
  return async (caller, fields) => {
    const id = await requireInstance(options, caller, fields);
    return {
      question: `Authorize ${id}?`,
      facts: [],
      warning: "You get the address of the platform's page, where a user agrees within ten minutes.",
      verb: "Authorize",
      back: instancePagePath(id),
      run: async ({ trace }) => {
        const asker = { caller, id, organization: undefined, trace };
        const { url } = await authorize(options.instances, options.authorizations, asker);
        const links = [
          { href: url, text: "Open the platform's page" },
          { href: instancePagePath(id), text: "Back" },
        ];
        return done(`A user has ten minutes to authorize ${id} on the platform's page.`, instancePagePath(id), { links });
      },
    };
  };
}
