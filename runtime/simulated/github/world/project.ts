import type { Author, Organization, Team, User } from "./account.ts";
import type { Issue, Label, Milestone, PullRequest } from "./issue.ts";
import type { Repository } from "./repository.ts";

export interface FieldOption {
  id: string;
  name: string;
  color: "BLUE" | "GRAY" | "GREEN" | "ORANGE" | "PINK" | "PURPLE" | "RED" | "YELLOW";
  description: string;
}

export interface Iteration {
  id: string;
  title: string;
  startDate: string;
  duration: number;
}

interface FieldBase {
  readonly id: string;
  readonly databaseId: number;
  project: Project;
  name: string;
  createdAt: string;
  updatedAt: string;
}

export interface PlainField extends FieldBase {
  readonly __typename: "ProjectV2Field";
  dataType:
    | "TITLE"
    | "ASSIGNEES"
    | "LABELS"
    | "MILESTONE"
    | "REPOSITORY"
    | "REVIEWERS"
    | "LINKED_PULL_REQUESTS"
    | "TEXT"
    | "NUMBER"
    | "DATE";
}
export interface SelectField extends FieldBase {
  readonly __typename: "ProjectV2SingleSelectField";
  dataType: "SINGLE_SELECT";
  options: FieldOption[];
}
export interface IterationField extends FieldBase {
  readonly __typename: "ProjectV2IterationField";
  dataType: "ITERATION";
  iterations: Iteration[];
}
export type ProjectField = PlainField | SelectField | IterationField;

interface ValueBase {
  readonly id: string;
  readonly databaseId: number;
  field: ProjectField;
  item: ProjectItem;
  creator: Author;
  createdAt: string;
  updatedAt: string;
}
export type ProjectValue =
  | (ValueBase & { readonly __typename: "ProjectV2ItemFieldTextValue"; text: string })
  | (ValueBase & { readonly __typename: "ProjectV2ItemFieldNumberValue"; number: number })
  | (ValueBase & { readonly __typename: "ProjectV2ItemFieldDateValue"; date: string })
  | (ValueBase & { readonly __typename: "ProjectV2ItemFieldSingleSelectValue"; option: FieldOption })
  | (ValueBase & { readonly __typename: "ProjectV2ItemFieldIterationValue"; iteration: Iteration })
  | { readonly __typename: "ProjectV2ItemFieldLabelValue"; field: ProjectField; item: ProjectItem; labels: Label[] }
  | { readonly __typename: "ProjectV2ItemFieldUserValue"; field: ProjectField; item: ProjectItem; users: User[] }
  | { readonly __typename: "ProjectV2ItemFieldMilestoneValue"; field: ProjectField; item: ProjectItem; milestone: Milestone }
  | { readonly __typename: "ProjectV2ItemFieldRepositoryValue"; field: ProjectField; item: ProjectItem; repository: Repository }
  | { readonly __typename: "ProjectV2ItemFieldReviewerValue"; field: ProjectField; item: ProjectItem; reviewers: (User | Team)[] }
  | {
      readonly __typename: "ProjectV2ItemFieldPullRequestValue";
      field: ProjectField;
      item: ProjectItem;
      pullRequests: PullRequest[];
    };

export interface DraftIssue {
  readonly __typename: "DraftIssue";
  readonly id: string;
  title: string;
  body: string;
  creator: Author;
  assignees: User[];
  item: ProjectItem | null;
  createdAt: string;
  updatedAt: string;
}

export interface ProjectItem {
  readonly __typename: "ProjectV2Item";
  readonly id: string;
  readonly databaseId: number;
  project: Project;
  /** Null is a redacted item: content that the viewer may not see. */
  content: Issue | PullRequest | DraftIssue | null;
  creator: Author;
  isArchived: boolean;
  values: ProjectValue[];
  createdAt: string;
  updatedAt: string;
}

export interface Project {
  readonly __typename: "ProjectV2";
  readonly id: string;
  readonly databaseId: number;
  owner: Organization;
  number: number;
  title: string;
  shortDescription: string | null;
  readme: string | null;
  public: boolean;
  closed: boolean;
  closedAt: string | null;
  template: boolean;
  creator: Author;
  fields: ProjectField[];
  items: ProjectItem[];
  createdAt: string;
  updatedAt: string;
}
