import type { Label, Milestone } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import { hour, type Seed } from "./seed.ts";

type LabelSource = readonly [name: string, color: string, description: string | null, isDefault?: boolean];

/** Names that break careless URLs: spaces, a slash, an emoji, a colon, a percent sign, other scripts. */
const labelSources: readonly LabelSource[] = [
  ["bug", "d73a4a", "Something isn't working", true],
  ["documentation", "0075ca", "Improvements or additions to documentation", true],
  ["enhancement", "a2eeef", "New feature or request", true],
  ["good first issue", "7057ff", "Good for newcomers", true],
  ["help wanted", "008672", "Extra attention is needed", true],
  ["area/parser", "fbca04", 'The "parser" {and} friends'],
  ["🎉 party", "ff00ff", ""],
  [":bug: Bugfix", "cb1f00", null],
  ["100% sure?", "000000", null],
  ["عاجل", "b60205", "right to left"],
];

export function label(seed: Seed, repository: Repository, [name, color, description, isDefault = false]: LabelSource): Label {
  const createdAt = hour(10 + repository.labels.length);
  const made: Label = {
    __typename: "Label",
    ...seed.identities.make("Label"),
    repository,
    name,
    color,
    description,
    isDefault,
    createdAt,
    updatedAt: createdAt,
  };
  repository.labels.push(made);
  return made;
}

export function seedLabels(seed: Seed, repository: Repository, count = labelSources.length): void {
  for (const source of labelSources.slice(0, count)) label(seed, repository, source);
}

export function milestone(seed: Seed, repository: Repository, given: Pick<Milestone, "title"> & Partial<Milestone>): Milestone {
  const number = repository.milestones.length + 1;
  const createdAt = hour(20 + number * 5);
  const made: Milestone = {
    __typename: "Milestone",
    ...seed.identities.make("Milestone"),
    repository,
    number,
    description: null,
    state: "OPEN",
    creator: repository.owner.__typename === "User" ? repository.owner : null,
    dueOn: null,
    closedAt: null,
    createdAt,
    updatedAt: createdAt,
    ...given,
  };
  repository.milestones.push(made);
  return made;
}

export function seedMilestones(seed: Seed, repository: Repository): void {
  milestone(seed, repository, {
    title: "v1.0",
    description: "The first one.",
    dueOn: hour(3000),
    state: "CLOSED",
    closedAt: hour(2990),
  });
  milestone(seed, repository, { title: "v1.1 — 'quotes' & {braces}", description: "", dueOn: hour(9000) });
  milestone(seed, repository, { title: "Someday 🌅", description: null, creator: null });
  milestone(seed, repository, { title: "Abandoned", state: "CLOSED", closedAt: hour(4000) });
}
