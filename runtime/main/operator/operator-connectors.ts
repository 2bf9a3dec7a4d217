import { type Caller, seesEveryInstance, seesInstance } from "../../accounts/index.ts";
import type { FormFields, PageAction } from "../../admin/index.ts";
import { invalidRequest, TenonError } from "../../base/errors.ts";
import { Faults } from "../../base/faults.ts";
import { receiverProblem } from "../../platform/address-rules.ts";
import { requireAllEntities } from "../../server/routes/sync-control-route.ts";
import {
  type AddOptions,
  checkedConnector,
  checkedCredential,
  type NewConnector,
  noConnector,
  storeConnector,
  storeCredential,
} from "./added-connectors.ts";
import { done, instancePagePath, linesOf } from "./operator-pages.ts";

interface Options extends AddOptions {
  /** Whether connectors that are added are used from the next start on only. */
  readonly isSimulated: boolean;
}

/** Adds connectors and rotates their credentials, for the operator's page. */
export function connectorActions(options: Options): [string, PageAction][] {
  return [
    ["connector.add", addAction(options)],
    ["connector.rotate", rotateAction(options)],
  ];
}

function addAction(options: Options): PageAction {
  return async (caller, fields) => {
    const { grant } = caller;
    requireAllEntities(grant, "a connector has all of them");
    const given = connectorOf(fields);
    if (caller.isOperator !== true) refuseNear(given, options.allowPrivate);
    const platforms = sharedWith(options, caller, given);
    const instance = await checkedConnector({ ...options, platforms }, given);
    if (!seesInstance(grant, instance))
      throw new TenonError(
        "forbidden",
        "This key could not use the connector: it is narrowed to other instances, workspaces or an organization.",
      );
    const { id, connector, workspace, organization, scopes, minutes, rest, graphql, variables } = instance;
    return {
      question: `Add the connector ${id}?`,
      facts: [
        { name: "Platform", value: connector },
        { name: "Workspace", value: organization === null ? workspace : `${organization} / ${workspace}` },
        { name: "Address", value: [rest, graphql].filter((one) => one !== null).join(", ") },
        {
          name: "Variables",
          value: Object.entries(variables)
            .map(([name, value]) => `${name}=${value}`)
            .join(", "),
        },
        { name: "Syncs", value: scopes.length === 0 ? "nothing on a schedule" : `${scopes.join(", ")} every ${minutes} min` },
        {
          name: "Credential",
          value: given.credential.later === true ? "a user authorizes it on the platform" : "as given; it is stored encrypted",
        },
      ].filter(({ value }) => value !== ""),
      warning: options.isSimulated ? "Every platform is simulated now: the connector is used from the next start on." : "",
      verb: "Add the connector",
      back: "/admin/connectors/new",
      run: async ({ trace }) => {
        trace.deed = "connector.add";
        trace.target = id;
        await storeConnector(options, instance);
        return done(`The connector ${id} is added.`, options.isSimulated ? "/admin" : instancePagePath(id));
      },
    };
  };
}

function rotateAction(options: Options): PageAction {
  return async (caller, fields) => {
    const { grant } = caller;
    requireAllEntities(grant, "a connector has all of them");
    const { instance: id = "" } = fields;
    const stored = await options.store.instance(id);
    if (stored === undefined || !seesInstance(grant, stored)) throw noConnector(id);
    const platforms = sharedWith(options, caller, stored);
    const credential = await checkedCredential({ ...options, platforms }, id, credentialOf(fields));
    return {
      question: `Replace the credential of ${id}?`,
      facts: [{ name: "Kind", value: credential.kind }],
      warning: "Calls that are under way end with the former credential. The new one is stored encrypted.",
      verb: "Replace the credential",
      back: instancePagePath(id),
      run: async ({ trace }) => {
        trace.deed = "connector.rotate";
        trace.target = id;
        await storeCredential(options.store, id, credential);
        return done(`The connector ${id} uses the new credential from its next request on.`, instancePagePath(id));
      },
    };
  };
}

interface Addresses {
  readonly rest?: string | null | undefined;
  readonly graphql?: string | null | undefined;
  readonly variables: readonly string[] | Readonly<Record<string, string>>;
}

/**
 * The secrets of the settings that a caller may use for an instance. With the right `admin` alone, nobody sends them to an address of their
 * own. Whoever does not see every instance uses no app of the settings either: its installations are only numbers, so that those of other
 * organizations could be named.
 */
function sharedWith(
  { platforms, connectors }: Pick<Options, "platforms" | "connectors">,
  { grant, isOperator }: Caller,
  given: Addresses,
): Options["platforms"] {
  if (isOperator === true) return platforms;
  if (hasOwnAddresses(given)) return {};
  if (seesEveryInstance(grant)) return platforms;
  const apps = connectors.flatMap(({ name, platform: { auth } }) =>
    auth.kinds.filter((kind) => kind.grant?.by === "app").map((kind) => `${name} ${kind.name}`),
  );
  const entries = Object.entries(platforms).map(([name, { shared = {} }]) => {
    const rest = Object.entries(shared).filter(([kind]) => !apps.includes(`${name} ${kind}`));
    return [name, { shared: Object.fromEntries(rest) }];
  });
  return Object.fromEntries(entries);
}

/**
 * Refuses addresses of this machine too. Only whoever has the key of the settings may let calls go there: with the right `admin` alone, one
 * could reach through them what nobody else on the network can.
 *
 * @throws TenonError `invalid_request`
 */
function refuseNear({ rest, graphql }: Addresses, allowPrivate: boolean): void {
  const faults = new Faults();
  for (const [place, address] of Object.entries({ "base-url": rest, "graphql-url": graphql })) {
    const problem = typeof address === "string" ? receiverProblem(address, allowPrivate) : undefined;
    if (problem !== undefined) faults.add([place], "bad_address", `The address ${problem}.`);
  }
  if (faults.any) throw invalidRequest(faults.list);
}

/** Whether the calls of an instance go where somebody has said. */
function hasOwnAddresses(given: Addresses): boolean {
  return (given.rest ?? null) !== null || (given.graphql ?? null) !== null || Object.keys(given.variables).length > 0;
}

function connectorOf(fields: FormFields): NewConnector {
  const text = (name: string) => fields[name]?.trim() || undefined;
  const minutes = text("minutes") ?? "60";
  if (!/^\d{1,5}$/.test(minutes) || Number(minutes) < 1 || Number(minutes) > 10_080)
    throw invalidRequest([
      { pointer: "/minutes", code: "wrong_form", message: "The minutes between syncs are a whole number from 1 to 10080." },
    ]);
  return {
    connector: text("connector") ?? "",
    id: text("id"),
    workspace: text("workspace"),
    organization: text("organization"),
    rest: text("rest"),
    graphql: text("graphql"),
    variables: linesOf(fields["variables"]),
    scopes: linesOf(fields["scopes"]),
    minutes: Number(minutes),
    credential: credentialOf(fields),
  };
}

function credentialOf(fields: FormFields) {
  return { text: fields["credential"] ?? "", kind: fields["kind"]?.trim() || undefined, later: fields["later"] === "on" };
}
