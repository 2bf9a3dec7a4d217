import type { Project, ProjectItem, ProjectValue } from "../../../runtime/simulated/github/world/project.ts";
import { nameWithOwner } from "../../../runtime/simulated/github/world/world.ts";
import { account, actor, type Expected, label, type Row, web } from "./shared.ts";

export function projectRecord(one: Project): Expected {
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      number: one.number,
      organization: one.owner.login,
      title: one.title,
      shortDescription: one.shortDescription,
      url: web(one),
      closed: one.closed,
      public: one.public,
      template: one.template,
      creator: actor(one.creator),
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      closedAt: one.closedAt,
    },
    extras: {
      itemCount: one.items.length,
      projectFields: one.fields.map(({ id, name, dataType }) => ({ id, name, dataType: dataType.toLowerCase() })),
      readme: one.readme,
    },
  };
}

const kinds = { Issue: "issue", PullRequest: "pull_request", DraftIssue: "draft_issue" } as const;

export function itemRecord(one: ProjectItem): Expected {
  const { content } = one;
  const inRepository = content === null || content.__typename === "DraftIssue" ? null : content;
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      kind: one.content === null ? "redacted" : kinds[one.content.__typename],
      organization: one.project.owner.login,
      project: one.project.number,
      content: contentOf(one),
      values: one.values.map(readValue),
      isArchived: one.isArchived,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
    },
    extras: {
      assignees: content === null ? [] : content.assignees.map(account),
      creator: actor(one.creator),
      labels: inRepository === null ? [] : inRepository.labels.map(label),
      repository: inRepository === null ? null : nameWithOwner(inRepository.repository),
      title: content?.title ?? null,
    },
  };
}

function contentOf({ content }: ProjectItem): Row | null {
  if (content === null) return null;
  const { __typename: kind, id, title } = content;
  const common = { kind, id, title, assignees: content.assignees.slice(0, 5).map(account) };
  if (content.__typename === "DraftIssue")
    return { ...common, number: null, state: null, mergedAt: null, repository: null, url: null };
  return {
    ...common,
    number: content.number,
    state: content.state === "OPEN" ? "open" : "closed",
    mergedAt: content.__typename === "PullRequest" ? content.mergedAt : null,
    repository: nameWithOwner(content.repository),
    url: web(content),
  };
}

const noValue = {
  text: null,
  number: null,
  date: null,
  option: null,
  iteration: null,
  iterationStart: null,
  iterationDays: null,
  milestone: null,
  repository: null,
};

function readValue(value: ProjectValue): Row {
  return { field: value.field.name, kind: value.__typename, ...noValue, ...held(value) };
}

function held(value: ProjectValue): Row {
  switch (value.__typename) {
    case "ProjectV2ItemFieldTextValue":
      return { text: value.text };
    case "ProjectV2ItemFieldNumberValue":
      return { number: value.number };
    case "ProjectV2ItemFieldDateValue":
      return { date: value.date };
    case "ProjectV2ItemFieldSingleSelectValue":
      return { option: value.option.name };
    case "ProjectV2ItemFieldIterationValue": {
      const { title, startDate, duration } = value.iteration;
      return { iteration: title, iterationStart: startDate, iterationDays: duration };
    }
    case "ProjectV2ItemFieldMilestoneValue":
      return { milestone: value.milestone.title };
    case "ProjectV2ItemFieldRepositoryValue":
      return { repository: nameWithOwner(value.repository) };
    // Labels and people come on request only; reviewers and linked pull requests have no member of their own.
    default:
      return {};
  }
}
