import type { Grants } from "../grants/issued.ts";
import type { HookSender } from "../hooks/send.ts";
import type { Bot, Organization, Owner, User } from "./account.ts";
import type { Hook } from "./hook.ts";
import type { Identities } from "./identity.ts";
import type { Gist, Notification } from "./inbox.ts";
import type { Repository } from "./repository.ts";
import type { WorkflowRun } from "./workflow.ts";

/** Everything the simulated platform knows. Tests may change it; `reset()` puts the seeded state back. */
export interface World {
  users: User[];
  bots: Bot[];
  organizations: Organization[];
  repositories: Repository[];
  /** Former `owner/name` in lower case → where the repository is now. */
  renames: Map<string, Repository>;
  /** Gives ids to what is written. */
  identities: Identities;
  /** Tokens that were given out while it runs. */
  grants: Grants;
  /** The webhooks of repositories, and what calls them. */
  hooks: Hook[];
  hookSender: HookSender;
  workflowRuns: WorkflowRun[];
  notifications: Notification[];
  gists: Gist[];
  /** When each token searched code in the last minute. */
  codeSearches: Map<string, readonly number[]>;
}

export function nameWithOwner(repository: Repository): string {
  return `${repository.owner.login}/${repository.name}`;
}

/** The repository that bears this name now. Names differ only in case on the platform, never two at once. */
export function repositoryNamed(world: World, fullName: string): Repository | undefined {
  const wanted = fullName.toLowerCase();
  return world.repositories.find((repository) => nameWithOwner(repository).toLowerCase() === wanted);
}

export function userNamed(world: World, login: string): User | undefined {
  const wanted = login.toLowerCase();
  return world.users.find((user) => user.login.toLowerCase() === wanted);
}

export function organizationNamed(world: World, login: string): Organization | undefined {
  const wanted = login.toLowerCase();
  return world.organizations.find((organization) => organization.login.toLowerCase() === wanted);
}

export function ownerNamed(world: World, login: string): Owner | undefined {
  return userNamed(world, login) ?? organizationNamed(world, login);
}
