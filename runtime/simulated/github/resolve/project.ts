import { connectionOf, type PageArguments } from "../../../simulator/graphql/connection.ts";
import { type Order, ordered } from "../../../simulator/graphql/order.ts";
import { canRead, membershipOf } from "../access.ts";
import type { Context, Fields } from "../resolver.ts";
import type { DraftIssue, FieldOption, Iteration, Project, ProjectField, ProjectItem, ProjectValue } from "../world/project.ts";
import { html, resourcePath, url } from "./shared.ts";

type Value<Name extends ProjectValue["__typename"]> = Extract<ProjectValue, { __typename: Name }>;
type Ordered = PageArguments & { readonly orderBy?: Order | null };

const mayWrite = (record: Project, _args: unknown, context: Context) =>
  membershipOf(context.viewer.user, record.owner) !== undefined;

const project: Fields = {
  url,
  resourcePath,
  viewerCanUpdate: mayWrite,
  viewerCanClose: mayWrite,
  viewerCanReopen: mayWrite,
  items: (record: Project, args: PageArguments, _context, info) => connectionOf(record.items, args, info, { parent: record.id }),
  fields: (record: Project, args: Ordered, _context, info) => {
    const keys = {
      POSITION: (field: ProjectField) => record.fields.indexOf(field),
      NAME: (field: ProjectField) => field.name.toLowerCase(),
      CREATED_AT: (field: ProjectField) => field.createdAt,
    };
    return connectionOf(ordered(record.fields, args.orderBy, keys), args, info, { parent: record.id });
  },
  field: (record: Project, args: { name: string }) => record.fields.find((field) => field.name === args.name),
  repositories: (record: Project, args: PageArguments, context: Context, info) => {
    const found = record.items.flatMap(({ content }) =>
      content === null || content.__typename === "DraftIssue" ? [] : [content.repository],
    );
    const seen = [...new Set(found)].filter((one) => canRead(context.viewer, one));
    return connectionOf(seen, args, info, { parent: record.id });
  },
};

const kinds = { Issue: "ISSUE", PullRequest: "PULL_REQUEST", DraftIssue: "DRAFT_ISSUE" } as const;

/** What the viewer may not see is redacted. */
function visibleContent(record: ProjectItem, context: Context): ProjectItem["content"] {
  const { content } = record;
  if (content === null || content.__typename === "DraftIssue") return content;
  return canRead(context.viewer, content.repository) ? content : null;
}

const item: Fields = {
  content: (record: ProjectItem, _args, context: Context) => visibleContent(record, context),
  type: (record: ProjectItem, _args, context: Context) => {
    const content = visibleContent(record, context);
    return content === null ? "REDACTED" : kinds[content.__typename];
  },
  fieldValues: (record: ProjectItem, args: PageArguments, _context, info) =>
    connectionOf(record.values, args, info, { parent: record.id }),
  fieldValueByName: (record: ProjectItem, args: { name: string }) =>
    record.values.find((value) => value.field.name === args.name),
};

const draft: Fields = {
  bodyHTML: (record: DraftIssue) => html(record.body),
  bodyText: (record: DraftIssue) => record.body,
  assignees: (record: DraftIssue, args: PageArguments, _context, info) =>
    connectionOf(record.assignees, args, info, { parent: record.id }),
  projectV2Items: (record: DraftIssue, args: PageArguments, _context, info) =>
    connectionOf(record.item === null ? [] : [record.item], args, info, { parent: record.id }),
  projectsV2: (record: DraftIssue, args: PageArguments, _context, info) =>
    connectionOf(record.item === null ? [] : [record.item.project], args, info, { parent: record.id }),
};

const single: Fields = {
  name: (record: Value<"ProjectV2ItemFieldSingleSelectValue">) => record.option.name,
  nameHTML: (record: Value<"ProjectV2ItemFieldSingleSelectValue">) => html(record.option.name),
  optionId: (record: Value<"ProjectV2ItemFieldSingleSelectValue">) => record.option.id,
  color: (record: Value<"ProjectV2ItemFieldSingleSelectValue">) => record.option.color,
  description: (record: Value<"ProjectV2ItemFieldSingleSelectValue">) => record.option.description,
  descriptionHTML: (record: Value<"ProjectV2ItemFieldSingleSelectValue">) => html(record.option.description),
};

const iteration: Fields = {
  title: (record: Value<"ProjectV2ItemFieldIterationValue">) => record.iteration.title,
  titleHTML: (record: Value<"ProjectV2ItemFieldIterationValue">) => html(record.iteration.title),
  iterationId: (record: Value<"ProjectV2ItemFieldIterationValue">) => record.iteration.id,
  startDate: (record: Value<"ProjectV2ItemFieldIterationValue">) => record.iteration.startDate,
  duration: (record: Value<"ProjectV2ItemFieldIterationValue">) => record.iteration.duration,
};

/** Lists inside a value belong to its item and field: these values have no id of their own. */
const place = (record: ProjectValue) => `${record.item.id}:${record.field.id}`;

export const projectTables = {
  ProjectV2: project,
  ProjectV2Item: item,
  DraftIssue: draft,
  ProjectV2ItemFieldSingleSelectValue: single,
  ProjectV2ItemFieldIterationValue: iteration,
  ProjectV2ItemFieldLabelValue: {
    labels: (record: Value<"ProjectV2ItemFieldLabelValue">, args: PageArguments, _context, info) =>
      connectionOf(record.labels, args, info, { parent: place(record) }),
  } satisfies Fields,
  ProjectV2ItemFieldUserValue: {
    users: (record: Value<"ProjectV2ItemFieldUserValue">, args: PageArguments, _context, info) =>
      connectionOf(record.users, args, info, { parent: place(record) }),
  } satisfies Fields,
  ProjectV2ItemFieldReviewerValue: {
    reviewers: (record: Value<"ProjectV2ItemFieldReviewerValue">, args: PageArguments, _context, info) =>
      connectionOf(record.reviewers, args, info, { parent: place(record) }),
  } satisfies Fields,
  ProjectV2ItemFieldPullRequestValue: {
    pullRequests: (record: Value<"ProjectV2ItemFieldPullRequestValue">, args: PageArguments, _context, info) =>
      connectionOf(record.pullRequests, args, info, { parent: place(record) }),
  } satisfies Fields,
  ProjectV2IterationField: {
    configuration: (record: { iterations: Iteration[] }) => ({
      duration: 14,
      startDay: 1,
      iterations: record.iterations.map((one) => ({ ...one, titleHTML: html(one.title) })),
      completedIterations: [],
    }),
  } satisfies Fields,
  ProjectV2SingleSelectField: {
    options: (record: { options: FieldOption[] }, args: { names?: readonly string[] }) =>
      record.options.filter((option) => args.names === undefined || args.names.includes(option.name)),
  } satisfies Fields,
  ProjectV2SingleSelectFieldOption: {
    nameHTML: (record: FieldOption) => html(record.name),
    descriptionHTML: (record: FieldOption) => html(record.description),
  } satisfies Fields,
};
