import type { Discussion, DiscussionCategory, DiscussionComment } from "../world/discussion.ts";
import type { Repository } from "../world/repository.ts";
import { someReactions } from "./issues.ts";
import { hour, type Seed, someAuthor, someUser } from "./seed.ts";
import { someBody, someReply, someTitle } from "./text.ts";

const categories = [
  { name: "Announcements", slug: "announcements", emoji: ":mega:", description: "Updates from maintainers", isAnswerable: false },
  { name: "Q&A", slug: "q-a", emoji: ":pray:", description: "Ask the community for help", isAnswerable: true },
  { name: "Show and tell", slug: "show-and-tell", emoji: ":raised_hands:", description: null, isAnswerable: false },
] as const;

export function seedCategories(seed: Seed, repository: Repository): void {
  repository.hasDiscussionsEnabled = true;
  for (const category of categories) {
    const { id } = seed.identities.make("DiscussionCategory");
    const at = hour(5);
    repository.discussionCategories.push({
      __typename: "DiscussionCategory",
      id,
      repository,
      ...category,
      createdAt: at,
      updatedAt: at,
    });
  }
}

/** Index 0, 1, 2, … runs through the kinds: unanswered, answered, closed in each way, not answerable. */
export function seedDiscussion(seed: Seed, repository: Repository, at: number, index: number): Discussion {
  const category = pickCategory(repository, index);
  const made: Discussion = {
    __typename: "Discussion",
    ...seed.identities.make("Discussion"),
    repository,
    number: ++repository.lastNumber,
    title: someTitle(seed.random),
    body: someBody(seed.random),
    author: someAuthor(seed),
    category,
    closed: false,
    closedAt: null,
    stateReason: null,
    locked: index % 7 === 6,
    activeLockReason: index % 7 === 6 ? "RESOLVED" : null,
    answer: null,
    answerChosenAt: null,
    answerChosenBy: null,
    upvoteCount: seed.random.below(20),
    labels: seed.random.sample(repository.labels, seed.random.below(3)),
    comments: [],
    reactions: someReactions(seed, hour(at)),
    createdAt: hour(at),
    updatedAt: hour(at),
    lastEditedAt: null,
  };
  for (let count = 1 + seed.random.below(4); count > 0; count--) {
    const written = discussionComment(seed, made, null, at + 1 + made.comments.length);
    if (seed.random.chance(0.4)) discussionComment(seed, made, written, at + 2 + made.comments.length);
  }
  if (category.isAnswerable && index % 2 === 1) answer(seed, made, at + 20);
  if (index % 3 === 2) {
    const stateReason = seed.random.pick(["RESOLVED", "OUTDATED", "DUPLICATE"] as const);
    Object.assign(made, { closed: true, closedAt: hour(at + 30), stateReason, updatedAt: hour(at + 30) });
  }
  repository.discussions.push(made);
  return made;
}

function pickCategory(repository: Repository, index: number): DiscussionCategory {
  const answerable = repository.discussionCategories.filter((category) => category.isAnswerable === (index % 4 !== 0));
  const found = answerable[index % Math.max(1, answerable.length)];
  if (found === undefined) throw new Error("the repository has no discussion categories");
  return found;
}

function answer(seed: Seed, discussion: Discussion, at: number): void {
  discussion.answer = discussion.comments[0] ?? null;
  discussion.answerChosenAt = hour(at);
  discussion.answerChosenBy = someUser(seed);
  discussion.updatedAt = hour(at);
}

function discussionComment(seed: Seed, discussion: Discussion, replyTo: DiscussionComment | null, at: number): DiscussionComment {
  const createdAt = hour(at);
  const made: DiscussionComment = {
    __typename: "DiscussionComment",
    ...seed.identities.make("DiscussionComment"),
    discussion,
    replyTo,
    replies: [],
    author: someAuthor(seed),
    body: someReply(seed.random),
    upvoteCount: seed.random.below(5),
    createdAt,
    updatedAt: createdAt,
    lastEditedAt: null,
    reactions: [],
  };
  if (replyTo === null) discussion.comments.push(made);
  else replyTo.replies.push(made);
  if (discussion.updatedAt < createdAt) discussion.updatedAt = createdAt;
  return made;
}
