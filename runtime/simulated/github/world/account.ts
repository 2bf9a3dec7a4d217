import type { Project } from "./project.ts";
import type { Repository } from "./repository.ts";

/** A person. `email` is "" when hidden, as on the real platform. */
export interface User {
  readonly __typename: "User";
  readonly id: string;
  readonly databaseId: number;
  login: string;
  name: string | null;
  email: string;
  bio: string | null;
  company: string | null;
  location: string | null;
  websiteUrl: string | null;
  twitterUsername: string | null;
  pronouns: string | null;
  isHireable: boolean;
  isSiteAdmin: boolean;
  createdAt: string;
  updatedAt: string;
  followers: User[];
  following: User[];
  starred: Star[];
}

export interface Bot {
  readonly __typename: "Bot";
  readonly id: string;
  readonly databaseId: number;
  login: string;
  createdAt: string;
  updatedAt: string;
}

/** A repository that a user has starred; the repository holds the same fact as `Stargazer`. */
export interface Star {
  repository: Repository;
  starredAt: string;
}

export interface Membership {
  user: User;
  role: "ADMIN" | "MEMBER";
  /** A private membership is seen by members only. */
  public: boolean;
}

export interface Organization {
  readonly __typename: "Organization";
  readonly id: string;
  readonly databaseId: number;
  login: string;
  name: string | null;
  description: string | null;
  email: string | null;
  location: string | null;
  websiteUrl: string | null;
  twitterUsername: string | null;
  isVerified: boolean;
  archivedAt: string | null;
  createdAt: string;
  updatedAt: string;
  memberships: Membership[];
  /** What any member may do in every repository of the organization. */
  basePermission: "READ" | "WRITE";
  teams: Team[];
  projects: Project[];
}

export interface Team {
  readonly __typename: "Team";
  readonly id: string;
  readonly databaseId: number;
  organization: Organization;
  slug: string;
  name: string;
  description: string | null;
  privacy: "SECRET" | "VISIBLE";
  notificationSetting: "NOTIFICATIONS_ENABLED" | "NOTIFICATIONS_DISABLED";
  parentTeam: Team | null;
  members: { user: User; role: "MAINTAINER" | "MEMBER" }[];
  repositories: Repository[];
  createdAt: string;
  updatedAt: string;
}

/** Null stands for a deleted account. */
export type Author = User | Bot | null;
export type Owner = User | Organization;
