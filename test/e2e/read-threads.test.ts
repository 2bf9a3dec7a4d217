import { commentRecord, discussionRecord, issueRecord } from "./records/issue.ts";
import { pullRecord, reviewCommentRecord, reviewRecord } from "./records/pull.ts";
import type { Facts, GetCase, ListCase } from "./support/case.ts";
import { checkGets } from "./support/check-get.ts";
import { checkLists } from "./support/check-list.ts";
import { useTenon } from "./support/service.ts";
import { found, hello, repository, sorted } from "./support/world.ts";

// Issues, pull requests and what is said about them.

const running = useTenon();
const at = { owner: "octocat", repo: "hello-world" };

const issues = ({ world }: Facts) => sorted(hello(world).issues, (one) => one.createdAt, "DESC");
const pulls = ({ world }: Facts) => sorted(hello(world).pullRequests, (one) => one.createdAt, "DESC");
const discussions = ({ world }: Facts) => sorted(hello(world).discussions, (one) => one.updatedAt, "DESC");
/** The issue with more than 100 comments. */
const talkative = ({ world }: Facts) => found(hello(world).issues.find((one) => one.comments.length > 100));
/** A pull request that was talked about: its comments are comments of an "issue" too. */
const discussed = ({ world }: Facts) => found(hello(world).pullRequests.find((one) => one.comments.length > 2));
/** The pull request with several threads, one of them with more than 100 comments, and a review in every state. */
const reviewed = ({ world }: Facts) =>
  found(hello(world).pullRequests.find((one) => one.reviewThreads.some((thread) => thread.comments.length > 100)));
const numbered = (of: (facts: Facts) => { readonly number: number }) => (facts: Facts) => ({ ...at, number: of(facts).number });

const lists: readonly ListCase[] = [
  { entity: "issues", params: at, expected: (facts) => issues(facts).map(issueRecord) },
  {
    entity: "issues",
    note: "of one state",
    params: { ...at, states: ["CLOSED"] },
    sizes: [7],
    expected: (facts) =>
      issues(facts)
        .filter((one) => one.state === "CLOSED")
        .map(issueRecord),
  },
  {
    entity: "issues",
    note: "of both states",
    params: { ...at, states: ["OPEN", "CLOSED"] },
    sizes: [100],
    expected: (facts) => issues(facts).map(issueRecord),
  },
  {
    entity: "issues",
    note: "with the ids of real payloads",
    params: { owner: "Codertocat", repo: "Hello-World" },
    expected: ({ world }) => repository(world, "Codertocat/Hello-World").issues.map(issueRecord),
  },
  { entity: "comments", params: numbered(talkative), expected: (facts) => talkative(facts).comments.map(commentRecord) },
  {
    entity: "comments",
    note: "of a pull request",
    params: numbered(discussed),
    expected: (facts) => discussed(facts).comments.map(commentRecord),
  },
  { entity: "pull_requests", params: at, expected: (facts) => pulls(facts).map(pullRecord) },
  {
    entity: "pull_requests",
    note: "that were merged",
    params: { ...at, states: ["MERGED"] },
    sizes: [7],
    expected: (facts) =>
      pulls(facts)
        .filter((one) => one.state === "MERGED")
        .map(pullRecord),
  },
  {
    entity: "pull_requests",
    note: "that were closed without a merge, and drafts",
    params: { ...at, states: ["CLOSED", "OPEN"] },
    sizes: [7],
    expected: (facts) =>
      pulls(facts)
        .filter((one) => one.state !== "MERGED")
        .map(pullRecord),
  },
  { entity: "reviews", params: numbered(reviewed), expected: (facts) => reviewed(facts).reviews.map(reviewRecord) },
  {
    entity: "pr_comments",
    params: numbered(reviewed),
    expected: (facts) => reviewed(facts).reviewThreads.flatMap((thread) => thread.comments.map(reviewCommentRecord)),
    sizes: [1, 2, 7, 100],
  },
  { entity: "discussions", params: at, expected: (facts) => discussions(facts).map(discussionRecord) },
  {
    entity: "discussions",
    note: "of one state",
    params: { ...at, states: ["OPEN"] },
    sizes: [7],
    expected: (facts) =>
      discussions(facts)
        .filter((one) => !one.closed)
        .map(discussionRecord),
  },
  ...[true, false].map((answered): ListCase => {
    const matches = (facts: Facts) =>
      discussions(facts).filter((one) => one.category.isAnswerable && (one.answer !== null) === answered);
    return {
      entity: "discussions",
      note: answered ? "with an answer" : "without an answer",
      params: { ...at, answered },
      sizes: [7],
      expected: (facts) => matches(facts).map(discussionRecord),
    };
  }),
];

const gets: readonly GetCase[] = [
  { entity: "issues", params: { ...at, number: 1 }, expected: ({ world }) => issueRecord(found(hello(world).issues[0])) },
  {
    entity: "issues",
    note: "by a deleted account",
    params: numbered(({ world }) => found(hello(world).issues.find((one) => one.author === null))),
    expected: ({ world }) => issueRecord(found(hello(world).issues.find((one) => one.author === null))),
  },
  {
    entity: "issues",
    note: "that is locked, closed and a sub-issue",
    params: numbered(({ world }) => found(hello(world).issues.find((one) => one.locked))),
    expected: ({ world }) => issueRecord(found(hello(world).issues.find((one) => one.locked))),
  },
  {
    entity: "issues",
    note: "closed as a duplicate",
    params: numbered(({ world }) => found(hello(world).issues.find((one) => one.stateReason === "DUPLICATE"))),
    expected: ({ world }) => issueRecord(found(hello(world).issues.find((one) => one.stateReason === "DUPLICATE"))),
  },
  {
    entity: "comments",
    params: (facts) => ({ id: found(talkative(facts).comments[7]).id }),
    expected: (facts) => commentRecord(found(talkative(facts).comments[7])),
  },
  {
    entity: "comments",
    note: "on a pull request",
    params: (facts) => ({ id: found(discussed(facts).comments[0]).id }),
    expected: (facts) => commentRecord(found(discussed(facts).comments[0])),
  },
  { entity: "pull_requests", params: numbered(reviewed), expected: (facts) => pullRecord(reviewed(facts)) },
  {
    entity: "pull_requests",
    note: "that was merged",
    params: numbered(({ world }) => found(hello(world).pullRequests.find((one) => one.state === "MERGED"))),
    expected: ({ world }) => pullRecord(found(hello(world).pullRequests.find((one) => one.state === "MERGED"))),
  },
  {
    entity: "pull_requests",
    note: "whose fork and author are gone",
    params: numbered(({ world }) => found(hello(world).pullRequests.find((one) => one.headRepository === null))),
    expected: ({ world }) => pullRecord(found(hello(world).pullRequests.find((one) => one.headRepository === null))),
  },
  {
    entity: "pr_comments",
    params: (facts) => ({ id: found(reviewed(facts).reviewThreads.at(-1)?.comments[1]).id }),
    expected: (facts) => reviewCommentRecord(found(reviewed(facts).reviewThreads.at(-1)?.comments[1])),
  },
  ...[0, 1, 2, 3].map((index): GetCase => {
    const one = ({ world }: Facts) => found(hello(world).discussions[index]);
    return { entity: "discussions", note: `${index}`, params: numbered(one), expected: (facts) => discussionRecord(one(facts)) };
  }),
];

checkLists(running, lists);
checkGets(running, gets);
