// Generated from spec/github/organizations.yaml by `make generate`. Do not edit.

import { type Entity, type FieldPath, type RecordPlan, getAction, listAction } from "../../runtime/contract/index.ts";
import { getParams, listParams } from "./validators/organizations.js";

/** Organizations, one by login or those of a user. */
export interface Organization {
  /** GraphQL node ID. */
  readonly id: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Login. */
  readonly login: string;
  /** Name shown on the profile. */
  readonly name: string | null;
  /** Description. */
  readonly description: string | null;
  /** Public contact address. */
  readonly email: string | null;
  /** Where it is. */
  readonly location: string | null;
  /** Whether it has shown that its domain is its own. */
  readonly isVerified: boolean;
  /** Its web site. */
  readonly websiteUrl: string | null;
  /** Address of the picture. */
  readonly avatarUrl: string;
  /** Address of its web page. */
  readonly url: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
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
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  /** Cursor: `end_cursor` of the previous answer. An empty string means the first page. */
  readonly after?: string;
  readonly fields?: readonly FieldPath[];
}


export const organizationPlan: RecordPlan = {
  name: "Organization",
  on: "Organization",
  fields: {
    id: { select: "id", read: "id" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" } },
    login: { select: "login", read: "login" },
    name: { select: "name", read: "name" },
    description: { select: "description", read: "description" },
    email: { select: "email", read: "email" },
    location: { select: "location", read: "location" },
    isVerified: { select: "isVerified", read: "isVerified" },
    websiteUrl: { select: "websiteUrl", read: "websiteUrl" },
    avatarUrl: { select: "avatarUrl", read: "avatarUrl" },
    url: { select: "url", read: "url" },
    createdAt: { select: "createdAt", read: "createdAt" },
    updatedAt: { select: "updatedAt", read: "updatedAt" },
    archivedAt: { select: "archivedAt", read: "archivedAt", onRequest: true },
    memberCount: { select: "memberCount:membersWithRole{totalCount}", read: "memberCount.totalCount", onRequest: true },
    repositoryCount: { select: "repositoryCount:repositories{totalCount}", read: "repositoryCount.totalCount", onRequest: true },
    viewerCanAdminister: { select: "viewerCanAdminister", read: "viewerCanAdminister", onRequest: true },
  },
};

/** Reads one organization by its login. */
export const get = getAction<OrganizationsGetParams, Organization>({
  name: "organizations.get",
  params: ["org"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query OrganizationsGet($org:String!){organization(login:$org){...record}}",
    variables: ["org"],
    path: ["organization"],
    record: organizationPlan,
  },
});

/** Lists the organizations that a user belongs to. Others see public memberships only. */
export const list = listAction<OrganizationsListParams, Organization>({
  name: "organizations.list",
  params: ["username", "per_page", "after"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query OrganizationsList($username:String!$first:Int!$after:String){user(login:$username){organizations(first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["username"],
    path: ["user", "organizations"],
    items: "nodes",
    size: "per_page",
    pageLimit: 100,
    record: organizationPlan,
  },
});

/** Organizations, one by login or those of a user. */
export const entity: Entity = { actions: { get, list } };
