import type { Label } from "../../../runtime/simulated/github/world/issue.ts";
import type { Repository } from "../../../runtime/simulated/github/world/repository.ts";

/** A label that stands in no list of the repository. */
export function label(repository: Repository, name: string): Label {
  const createdAt = "2024-01-01T00:00:00Z";
  return {
    __typename: "Label",
    id: `LA_${name}`,
    databaseId: 1,
    repository,
    name,
    color: "ededed",
    description: null,
    isDefault: false,
    createdAt,
    updatedAt: createdAt,
  };
}
