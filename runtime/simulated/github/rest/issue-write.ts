import { type Answer, json } from "../../../simulator/answer.ts";
import { canPush } from "../access.ts";
import type { Issue, IssueComment } from "../world/issue.ts";
import { commentRecord, issueRecord } from "./issue-record.ts";
import { invalid, refuseWrite } from "./problem.ts";
import {
  assigneesOf,
  checkText,
  checkWritable,
  labelsOf,
  milestoneOf,
  now,
  type Thread,
  text,
  threadNumbered,
  type Write,
  type WriteCall,
} from "./write.ts";

export function createIssue(write: Write): Answer {
  const { repository, viewer, body, rest } = write;
  checkWritable(write);
  if (!repository.hasIssuesEnabled) throw refuseWrite(410, "Issues are disabled for this repo");
  const words = { title: text(body["title"]), body: text(body["body"]) };
  checkText("Issue", words);
  // Without push access these are ignored without an error, even where they are wrong.
  const push = canPush(viewer, repository);
  const assignees = push ? (assigneesOf(write) ?? []) : [];
  const milestone = push ? (milestoneOf(write) ?? null) : null;
  const labels = push ? (labelsOf(write) ?? []) : [];
  const at = now();
  const made: Issue = {
    __typename: "Issue",
    ...write.world.identities.make("Issue"),
    repository,
    number: ++repository.lastNumber,
    ...words,
    author: viewer.user,
    state: "OPEN",
    stateReason: null,
    locked: false,
    activeLockReason: null,
    labels,
    assignees,
    milestone,
    comments: [],
    closedAt: null,
    closedBy: null,
    projectItems: [],
    reactions: [],
    createdAt: at,
    updatedAt: at,
    lastEditedAt: null,
    isPinned: false,
    parent: null,
    subIssues: [],
  };
  repository.issues.push(made);
  const record = issueRecord(rest, made);
  return json(201, record, { location: record.url });
}

export function updateIssue(write: Write, { params }: WriteCall): Answer {
  const { repository, viewer, body } = write;
  const thread = threadNumbered(repository, Number(params["issue_number"]));
  checkWritable(write);
  const push = canPush(viewer, repository);
  if (!push && thread.author?.id !== viewer.user.id) throw refuseWrite(403, "Must have admin rights to Repository.");
  const words = {
    title: body["title"] == null ? thread.title : text(body["title"]),
    body: body["body"] === undefined ? thread.body : text(body["body"]),
  };
  checkText("Issue", words);
  const change = stateChange(thread, body);
  // Everything is checked before anything changes.
  const [assignees, milestone, labels] = push ? [assigneesOf(write, thread), milestoneOf(write), labelsOf(write)] : [];
  if (words.title !== thread.title || words.body !== thread.body) thread.lastEditedAt = now();
  Object.assign(thread, words);
  if (assignees !== undefined) thread.assignees = assignees;
  if (milestone !== undefined) thread.milestone = milestone;
  if (labels !== undefined) thread.labels = labels;
  if (change === "CLOSED") Object.assign(thread, { state: "CLOSED", closedAt: now(), closedBy: viewer.user });
  if (change === "OPEN") Object.assign(thread, { state: "OPEN", closedAt: null, closedBy: null });
  if (change !== undefined && thread.__typename === "Issue") thread.stateReason = reasonFor(change, body["state_reason"]);
  thread.updatedAt = now();
  return json(200, issueRecord(write.rest, thread));
}

function stateChange(thread: Thread, body: Write["body"]): "OPEN" | "CLOSED" | undefined {
  const { state, state_reason: reason } = body;
  const forOpening = reason === "reopened";
  if (state !== undefined && typeof reason === "string" && forOpening !== (state === "open")) {
    throw invalid({ resource: "Issue", field: "state_reason", code: "invalid", value: reason });
  }
  if (state === "closed" && thread.state === "OPEN") return "CLOSED";
  if (state !== "open" || thread.state === "OPEN") return undefined;
  if (thread.state === "MERGED")
    throw invalid({
      resource: "Issue",
      field: "state",
      code: "invalid",
      message: "state cannot be changed. The pull request has been merged.",
    });
  return "OPEN";
}

function reasonFor(state: "OPEN" | "CLOSED", reason: unknown): Issue["stateReason"] {
  if (state === "OPEN") return "REOPENED";
  if (reason === "not_planned") return "NOT_PLANNED";
  return reason === "duplicate" ? "DUPLICATE" : "COMPLETED";
}

export function createComment(write: Write, { params }: WriteCall): Answer {
  const { repository, viewer, body, rest } = write;
  const thread = threadNumbered(repository, Number(params["issue_number"]));
  checkWritable(write);
  if (thread.locked && !canPush(viewer, repository)) throw refuseWrite(403, "Unable to create comment because issue is locked.");
  const words = text(body["body"]);
  if (words.trim() === "")
    throw invalid({ resource: "IssueComment", field: "body", code: "missing_field", message: "body can't be blank" });
  if (words.length > 65_536) {
    throw invalid({
      resource: "IssueComment",
      field: "body",
      code: "custom",
      message: "body is too long (maximum is 65536 characters)",
    });
  }
  const at = now();
  const made: IssueComment = {
    __typename: "IssueComment",
    ...write.world.identities.make("IssueComment"),
    parent: thread,
    author: viewer.user,
    body: words,
    createdAt: at,
    updatedAt: at,
    lastEditedAt: null,
    reactions: [],
    isMinimized: false,
    minimizedReason: null,
  };
  thread.comments.push(made);
  thread.updatedAt = at;
  const record = commentRecord(rest, made);
  return json(201, record, { location: record.url });
}
