/**
 * What a caller may be allowed to do. `approve` decides about writes of other callers that need an approval. `admin` opens the operator's
 * page, where its owner adds connectors and gives keys what it has itself; it does not include the other rights.
 */
export const rights = ["read", "write", "sync", "metrics", "approve", "admin"] as const;
export type Right = (typeof rights)[number];

/** What can be limited about a caller: all by the minute, but for requests that are under way at the same time. */
export const limitNames = ["requests", "concurrent", "writes", "points", "searchSeconds", "bodyMib", "cpuSeconds"] as const;

/** Limits of a caller. Where one is absent, there is none, or the usual one counts. */
export type CallerLimits = { readonly [Name in (typeof limitNames)[number]]?: number };

/** What a caller may do, and on what. Each list that is null allows everything of its kind, also what is added later. */
export interface Grant {
  readonly rights: readonly Right[];
  /** Ids of connector instances. */
  readonly instances: readonly string[] | null;
  /** Names of workspaces. */
  readonly workspaces: readonly string[] | null;
  /** Id of the organization whose instances the caller sees; null for those of all organizations. */
  readonly organization: string | null;
  /** Names of entities. They are names of the request: a record may hold parts of records of other entities. */
  readonly entities: readonly string[] | null;
  /** Limits of its own, instead of the usual ones. */
  readonly limits?: CallerLimits;
}

/** The grant of a caller who may do everything. */
export const fullGrant: Grant = { rights, instances: null, workspaces: null, organization: null, entities: null };

/** What a grant is compared with: the instance, and who has it. */
export interface InstanceIdentity {
  readonly id: string;
  readonly workspace: string;
  readonly organization: string | null;
}

/** Whether an instance exists for the caller. One that does not is reported as if there were none. */
export function seesInstance(grant: Grant, { id, workspace, organization }: InstanceIdentity): boolean {
  return (
    (grant.instances?.includes(id) ?? true) &&
    (grant.workspaces?.includes(workspace) ?? true) &&
    (grant.organization === null || grant.organization === organization)
  );
}

/** Whether every instance exists for the caller, whichever are added. */
export function seesEveryInstance({ instances, workspaces, organization }: Grant): boolean {
  return instances === null && workspaces === null && organization === null;
}

export function hasRight(grant: Grant, right: Right): boolean {
  return grant.rights.includes(right);
}

export function mayUseEntity({ entities }: Grant, entity: string): boolean {
  return entities?.includes(entity) ?? true;
}
