// Generated from spec/github/organizations.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { organizationsStore } from "./facts.ts";
import { getParams, listParams } from "./validators/organizations.js";

/** Organizations, one by login or those of a user. */
export interface Organization {
  /** GraphQL node ID. */
  readonly id: string;
  /** Address of the picture. */
  readonly avatarUrl: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Description. */
  readonly description: string | null;
  /** Public contact address. */
  readonly email: string | null;
  /** Whether GitHub has verified that the organization owns its domain. */
  readonly isVerified: boolean;
  /** Where it is. */
  readonly location: string | null;
  /** Login. */
  readonly login: string;
  /** Logins of the users whose lists of organizations it was found in: when organizations are listed, that user. */
  readonly member: readonly string[];
  /** Name shown on the profile. */
  readonly name: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
  /** Its web site. */
  readonly websiteUrl: string | null;
  /** When it was archived; null when it is not. */
  readonly archivedAt?: string | null;
  /** Number of members that the token may see. */
  readonly memberCount?: number;
  /** Number of repositories that the token may see. */
  readonly repositoryCount?: number;
  /** Whether the token's account administers it. */
  readonly viewerCanAdminister?: boolean;
}

export interface OrganizationsGetParams {
  /** Login of the organization. */
  readonly org: string;
  readonly fields?: readonly FieldPath[];
}

export interface OrganizationsListParams {
  /** Login of the user. */
  readonly username: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const organizationPlan: RecordPlan = {
  name: "Organization",
  on: "Organization",
  fields: {
    id: { select: "id", read: "id" },
    avatarUrl: { select: "avatarUrl", read: "avatarUrl" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    description: { select: "description", read: "description" },
    email: { select: "email", read: "email" },
    isVerified: { select: "isVerified", read: "isVerified", is: "boolean" },
    location: { select: "location", read: "location" },
    login: { select: "login", read: "login" },
    member: { param: "username", list: "empty" },
    name: { select: "name", read: "name" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    websiteUrl: { select: "websiteUrl", read: "websiteUrl" },
    archivedAt: { select: "archivedAt", read: "archivedAt", is: "timestamp", onRequest: true },
    memberCount: {
      select: "memberCount:membersWithRole{totalCount}",
      read: "memberCount.totalCount",
      is: "integer",
      onRequest: true,
    },
    repositoryCount: {
      select: "repositoryCount:repositories{totalCount}",
      read: "repositoryCount.totalCount",
      is: "integer",
      onRequest: true,
    },
    viewerCanAdminister: { select: "viewerCanAdminister", read: "viewerCanAdminister", is: "boolean", onRequest: true },
  },
};

/** Reads one organization by its login. */
export const get: Action<OrganizationsGetParams, Single<Organization>> = {
  name: "organizations.get",
  traits: actionTraits.get,
  params: ["org"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query OrganizationsGet($org:String!){organization(login:$org){...record}}",
    variables: ["org"],
    path: ["organization"],
    record: organizationPlan,
  },
};

/** Lists the organizations that a user belongs to. Others see public memberships only. */
export const list: Action<OrganizationsListParams, Page<Organization>> = {
  name: "organizations.list",
  traits: actionTraits.list,
  params: ["username", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query OrganizationsList($username:String!$first:Int!$after:String){user(login:$username){organizations(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["username"],
    path: ["user", "organizations"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: organizationPlan,
  },
};

/** Organizations, one by login or those of a user. */
export const entity: Entity = {
  actions: { get, list },
  record: organizationPlan,
  store: organizationsStore,
  aliases: ["org", "orgs"],
  brief: ["login", "name", "description", "location"],
  sync: [{ scope: "organization", action: get }, { scope: "user", action: list, size: { param: "per_page", value: 100 } }],
};
