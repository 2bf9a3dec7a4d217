// Generated from spec/github/connector.yaml by `make generate`. Do not edit.

import type { RecordPlan } from "../../runtime/contract/index.ts";

/** Whether it is open or closed. */
export type OpenClosed = "open" | "closed";
/** Which of the open and closed ones to list. */
export type OpenClosedFilter = "OPEN" | "CLOSED";
/** How an author is related to a repository. */
export type AuthorAssociation = "COLLABORATOR" | "CONTRIBUTOR" | "FIRST_TIMER" | "FIRST_TIME_CONTRIBUTOR" | "MANNEQUIN" | "MEMBER" | "NONE" | "OWNER";

/** Who did something: a user, an organization, a bot, or a placeholder. */
export interface Actor {
  /** GraphQL node ID. */
  readonly id: string | null;
  /** Login. */
  readonly login: string;
  /** Web page of the account. */
  readonly url: string;
  /** Address of the picture. */
  readonly avatarUrl?: string;
  /** `User`, `Organization`, `Bot`, `Mannequin` or `EnterpriseUserAccount`. */
  readonly kind: string;
}

/** A user. */
export interface Account {
  /** GraphQL node ID. */
  readonly id: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** Login. */
  readonly login: string;
  /** Name shown on the profile. */
  readonly name?: string | null;
  /** Web page of the account. */
  readonly url: string;
  /** Address of the picture. */
  readonly avatarUrl?: string;
}

/** A label on an issue, a pull request or a discussion. */
export interface LabelReference {
  /** GraphQL node ID. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  /** Color as six hexadecimal digits without `#`. */
  readonly color: string;
}

/** The milestone of an issue or a pull request. */
export interface MilestoneReference {
  /** GraphQL node ID. */
  readonly id: string;
  /** Number within the repository. */
  readonly number: number;
  /** Title. */
  readonly title: string;
  /** Open or closed. */
  readonly state: OpenClosed;
  /** When it is due. */
  readonly dueOn: string | null;
}

/** A commit, in short. */
export interface CommitReference {
  /** Full SHA. */
  readonly sha: string;
  /** First line of the message. */
  readonly messageHeadline: string;
  /** When it was committed. */
  readonly committedDate: string;
  /** Address of its web page. */
  readonly url: string;
}

/** The author or committer written in a commit. */
export interface GitPerson {
  /** Name in the commit. */
  readonly name: string | null;
  /** E-mail address in the commit. */
  readonly email: string | null;
  /** When. */
  readonly date: string | null;
  /** The account with that e-mail address, if there is one. */
  readonly user: Account | null;
}


export const actorPlan: RecordPlan = {
  name: "Actor",
  on: "Actor",
  fields: {
    id: { select: "... on Node{id}", read: "id" },
    login: { select: "login", read: "login" },
    url: { select: "url", read: "url" },
    avatarUrl: { select: "avatarUrl", read: "avatarUrl", onRequest: true },
    kind: { select: "kind:__typename", read: "kind" },
  },
};

export const accountPlan: RecordPlan = {
  name: "Account",
  on: "User",
  fields: {
    id: { select: "id", read: "id" },
    databaseId: { select: "databaseId", read: "databaseId" },
    login: { select: "login", read: "login" },
    name: { select: "name", read: "name", onRequest: true },
    url: { select: "url", read: "url" },
    avatarUrl: { select: "avatarUrl", read: "avatarUrl", onRequest: true },
  },
};

export const labelReferencePlan: RecordPlan = {
  name: "LabelReference",
  on: "Label",
  fields: {
    id: { select: "id", read: "id" },
    name: { select: "name", read: "name" },
    color: { select: "color", read: "color" },
  },
};

export const milestoneReferencePlan: RecordPlan = {
  name: "MilestoneReference",
  on: "Milestone",
  fields: {
    id: { select: "id", read: "id" },
    number: { select: "number", read: "number" },
    title: { select: "title", read: "title" },
    state: { select: "state", read: "state", as: { kind: "lower" } },
    dueOn: { select: "dueOn", read: "dueOn" },
  },
};

export const commitReferencePlan: RecordPlan = {
  name: "CommitReference",
  on: "Commit",
  fields: {
    sha: { select: "sha:oid", read: "sha" },
    messageHeadline: { select: "messageHeadline", read: "messageHeadline" },
    committedDate: { select: "committedDate", read: "committedDate" },
    url: { select: "url", read: "url" },
  },
};

export const gitPersonPlan: RecordPlan = {
  name: "GitPerson",
  on: "GitActor",
  fields: {
    name: { select: "name", read: "name" },
    email: { select: "email", read: "email" },
    date: { select: "date", read: "date" },
    user: { select: ["user{", "}"], read: "user", of: () => accountPlan },
  },
};
