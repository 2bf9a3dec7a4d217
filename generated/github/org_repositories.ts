// Generated from spec/github/org_repositories.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Page, actionTraits } from "../../runtime/contract/public.ts";
import { orgRepositoriesStore } from "./facts.ts";
import { type Repository, repositoryPlan } from "./repositories.ts";
import { listParams } from "./validators/org_repositories.js";

export interface OrgRepositoriesListParams {
  /** Login of the organization. */
  readonly org: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

/** Lists the repositories of an organization, last pushed first. */
export const list: Action<OrgRepositoriesListParams, Page<Repository>> = {
  name: "org_repositories.list",
  traits: actionTraits.list,
  params: ["org", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "graphql-list",
    document: "query OrgRepositoriesList($org:String!$first:Int!$after:String){organization(login:$org){repositories(ownerAffiliations:[OWNER]orderBy:{field:PUSHED_AT direction:DESC}first:$first after:$after){nodes{...record}pageInfo{hasNextPage endCursor}}}}",
    variables: ["org"],
    path: ["organization", "repositories"],
    items: "nodes",
    page: { size: "per_page", cursor: "after", max: 100 },
    counts: true,
    record: repositoryPlan,
  },
};

/** Repositories that an organization owns. */
export const entity: Entity = {
  actions: { list },
  record: repositoryPlan,
  store: orgRepositoriesStore,
  aliases: ["org_repos", "organization_repositories"],
  brief: ["nameWithOwner", "description", "primaryLanguage.name", "stargazerCount", "isPrivate", "pushedAt"],
  sync: [{ scope: "organization", action: list, size: { param: "per_page", value: 100 } }],
  relations: [
    { table: "organizations", on: "organizations.login = org_repositories.organization" },
    { table: "repositories", on: "repositories.nameWithOwner = org_repositories.repository" },
  ],
};
