import type { Author } from "../world/account.ts";
import type { Issue, IssueComment, PullRequest, Reaction, ReactionContent } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import { hour, instant, type Seed, someAuthor, someUser } from "./seed.ts";
import { someBody, someReply, someTitle } from "./text.ts";

const contents: readonly ReactionContent[] = [
  "THUMBS_UP",
  "HEART",
  "HOORAY",
  "ROCKET",
  "EYES",
  "CONFUSED",
  "LAUGH",
  "THUMBS_DOWN",
];

export function someReactions(seed: Seed, at: string): Reaction[] {
  if (!seed.random.chance(0.2)) return [];
  return seed.random.sample(seed.world.users, 1 + seed.random.below(4)).map((user) => ({
    __typename: "Reaction",
    ...seed.identities.make("Reaction"),
    content: seed.random.pick(contents),
    user,
    createdAt: at,
  }));
}

export function issue(seed: Seed, repository: Repository, given: Partial<Issue> & { readonly createdAt: string }): Issue {
  const number = given.number ?? ++repository.lastNumber;
  const made: Issue = {
    __typename: "Issue",
    ...seed.identities.make("Issue"),
    repository,
    number,
    title: someTitle(seed.random),
    body: someBody(seed.random),
    author: someAuthor(seed),
    state: "OPEN",
    stateReason: null,
    locked: false,
    activeLockReason: null,
    labels: [],
    assignees: [],
    milestone: null,
    comments: [],
    closedAt: null,
    closedBy: null,
    projectItems: [],
    reactions: someReactions(seed, given.createdAt),
    updatedAt: given.createdAt,
    lastEditedAt: null,
    isPinned: false,
    parent: null,
    subIssues: [],
    ...given,
  };
  repository.lastNumber = Math.max(repository.lastNumber, number);
  repository.issues.push(made);
  return made;
}

/** An issue as people leave it: perhaps closed, labelled, assigned, discussed. */
export function seedIssue(seed: Seed, repository: Repository, at: number): Issue {
  const { random } = seed;
  const made = issue(seed, repository, { createdAt: hour(at) });
  made.labels = random.sample(repository.labels, random.below(4));
  made.assignees = random.sample(seed.world.users, random.pick([0, 0, 1, 1, 2, 3]));
  made.milestone = random.chance(0.4) && repository.milestones.length > 0 ? random.pick(repository.milestones) : null;
  for (let count = random.pick([0, 0, 1, 2, 3, 5]); count > 0; count--) comment(seed, made, at + 2 + made.comments.length);
  if (random.chance(0.35)) {
    const reason = random.pick(["COMPLETED", "COMPLETED", "NOT_PLANNED", "DUPLICATE"] as const);
    close(made, hour(at + 30), someUser(seed), reason);
  } else if (random.chance(0.05)) made.stateReason = "REOPENED";
  return made;
}

export function close(target: Issue, at: string, by: Author, reason: Issue["stateReason"]): void {
  Object.assign(target, { state: "CLOSED", stateReason: reason, closedAt: at, closedBy: by, updatedAt: at });
}

export function comment(seed: Seed, parent: Issue | PullRequest, at: number): IssueComment {
  const createdAt = hour(at);
  const made: IssueComment = {
    __typename: "IssueComment",
    ...seed.identities.make("IssueComment"),
    parent,
    author: someAuthor(seed),
    body: someReply(seed.random),
    createdAt,
    updatedAt: createdAt,
    lastEditedAt: null,
    reactions: someReactions(seed, createdAt),
    isMinimized: false,
    minimizedReason: null,
  };
  if (seed.random.chance(0.05)) Object.assign(made, { isMinimized: true, minimizedReason: "outdated" });
  if (seed.random.chance(0.1)) {
    made.lastEditedAt = instant(Date.parse(createdAt) + 600_000);
    made.updatedAt = made.lastEditedAt;
  }
  parent.comments.push(made);
  if (parent.updatedAt < made.updatedAt) parent.updatedAt = made.updatedAt;
  return made;
}
