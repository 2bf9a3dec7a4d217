// Generated from spec/github/connector.yaml by `make generate`. Do not edit.

import type { RecordPlan } from "../../runtime/contract/public.ts";

/** How an author is related to a repository. */
export type AuthorAssociation = "COLLABORATOR" | "CONTRIBUTOR" | "FIRST_TIMER" | "FIRST_TIME_CONTRIBUTOR" | "MANNEQUIN" | "MEMBER" | "NONE" | "OWNER";
/** Whether it is open or closed. */
export type OpenClosed = "closed" | "open";
/** A state by which to list. */
export type OpenClosedFilter = "CLOSED" | "OPEN";

/** A user. */
export interface Account {
  /** Address of the picture. */
  readonly avatarUrl?: string;
  /** Numeric ID of the REST API. */
  readonly databaseId: number | null;
  /** GraphQL node ID. */
  readonly id: string;
  /** Login. */
  readonly login: string;
  /** Name shown on the profile. */
  readonly name?: string | null;
  /** Web page of the account. */
  readonly url: string;
}

/** The account that did something: a user, an organization, a bot, or a placeholder. */
export interface Actor {
  /** Address of the picture. */
  readonly avatarUrl?: string;
  /** GraphQL node ID. */
  readonly id: string | null;
  /** `User`, `Organization`, `Bot`, `Mannequin` or `EnterpriseUserAccount`. */
  readonly kind: string;
  /** Login. */
  readonly login: string;
  /** Web page of the account. */
  readonly url: string;
}

/** A commit, in short. */
export interface CommitReference {
  /** When it was committed. */
  readonly committedDate: string;
  /** First line of the message. */
  readonly messageHeadline: string;
  /** Full SHA. */
  readonly sha: string;
  /** Address of its web page. */
  readonly url: string;
}

/** Names what was done. */
export interface Done {
  /** ID of the webhook. */
  readonly hook_id: number;
}

/** The author or committer written in a commit. */
export interface GitPerson {
  /** When it was written or committed. */
  readonly date: string | null;
  /** E-mail address in the commit. */
  readonly email: string | null;
  /** Name in the commit. */
  readonly name: string | null;
  /** The account with that e-mail address, if there is one. */
  readonly user: Account | null;
}

/** A label on an issue, a pull request or a discussion. */
export interface LabelReference {
  /** Color as six hexadecimal digits without `#`. */
  readonly color: string;
  /** GraphQL node ID. */
  readonly id: string;
  /** Name. */
  readonly name: string;
}

/** Where a log is. The address is valid for a minute and needs no token. */
export interface LogAddress {
  /** Address to download it from. */
  readonly url: string;
}

/** The milestone of an issue or a pull request. */
export interface MilestoneReference {
  /** When it is due. */
  readonly dueOn: string | null;
  /** GraphQL node ID. */
  readonly id: string;
  /** Number within the repository. */
  readonly number: number;
  /** Open or closed. */
  readonly state: OpenClosed;
  /** Title. */
  readonly title: string;
}

export const accountPlan: RecordPlan = {
  name: "Account",
  on: "User",
  fields: {
    avatarUrl: { select: "avatarUrl", read: "avatarUrl", onRequest: true },
    databaseId: { select: "databaseId", read: "databaseId", is: "integer" },
    id: { select: "id", read: "id" },
    login: { select: "login", read: "login" },
    name: { select: "name", read: "name", onRequest: true },
    url: { select: "url", read: "url" },
  },
};

export const actorPlan: RecordPlan = {
  name: "Actor",
  on: "Actor",
  fields: {
    avatarUrl: { select: "avatarUrl", read: "avatarUrl", onRequest: true },
    id: { select: "... on Node{id}", read: "id" },
    kind: { select: "kind:__typename", read: "kind" },
    login: { select: "login", read: "login" },
    url: { select: "url", read: "url" },
  },
};

export const commitReferencePlan: RecordPlan = {
  name: "CommitReference",
  on: "Commit",
  fields: {
    committedDate: { select: "committedDate", read: "committedDate", is: "timestamp" },
    messageHeadline: { select: "messageHeadline", read: "messageHeadline" },
    sha: { select: "sha:oid", read: "sha" },
    url: { select: "url", read: "url" },
  },
};

export const donePlan: RecordPlan = { name: "Done", fields: { hook_id: { param: "hook_id" } } };

export const gitPersonPlan: RecordPlan = {
  name: "GitPerson",
  on: "GitActor",
  fields: {
    date: { select: "date", read: "date", is: "timestamp" },
    email: { select: "email", read: "email" },
    name: { select: "name", read: "name" },
    user: { select: ["user{", "}"], read: "user", of: () => accountPlan },
  },
};

export const labelReferencePlan: RecordPlan = {
  name: "LabelReference",
  on: "Label",
  fields: {
    color: { select: "color", read: "color" },
    id: { select: "id", read: "id" },
    name: { select: "name", read: "name" },
  },
};

export const logAddressPlan: RecordPlan = { name: "LogAddress", fields: { url: { read: "url", always: true } } };

export const milestoneReferencePlan: RecordPlan = {
  name: "MilestoneReference",
  on: "Milestone",
  fields: {
    dueOn: { select: "dueOn", read: "dueOn", is: "timestamp" },
    id: { select: "id", read: "id" },
    number: { select: "number", read: "number", is: "integer" },
    state: { select: "state", read: "state", as: { kind: "lower" }, values: ["closed", "open"] },
    title: { select: "title", read: "title" },
  },
};
