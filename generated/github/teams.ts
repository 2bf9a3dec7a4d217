// Generated from spec/github/teams.yaml by `make generate`. Do not edit.

import { type Entity, type FieldPath, type RecordPlan, getAction, listAction } from "../../runtime/contract/index.ts";
import { getParams, listParams } from "./validators/teams.js";

/** Who can see a team. */
export type TeamPrivacy = "secret" | "closed";

/** Teams of an organization. Needs a token with the scope `read:org`. */
export interface Team {
  /** GraphQL node ID. Needs the scope `read:org`. */
  readonly id: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Name in addresses. */
  readonly slug: string;
  /** Name. */
  readonly name: string;
  /** Login of the organization. */
  readonly organization: string;
  /** Description. */
  readonly description: string | null;
  /** `secret` or `closed`. */
  readonly privacy: TeamPrivacy;
  /** Slug of the parent team. */
  readonly parent: string | null;
  /** Address of its web page. */
  readonly url: string;
  /** When it was created. */
  readonly createdAt: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Number of members. Needs the scope `read:org`. */
  readonly memberCount?: number;
  /** Number of repositories that the team has access to. Needs the scope `read:org`. */
  readonly repositoryCount?: number;
}

export interface TeamsGetParams {
  /** Login of the organization. */
  readonly org: string;
  /** Slug of the team. */
  readonly team_slug: string;
  readonly fields?: readonly FieldPath[];
}

export interface TeamsListParams {
  /** Login of the organization. */
  readonly org: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  /** Cursor: `end_cursor` of the previous answer. An empty string means the first page. */
  readonly after?: string;
  readonly fields?: readonly FieldPath[];
}


export const teamPlan: RecordPlan = {
  name: "Team",
  on: "Team",
  fields: {
    id: { select: "id", read: "id" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" } },
    slug: { select: "slug", read: "slug" },
    name: { select: "name", read: "name" },
    organization: { select: "organization{login}", read: "organization.login" },
    description: { select: "description", read: "description" },
    privacy: { select: "privacy", read: "privacy", as: { kind: "map", values: { SECRET: "secret", VISIBLE: "closed" } } },
    parent: { select: "parent:parentTeam{slug}", read: "parent.slug" },
    url: { select: "url", read: "url" },
    createdAt: { select: "createdAt", read: "createdAt" },
    updatedAt: { select: "updatedAt", read: "updatedAt" },
    memberCount: { select: "memberCount:members{totalCount}", read: "memberCount.totalCount", onRequest: true },
    repositoryCount: { select: "repositoryCount:repositories{totalCount}", read: "repositoryCount.totalCount", onRequest: true },
  },
};

/** Reads one team by its slug. */
export const get = getAction<TeamsGetParams, Team>({
  name: "teams.get",
  params: ["org", "team_slug"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query TeamsGet($org:String!$team_slug:String!){organization(login:$org){team(slug:$team_slug){...record}}}",
    variables: ["org", "team_slug"],
    path: ["organization", "team"],
    record: teamPlan,
  },
});

/** Lists the teams of an organization by name. */
export const list = listAction<TeamsListParams, Team>({
  name: "teams.list",
  params: ["org", "per_page", "after"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query TeamsList($org:String!$first:Int!$after:String){organization(login:$org){teams(orderBy:{field:NAME direction:ASC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["org"],
    path: ["organization", "teams"],
    items: "nodes",
    size: "per_page",
    pageLimit: 100,
    record: teamPlan,
  },
});

/** Teams of an organization. Needs a token with the scope `read:org`. */
export const entity: Entity = { actions: { get, list } };
