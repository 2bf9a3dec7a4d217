import type { ProjectField, ProjectItem, ProjectValue } from "../world/project.ts";
import type { Seed } from "./seed.ts";

/** Fills in the fields of an item: those that follow from its content, and some of those that people set. */
export function seedValues(seed: Seed, item: ProjectItem): void {
  for (const field of item.project.fields) {
    const value = contentValue(seed, item, field) ?? (seed.random.chance(0.6) ? ownValue(seed, item, field) : undefined);
    if (value !== undefined) item.values.push(value);
  }
}

function base(seed: Seed, item: ProjectItem, field: ProjectField) {
  const { creator, createdAt, updatedAt } = item;
  return { ...seed.identities.make("ProjectV2Value"), field, item, creator, createdAt, updatedAt };
}

function contentValue(seed: Seed, item: ProjectItem, field: ProjectField): ProjectValue | undefined {
  const { content } = item;
  if (content === null) return undefined;
  if (field.dataType === "TITLE")
    return { __typename: "ProjectV2ItemFieldTextValue", ...base(seed, item, field), text: content.title };
  if (field.dataType === "ASSIGNEES" && content.assignees.length > 0) {
    return { __typename: "ProjectV2ItemFieldUserValue", field, item, users: content.assignees };
  }
  if (content.__typename === "DraftIssue") return undefined;
  if (field.dataType === "REPOSITORY")
    return { __typename: "ProjectV2ItemFieldRepositoryValue", field, item, repository: content.repository };
  if (field.dataType === "LABELS" && content.labels.length > 0) {
    return { __typename: "ProjectV2ItemFieldLabelValue", field, item, labels: content.labels };
  }
  if (field.dataType === "MILESTONE" && content.milestone !== null) {
    return { __typename: "ProjectV2ItemFieldMilestoneValue", field, item, milestone: content.milestone };
  }
  if (content.__typename === "Issue") return undefined;
  if (field.dataType === "REVIEWERS" && content.requestedReviewers.length > 0) {
    return { __typename: "ProjectV2ItemFieldReviewerValue", field, item, reviewers: content.requestedReviewers };
  }
  if (field.dataType === "LINKED_PULL_REQUESTS") {
    return { __typename: "ProjectV2ItemFieldPullRequestValue", field, item, pullRequests: [content] };
  }
  return undefined;
}

function ownValue(seed: Seed, item: ProjectItem, field: ProjectField): ProjectValue | undefined {
  const { random } = seed;
  const common = base(seed, item, field);
  switch (field.dataType) {
    case "TEXT":
      return { __typename: "ProjectV2ItemFieldTextValue", ...common, text: random.pick(["", 'a "note"', "{n} 📌", "ملاحظة"]) };
    case "NUMBER":
      return { __typename: "ProjectV2ItemFieldNumberValue", ...common, number: random.pick([0, 1, 2.5, 13, -1]) };
    case "DATE":
      return { __typename: "ProjectV2ItemFieldDateValue", ...common, date: random.pick(["2024-02-29", "2024-12-31"]) };
    case "SINGLE_SELECT":
      return { __typename: "ProjectV2ItemFieldSingleSelectValue", ...common, option: random.pick(field.options) };
    case "ITERATION":
      return { __typename: "ProjectV2ItemFieldIterationValue", ...common, iteration: random.pick(field.iterations) };
    default:
      return undefined;
  }
}
