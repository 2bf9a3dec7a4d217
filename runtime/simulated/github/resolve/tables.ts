import type { Fields, Tables } from "../resolver.ts";
import { commentTables } from "./comment.ts";
import { gitTables } from "./git.ts";
import { organizationTables } from "./organization.ts";
import { projectTables } from "./project.ts";
import { queryTables } from "./query.ts";
import { reactionTables } from "./reaction.ts";
import { releaseTables } from "./release.ts";
import { repository } from "./repository.ts";
import { teamTables } from "./team.ts";
import { threadTables } from "./thread.ts";
import { userTables } from "./user.ts";

export { sharedTables } from "./shared.ts";

const greatestInt = 2 ** 31 - 1;

const everywhere: Fields = {
  // An Int of GraphQL has 32 bits; the platform answers null where the number has outgrown it.
  databaseId: ({ databaseId }: { readonly databaseId: number }) => (databaseId > greatestInt ? null : databaseId),
  fullDatabaseId: ({ databaseId }: { readonly databaseId: number }) => String(databaseId),
};

export const resolverTables: Tables = {
  "*": everywhere,
  Repository: repository,
  License: {
    pseudoLicense: () => false,
    hidden: () => false,
    featured: () => true,
    body: () => "",
    description: () => null,
    implementation: () => null,
  },
  ...queryTables,
  ...userTables,
  ...organizationTables,
  ...teamTables,
  ...threadTables,
  ...commentTables,
  ...gitTables,
  ...projectTables,
  ...releaseTables,
  ...reactionTables,
};
