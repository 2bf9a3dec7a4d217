import { type Answer, json } from "../../../simulator/answer.ts";
import { association, canPush } from "../access.ts";
import { written } from "../seed/git.ts";
import { branch, peel } from "../world/head.ts";
import type { PullRequest, Review } from "../world/issue.ts";
import { webPath } from "../world/path.ts";
import type { Repository } from "../world/repository.ts";
import { accountOrGhost } from "./account-record.ts";
import { invalid, refuseWrite } from "./problem.ts";
import { pullRecord } from "./pull-record.ts";
import { repositoryUrl } from "./repository-record.ts";
import { checkText, checkWritable, now, text, type Write, type WriteCall } from "./write.ts";

// What changes a pull request: its text and state, a merge, a review.

export function updatePull(write: Write, call: WriteCall): Answer {
  const { repository, viewer, body } = write;
  const pull = pullOf(repository, call);
  checkWritable(write);
  if (!canPush(viewer, repository) && pull.author?.id !== viewer.user.id)
    throw refuseWrite(403, "Must have admin rights to Repository.");
  const words = {
    title: body["title"] == null ? pull.title : text(body["title"]),
    body: body["body"] === undefined ? pull.body : text(body["body"]),
  };
  checkText("PullRequest", words);
  const { state, base } = body;
  const onto = base === undefined ? undefined : branch(repository, text(base));
  if (base !== undefined && onto === undefined) throw invalid({ resource: "PullRequest", field: "base", code: "invalid" });
  const wanted = state === undefined ? pull.state : state === "open" ? "OPEN" : "CLOSED";
  if (wanted !== pull.state && pull.state === "MERGED")
    throw invalid({ resource: "PullRequest", field: "state", code: "invalid" });
  const at = now();
  if (wanted !== pull.state)
    Object.assign(pull, {
      state: wanted,
      closedAt: wanted === "OPEN" ? null : at,
      closedBy: wanted === "OPEN" ? null : viewer.user,
    });
  Object.assign(pull, words, { updatedAt: at });
  if (onto !== undefined) pull.baseRefName = onto.name;
  return json(200, pullRecord(write.rest, pull, viewer));
}

export function mergePull(write: Write, call: WriteCall): Answer {
  const { repository, viewer, body } = write;
  const pull = pullOf(repository, call);
  checkWritable(write);
  if (!canPush(viewer, repository)) throw refuseWrite(403, "Resource not accessible by personal access token");
  if (pull.isDraft && pull.state === "OPEN") throw refuseWrite(405, "Pull Request is still a draft");
  const base = branch(repository, pull.baseRefName);
  const [onto, head] = [peel(base?.target), pull.commits.at(-1)];
  if (pull.state !== "OPEN" || pull.mergeable === "CONFLICTING" || base === undefined || onto === undefined || head === undefined)
    throw refuseWrite(405, "Pull Request is not mergeable");
  if (body["sha"] !== undefined && body["sha"] !== pull.headRefOid)
    throw refuseWrite(409, "Head branch was modified. Review and try the merge again.");
  const at = now();
  const from = `${(pull.headRepository ?? repository).owner.login}/${pull.headRefName}`;
  const title =
    body["commit_title"] === undefined ? `Merge pull request #${pull.number} from ${from}` : text(body["commit_title"]);
  const message = `${title}\n\n${body["commit_message"] === undefined ? pull.title : text(body["commit_message"])}`;
  const parents = body["merge_method"] === undefined || body["merge_method"] === "merge" ? [onto, head] : [onto];
  const merged = written(repository, { message, by: viewer.user, at, parents, tree: head.tree, changes: pull.files });
  base.target = merged;
  Object.assign(pull, {
    state: "MERGED",
    mergedAt: at,
    mergedBy: viewer.user,
    mergeCommit: merged,
    closedAt: at,
    closedBy: viewer.user,
    updatedAt: at,
  });
  return json(200, { sha: merged.oid, merged: true, message: "Pull Request successfully merged" });
}

const verdicts = { APPROVE: "APPROVED", REQUEST_CHANGES: "CHANGES_REQUESTED", COMMENT: "COMMENTED" } as const;

export function createReview(write: Write, call: WriteCall): Answer {
  const { repository, viewer, body, rest, world } = write;
  const pull = pullOf(repository, call);
  checkWritable(write);
  const event = Object.entries(verdicts).find(([name]) => name === body["event"]);
  const [, state = "PENDING"] = event ?? [];
  const words = text(body["body"]);
  const own = pull.author?.id === viewer.user.id;
  if (own && (state === "APPROVED" || state === "CHANGES_REQUESTED"))
    throw refuseWrite(422, `Review Can not ${state === "APPROVED" ? "approve" : "request changes on"} your own pull request`);
  if (words.trim() === "" && (state === "CHANGES_REQUESTED" || state === "COMMENTED"))
    throw refuseWrite(422, "Review Body can't be blank");
  const reviewed =
    body["commit_id"] === undefined ? pull.commits.at(-1) : pull.commits.find(({ oid }) => oid === body["commit_id"]);
  if (reviewed === undefined) throw refuseWrite(422, "Review Commit is not part of the pull request");
  const at = now();
  const made: Review = {
    __typename: "PullRequestReview",
    ...world.identities.make("PullRequestReview"),
    pullRequest: pull,
    author: viewer.user,
    body: words,
    state,
    submittedAt: state === "PENDING" ? null : at,
    createdAt: at,
    updatedAt: at,
    lastEditedAt: null,
    reactions: [],
    commit: reviewed,
    comments: [],
  };
  pull.reviews.push(made);
  pull.updatedAt = at;
  const url = `${repositoryUrl(rest, repository)}/pulls/${pull.number}`;
  const html = `https://github.com${webPath(pull)}#pullrequestreview-${made.databaseId}`;
  return json(200, {
    id: made.databaseId,
    node_id: made.id,
    user: accountOrGhost(rest, made.author),
    body: made.body,
    state: made.state,
    html_url: html,
    pull_request_url: url,
    _links: { html: { href: html }, pull_request: { href: url } },
    ...(made.submittedAt === null ? {} : { submitted_at: made.submittedAt }),
    commit_id: reviewed.oid,
    author_association: association(made.author, repository),
  });
}

function pullOf(repository: Repository, { params }: WriteCall): PullRequest {
  const found = repository.pullRequests.find(({ number }) => String(number) === params["pull_number"]);
  if (found === undefined) throw refuseWrite(404, "Not Found");
  return found;
}
