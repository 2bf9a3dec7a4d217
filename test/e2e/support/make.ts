import type { Label } from "../../../spec/github/simulator/world/issue.ts";
import type { Repository } from "../../../spec/github/simulator/world/repository.ts";

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
