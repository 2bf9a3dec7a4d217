import { association } from "../access.ts";
import type { Organization, User } from "../world/account.ts";
import type { Discussion } from "../world/discussion.ts";
import type { Issue, PullRequest } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import { nameWithOwner } from "../world/world.ts";
import type { Condition } from "./query.ts";
import { inRange } from "./range.ts";

export type Searched = Repository | Issue | PullRequest | Discussion | User | Organization;

interface Facts {
  /** What plain words are looked for in, by the names that `in:` knows. */
  readonly texts: Readonly<Record<string, string>>;
  /** Whether a qualifier holds; an unknown one matches nothing, as on the platform. */
  readonly holds: (name: string, value: string) => boolean;
}

/** Whether a record matches a query. `places` are the texts that the qualifier `in:` names. */
export function matches(record: Searched, condition: Condition, places: readonly string[], facts = factsOf(record)): boolean {
  switch (condition.kind) {
    case "all":
      return condition.of.every((part) => matches(record, part, places, facts));
    case "any":
      return condition.of.some((part) => matches(record, part, places, facts));
    case "not":
      return !matches(record, condition.of, places, facts);
    case "text":
      return Object.entries(facts.texts).some(
        ([place, text]) =>
          (places.length === 0 || places.includes(place)) && text.toLowerCase().includes(condition.text.toLowerCase()),
      );
    case "qualifier":
      return condition.name === "in" || condition.name === "sort" || facts.holds(condition.name, condition.value);
  }
}

const same = (left: string | null | undefined, right: string) => (left ?? "").toLowerCase() === right.toLowerCase();

function factsOf(record: Searched): Facts {
  switch (record.__typename) {
    case "Repository":
      return repositoryFacts(record);
    case "User":
    case "Organization":
      return accountFacts(record);
    case "Discussion":
      return discussionFacts(record);
    default:
      return threadFacts(record);
  }
}

function repositoryFacts(record: Repository): Facts {
  const is: Readonly<Record<string, boolean>> = {
    public: !record.isPrivate,
    private: record.isPrivate,
    archived: record.isArchived,
    template: record.isTemplate,
    fork: record.parent !== null,
  };
  const holds: Facts["holds"] = (name, value) => {
    switch (name) {
      case "repo":
        return same(nameWithOwner(record), value);
      case "user":
      case "org":
      case "owner":
        return same(record.owner.login, value);
      case "is":
        return is[value.toLowerCase()] === true;
      case "language":
        return record.languages.some((one) => same(one.language.name, value));
      case "topic":
        return record.topics.some((topic) => same(topic.name, value));
      case "license":
        return same(record.licenseInfo?.key, value);
      case "stars":
        return inRange(record.stargazers.length, value);
      case "forks":
        return inRange(record.forks.length, value);
      case "size":
        return inRange(record.diskUsage, value);
      case "created":
        return inRange(record.createdAt, value);
      case "pushed":
        return record.pushedAt !== null && inRange(record.pushedAt, value);
      case "archived":
        return record.isArchived === (value === "true");
      case "fork":
        return value === "true" ? true : value === "only" && record.parent !== null;
      default:
        return false;
    }
  };
  const topics = record.topics.map((topic) => topic.name).join(" ");
  return { texts: { name: nameWithOwner(record), description: record.description ?? "", topics }, holds };
}

function accountFacts(record: User | Organization): Facts {
  const holds: Facts["holds"] = (name, value) => {
    switch (name) {
      case "type":
        return same(value, record.__typename === "User" ? "user" : "org");
      case "user":
      case "org":
        return same(record.login, value);
      case "location":
        return (record.location ?? "").toLowerCase().includes(value.toLowerCase());
      case "followers":
        return inRange(record.__typename === "User" ? record.followers.length : 0, value);
      case "created":
        return inRange(record.createdAt, value);
      default:
        return false;
    }
  };
  return { texts: { login: record.login, name: record.name ?? "", email: record.email ?? "" }, holds };
}

/** Qualifiers that everything with a number shares. */
function commonHolds(record: Issue | PullRequest | Discussion, name: string, value: string): boolean | undefined {
  switch (name) {
    case "repo":
      return same(nameWithOwner(record.repository), value);
    case "user":
    case "org":
      return same(record.repository.owner.login, value);
    case "author":
      return same(record.author?.login, value);
    case "label":
      return value.split(",").some((one) => record.labels.some((label) => same(label.name, one.replaceAll('"', ""))));
    case "created":
      return inRange(record.createdAt, value);
    case "updated":
      return inRange(record.updatedAt, value);
    case "comments":
      return inRange(record.comments.length, value);
    default:
      return undefined;
  }
}

function discussionFacts(record: Discussion): Facts {
  const is: Readonly<Record<string, boolean>> = {
    open: !record.closed,
    closed: record.closed,
    answered: record.answer !== null,
    unanswered: record.category.isAnswerable && record.answer === null,
    locked: record.locked,
  };
  const holds: Facts["holds"] = (name, value) =>
    commonHolds(record, name, value) ??
    (name === "is" || name === "state"
      ? is[value.toLowerCase()] === true
      : name === "category" && same(record.category.name, value));
  return { texts: { title: record.title, body: record.body }, holds };
}

function threadFacts(record: Issue | PullRequest): Facts {
  const merged = record.__typename === "PullRequest" && record.state === "MERGED";
  const is: Readonly<Record<string, boolean>> = {
    issue: record.__typename === "Issue",
    pr: record.__typename === "PullRequest",
    "pull-request": record.__typename === "PullRequest",
    open: record.state === "OPEN",
    closed: record.state !== "OPEN",
    merged,
    unmerged: record.__typename === "PullRequest" && !merged,
    draft: record.__typename === "PullRequest" && record.isDraft,
    locked: record.locked,
    public: !record.repository.isPrivate,
    private: record.repository.isPrivate,
  };
  const no: Readonly<Record<string, boolean>> = {
    label: record.labels.length === 0,
    milestone: record.milestone === null,
    assignee: record.assignees.length === 0,
  };
  const holds: Facts["holds"] = (name, value) => {
    const common = commonHolds(record, name, value);
    if (common !== undefined) return common;
    switch (name) {
      case "is":
      case "state":
      case "type":
        return is[value.toLowerCase()] === true;
      case "no":
        return no[value.toLowerCase()] === true;
      case "assignee":
        return record.assignees.some((user) => same(user.login, value));
      case "milestone":
        return same(record.milestone?.title, value);
      case "closed":
        return record.closedAt !== null && inRange(record.closedAt, value);
      case "reason":
        return record.__typename === "Issue" && same(record.stateReason?.replaceAll("_", " "), value);
      case "author-association":
        return same(association(record.author, record.repository), value);
      case "language":
        return record.repository.languages.some((one) => same(one.language.name, value));
      default:
        return false;
    }
  };
  const comments = record.comments.map((comment) => comment.body).join("\n");
  return { texts: { title: record.title, body: record.body, comments }, holds };
}
