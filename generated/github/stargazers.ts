// Generated from spec/github/stargazers.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { stargazersStore } from "./facts.ts";
import { type Account, accountPlan } from "./shared.ts";
import { listParams } from "./validators/stargazers.js";

/** People who starred a repository, and when. */
export interface Stargazer {
  /** The repository as `owner/name`. */
  readonly repository: string;
  /** Who starred it. */
  readonly user: Account;
  /** When they starred it. */
  readonly starredAt: string;
  /** Login of the person, for cached search. */
  readonly userLogin?: string;
}

export interface StargazersListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const stargazerPlan: RecordPlan = {
  name: "Stargazer",
  on: "StargazerEdge",
  fields: {
    repository: { param: ["", "owner", "/", "repo", ""] },
    user: { select: ["user:node{", "}"], read: "user", of: () => accountPlan },
    starredAt: { select: "starredAt", read: "starredAt", is: "timestamp" },
    userLogin: { select: "userLogin:node{login}", read: "userLogin.login", onRequest: true },
  },
};

/** Lists the people who starred a repository, the latest first. */
export const list: Action<StargazersListParams, Page<Stargazer>> = {
  name: "stargazers.list",
  traits: actionTraits.list,
  params: ["owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query StargazersList($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){stargazers(orderBy:{field:STARRED_AT direction:DESC}first:$first after:$after){edges{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "stargazers"],
    items: "edges",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    cursorAlways: true,
    record: stargazerPlan,
  },
};

/** People who starred a repository, and when. */
export const entity: Entity = {
  actions: { list },
  record: stargazerPlan,
  store: stargazersStore,
  aliases: ["stars", "starred"],
  brief: ["user.login", "starredAt", "repository"],
  sync: [
    {
      scope: "repository",
      action: list,
      size: { param: "per_page", value: 100 },
      cursor: { field: "starredAt", overlap: 60 },
    },
  ],
  relations: [{ table: "repositories", on: "repositories.nameWithOwner = stargazers.repository" }],
};
