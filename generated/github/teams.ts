// Generated from spec/github/teams.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { teamsStore } from "./facts.ts";
import { getParams, listParams } from "./validators/teams.js";

/** Who can see a team. */
export type TeamPrivacy = "closed" | "secret";

/** Teams of an organization. Needs a token with the scope `read:org`. */
export interface Team {
  /** GraphQL node ID. Needs the scope `read:org`. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Description. */
  readonly description: string | null;
  /** Name. */
  readonly name: string;
  /** Login of the organization. */
  readonly organization: string;
  /** Slug of the parent team. */
  readonly parent: string | null;
  /** `secret` or `closed`. */
  readonly privacy: TeamPrivacy;
  /** Name in addresses. */
  readonly slug: string;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Address of its web page. */
  readonly url: string;
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
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const teamPlan: RecordPlan = {
  name: "Team",
  on: "Team",
  fields: {
    id: { select: "id", read: "id" },
    createdAt: { select: "createdAt", read: "createdAt", is: "timestamp" },
    databaseId: { select: "databaseId", read: "databaseId", as: { kind: "integer" }, is: "integer" },
    description: { select: "description", read: "description" },
    name: { select: "name", read: "name" },
    organization: { select: "organization{login}", read: "organization.login" },
    parent: { select: "parent:parentTeam{slug}", read: "parent.slug" },
    privacy: {
      select: "privacy",
      read: "privacy",
      as: { kind: "map", values: { SECRET: "secret", VISIBLE: "closed" } },
      values: ["closed", "secret"],
    },
    slug: { select: "slug", read: "slug" },
    updatedAt: { select: "updatedAt", read: "updatedAt", is: "timestamp" },
    url: { select: "url", read: "url" },
    memberCount: { select: "memberCount:members{totalCount}", read: "memberCount.totalCount", is: "integer", onRequest: true },
    repositoryCount: {
      select: "repositoryCount:repositories{totalCount}",
      read: "repositoryCount.totalCount",
      is: "integer",
      onRequest: true,
    },
  },
};

/** Reads one team by its slug. */
export const get: Action<TeamsGetParams, Single<Team>> = {
  name: "teams.get",
  traits: actionTraits.get,
  params: ["org", "team_slug"],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query TeamsGet($org:String!$team_slug:String!){organization(login:$org){team(slug:$team_slug){...record}}}",
    variables: ["org", "team_slug"],
    path: ["organization", "team"],
    record: teamPlan,
  },
};

/** Lists the teams of an organization by name. */
export const list: Action<TeamsListParams, Page<Team>> = {
  name: "teams.list",
  traits: actionTraits.list,
  params: ["org", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query TeamsList($org:String!$first:Int!$after:String){organization(login:$org){teams(orderBy:{field:NAME direction:ASC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["org"],
    path: ["organization", "teams"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: teamPlan,
  },
};

/** Teams of an organization. Needs a token with the scope `read:org`. */
export const entity: Entity = {
  actions: { get, list },
  record: teamPlan,
  store: teamsStore,
  brief: ["slug", "name", "privacy", "description"],
  sync: [{ scope: "organization", action: list, size: { param: "per_page", value: 100 } }],
  relations: [{ table: "organizations", on: "organizations.login = teams.organization" }],
};
