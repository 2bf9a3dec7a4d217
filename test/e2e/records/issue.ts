import { association } from "../../../runtime/simulated/github/access.ts";
import type { User } from "../../../runtime/simulated/github/world/account.ts";
import type { Discussion } from "../../../runtime/simulated/github/world/discussion.ts";
import type { Issue, IssueComment } from "../../../runtime/simulated/github/world/issue.ts";
import { nameWithOwner } from "../../../runtime/simulated/github/world/world.ts";
import { account, actor, type Expected, label, lower, milestone, plainText, web } from "./shared.ts";

export function issueRecord(one: Issue): Expected {
  const { parent, subIssues } = one;
  const completed = subIssues.filter((sub) => sub.state === "CLOSED").length;
  const writers = [one.author, ...one.comments.map((comment) => comment.author)];
  const people = new Set(writers.filter((writer): writer is User => writer?.__typename === "User"));
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      number: one.number,
      repository: nameWithOwner(one.repository),
      title: one.title,
      body: one.body,
      state: one.state.toLowerCase(),
      stateReason: lower(one.stateReason),
      author: actor(one.author),
      labels: one.labels.map(label),
      assignees: one.assignees.map(account),
      milestone: milestone(one.milestone),
      commentCount: one.comments.length,
      locked: one.locked,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      closedAt: one.closedAt,
      url: web(one),
    },
    extras: {
      authorAssociation: association(one.author, one.repository),
      authorLogin: one.author?.login ?? null,
      milestoneTitle: one.milestone?.title ?? null,
      activeLockReason: lower(one.activeLockReason),
      bodyText: plainText(one.body),
      isPinned: one.isPinned,
      lastEditedAt: one.lastEditedAt,
      parent:
        parent === null
          ? null
          : {
              id: parent.id,
              number: parent.number,
              title: parent.title,
              repository: nameWithOwner(parent.repository),
              url: web(parent),
            },
      participants: [...people].map(account),
      reactionCount: one.reactions.length,
      subIssues: {
        total: subIssues.length,
        completed,
        percentCompleted: subIssues.length === 0 ? 0 : Math.floor((100 * completed) / subIssues.length),
      },
    },
  };
}

export function commentRecord(one: IssueComment): Expected {
  const { repository, number } = one.parent;
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      repository: nameWithOwner(repository),
      number,
      author: actor(one.author),
      body: one.body,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      url: web(one),
    },
    extras: {
      authorAssociation: association(one.author, repository),
      authorLogin: one.author?.login ?? null,
      bodyText: plainText(one.body),
      isMinimized: one.isMinimized,
      lastEditedAt: one.lastEditedAt,
      minimizedReason: one.minimizedReason,
      reactionCount: one.reactions.length,
    },
  };
}

export function discussionRecord(one: Discussion): Expected {
  const { answer, category } = one;
  return {
    defaults: {
      id: one.id,
      databaseId: one.databaseId,
      number: one.number,
      repository: nameWithOwner(one.repository),
      title: one.title,
      body: one.body,
      state: one.closed ? "closed" : "open",
      stateReason: lower(one.stateReason),
      category: { id: category.id, name: category.name, slug: category.slug, isAnswerable: category.isAnswerable },
      author: actor(one.author),
      isAnswered: category.isAnswerable ? answer !== null : null,
      answerChosenAt: one.answerChosenAt,
      upvoteCount: one.upvoteCount,
      commentCount: one.comments.length,
      labels: one.labels.map(label),
      locked: one.locked,
      createdAt: one.createdAt,
      updatedAt: one.updatedAt,
      closedAt: one.closedAt,
      url: web(one),
    },
    extras: {
      categorySlug: category.slug,
      answer:
        answer === null
          ? null
          : {
              id: answer.id,
              author: actor(answer.author),
              body: answer.body,
              createdAt: answer.createdAt,
              url: web(answer),
            },
      authorAssociation: association(one.author, one.repository),
      authorLogin: one.author?.login ?? null,
      bodyText: plainText(one.body),
      lastEditedAt: one.lastEditedAt,
      reactionCount: one.reactions.length,
    },
  };
}
