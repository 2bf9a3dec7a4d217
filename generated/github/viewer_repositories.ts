// Generated from spec/github/viewer_repositories.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Page, actionTraits } from "../../runtime/contract/public.ts";
import { viewerRepositoriesStore } from "./facts.ts";
import { type Repository, repositoryPlan } from "./repositories.ts";
import { listParams } from "./validators/viewer_repositories.js";

export interface ViewerRepositoriesListParams {
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

/** Lists the repositories that the authenticated user owns, last pushed first. */
export const list: Action<ViewerRepositoriesListParams, Page<Repository>> = {
  name: "viewer_repositories.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query ViewerRepositoriesList($first:Int!$after:String){viewer{repositories(ownerAffiliations:[OWNER]orderBy:{field:PUSHED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: [],
    path: ["viewer", "repositories"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: repositoryPlan,
  },
};

/** Repositories that the token's account owns. */
export const entity: Entity = {
  actions: { list },
  record: repositoryPlan,
  store: viewerRepositoriesStore,
  aliases: ["my_repos", "my_repositories"],
  brief: ["nameWithOwner", "description", "primaryLanguage.name", "stargazerCount", "isPrivate", "pushedAt"],
  sync: [{ scope: "account", action: list, size: { param: "per_page", value: 100 } }],
  relations: [
    { table: "organizations", on: "organizations.login = viewer_repositories.organization" },
    { table: "repositories", on: "repositories.nameWithOwner = viewer_repositories.repository" },
  ],
};
