import { github } from "../../../generated/github/index.ts";
import { type AccountStore, createCaller, type Grant, rights, type SecretKeys } from "../../../runtime/accounts/index.ts";
import { type Connector, storeAction } from "../../../runtime/contract/index.ts";
import { addConnector, connectors } from "../../../runtime/main/index.ts";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import type { Platform } from "../../support/github/start.ts";

// Who may do what, computed from the specs: every right, with all entities or some, against every action of every entity of every instance.

export type MatrixGrant = Omit<Grant, "instances">;

export const own = "own";
export const foreign = "foreign";
/** One that no grant allows either, and that cannot be used: its address is in a private network. */
export const unusable = "unusable";
export const unusableAddress = "https://10.0.0.7/api/v3";
/** The instances that every grant of the matrix allows, one of each connector. */
export const ownOf = (connector: string) => (connector === "github" ? own : `own-${connector}`);
/** Those, and one that no grant allows. */
export const instances = [
  ...connectors.map((connector) => ({ id: ownOf(connector.name), connector })),
  { id: foreign, connector: github as Connector },
];

/** Every grant of the matrix: one right, and all entities or those of one name. */
export const grants: readonly MatrixGrant[] = rights.flatMap((right) =>
  [null, ["issues"], ["users", "files"]].map((some) => ({
    rights: [right],
    workspaces: null,
    organization: null,
    entities: some,
  })),
);

export interface TriedAction {
  /** The id of the instance. */
  readonly id: string;
  readonly entity: string;
  readonly action: string;
  readonly writes: boolean;
}

/** Every action on every instance. */
export const allActions: readonly TriedAction[] = instances.flatMap(({ id, connector }) =>
  Object.entries(connector.entities).flatMap(([entity, { actions }]) => [
    ...Object.entries(actions).map(([action, { traits }]) => ({ id, entity, action, writes: traits.writes })),
    { id, entity, action: storeAction, writes: false },
  ]),
);

/** Whether a grant allows an action on an instance that it allows. */
export const mayRun = (grant: MatrixGrant, { entity, writes }: Pick<TriedAction, "entity" | "writes">) =>
  grant.rights.includes(writes ? "write" : "read") && (grant.entities?.includes(entity) ?? true);

/**
 * The actions that a grant is tried with: all that it allows, and of the others some of each kind. Why they are refused depends on the
 * instance, on whether the action writes and on whether the grant has its entity.
 */
export function actionsFor(grant: MatrixGrant): readonly TriedAction[] {
  const turn = grants.indexOf(grant);
  const isAllowed = (one: TriedAction) => one.id !== foreign && mayRun(grant, one);
  const refused = Object.groupBy(
    allActions.filter((one) => !isAllowed(one)),
    ({ id, writes, entity }) => [id, writes, grant.entities?.includes(entity) ?? true].join(),
  );
  const some = Object.values(refused).flatMap((kind = []) => kind.filter((_, n) => n % 8 === turn % Math.min(8, kind.length)));
  return [...allActions.filter(isAllowed), ...some];
}

/**
 * A request for an action with `params` that no action takes: whoever may run the action learns that they are wrong, and nothing is sent.
 */
export const bodyOf = ({ entity, action }: TriedAction) => JSON.stringify({ entity, action, params: { nothing: true } });

/** The code of the error that a request with {@link bodyOf} is answered. */
export const codeFor = (grant: MatrixGrant, one: TriedAction) =>
  one.id === foreign ? "unknown_connector" : mayRun(grant, one) ? "invalid_request" : "forbidden";

/** A value for each variable without a default. */
function variablesOf({ platform }: Connector): string[] {
  return Object.entries(platform.variables ?? {}).flatMap(([name, { example }]) => [`${name}=${example ?? "x"}`]);
}

/** A token, or where a platform takes several values together, as JSON. */
function credentialOf({ platform }: Connector): string {
  const names = Object.keys(platform.auth.kinds[0]?.values ?? {});
  return names.length < 2 ? ownerToken : JSON.stringify(Object.fromEntries(names.map((name) => [name, ownerToken])));
}

/** Stores the instances of the matrix, and a key for each of the grants. @returns the keys */
export async function storeMatrix(
  store: AccountStore,
  keys: SecretKeys,
  platform: Platform,
  some: readonly MatrixGrant[],
): Promise<ReadonlyMap<MatrixGrant, string>> {
  const place = { workspace: undefined, organization: undefined, variables: [], scopes: [], minutes: 60 };
  for (const { id, connector } of [...instances, { id: unusable, connector: github }]) {
    const addresses =
      id === unusable
        ? { rest: unusableAddress, graphql: undefined }
        : connector.platform.rest === undefined
          ? { rest: undefined, graphql: platform.graphqlUrl }
          : { rest: platform.url, graphql: undefined };
    await addConnector(
      { store, keys, connectors, allowPrivate: id === unusable, platforms: {} },
      {
        connector: connector.name,
        id,
        ...place,
        ...addresses,
        variables: variablesOf(connector),
        credential: { text: credentialOf(connector) },
      },
    );
  }
  const tokens = new Map<MatrixGrant, string>();
  for (const given of some) {
    const grant = { ...given, instances: connectors.map(({ name }) => ownOf(name)) };
    tokens.set(given, (await createCaller(store, keys, { kind: "key", name: "n", grant, expiresAt: null })).secret);
  }
  return tokens;
}
