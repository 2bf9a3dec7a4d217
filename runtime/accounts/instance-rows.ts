import type { StoredInstance } from "./instance-store.ts";

// How instances stand in the tables of every store.

export interface InstanceRow {
  readonly id: string;
  readonly connector: string;
  readonly workspace: string;
  readonly organization: string | null;
  readonly rest: string | null;
  readonly graphql: string | null;
  readonly variables: string;
  readonly credential: string;
  readonly scopes: string;
  readonly minutes: number;
  readonly created_at: number;
  readonly version: number;
}

/** The columns of an instance, without what only the tables need. */
export const instanceColumns =
  "id, connector, workspace, organization, rest, graphql, variables, credential, scopes, minutes, created_at, version";

export function instanceRow({ createdAt, scopes, variables, ...instance }: StoredInstance): InstanceRow {
  return { ...instance, variables: JSON.stringify(variables), scopes: JSON.stringify(scopes), created_at: createdAt };
}

export function storedInstanceOf({ created_at, scopes, variables, ...row }: InstanceRow): StoredInstance {
  const given = JSON.parse(variables) as Record<string, string>;
  return { ...row, variables: given, scopes: JSON.parse(scopes) as string[], createdAt: created_at };
}
