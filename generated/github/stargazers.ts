// Generated from spec/github/stargazers.yaml by `make generate`. Do not edit.

import { type Entity, type FieldPath, type RecordPlan, listAction } from "../../runtime/contract/index.ts";
import { type Account, accountPlan } from "./shared.ts";
import { listParams } from "./validators/stargazers.js";

/** People who starred a repository, and when. */
export interface Stargazer {
  /** When they starred it. */
  readonly starredAt: string;
  /** Who starred it. */
  readonly user: Account;
}

export interface StargazersListParams {
  /** Login of the user or organization that owns the repository. */
  readonly owner: string;
  /** Name of the repository without its owner. */
  readonly repo: string;
  /** Cursor: `end_cursor` of the previous answer. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const stargazerPlan: RecordPlan = {
  name: "Stargazer",
  on: "StargazerEdge",
  fields: {
    starredAt: { select: "starredAt", read: "starredAt" },
    user: { select: ["user:node{", "}"], read: "user", of: () => accountPlan },
  },
};

/** Lists the people who starred a repository, the latest first. */
export const list = listAction<StargazersListParams, Stargazer>({
  name: "stargazers.list",
  params: ["owner", "repo", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query StargazersList($owner:String!$repo:String!$first:Int!$after:String){repository(owner:$owner name:$repo){stargazers(orderBy:{field:STARRED_AT direction:DESC}first:$first after:$after){edges{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["owner", "repo"],
    path: ["repository", "stargazers"],
    items: "edges",
    size: "per_page",
    pageLimit: 100,
    cursorAlways: true,
    record: stargazerPlan,
  },
});

/** People who starred a repository, and when. */
export const entity: Entity = { actions: { list } };
