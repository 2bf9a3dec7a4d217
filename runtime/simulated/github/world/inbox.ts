import type { User } from "./account.ts";
import type { Issue, PullRequest } from "./issue.ts";

/** What GitHub tells a user about a thread. */
export interface Notification {
  readonly id: number;
  readonly user: User;
  readonly about: Issue | PullRequest;
  readonly reason: "assign" | "author" | "mention" | "subscribed";
  unread: boolean;
  readonly updatedAt: string;
  lastReadAt: string | null;
}

export interface Gist {
  readonly id: string;
  readonly owner: User;
  description: string | null;
  readonly public: boolean;
  /** Contents by name. */
  files: Map<string, string>;
  readonly createdAt: string;
  updatedAt: string;
}
