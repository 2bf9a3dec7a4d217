import type { Issue, PullRequest } from "./world/issue.ts";
import type { Repository } from "./world/repository.ts";

/** A delivery of a webhook, before it is signed. */
export interface HookEvent {
  /** The header `X-GitHub-Event`. */
  readonly name: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

interface Seen {
  /** Its own values as a text: it has changed when this has. */
  readonly text: string;
  readonly event: HookEvent;
}

/** What a repository has, by what identifies each thing. */
export type HookSnapshot = ReadonlyMap<string, Seen>;

/** What webhooks tell of, as it is now. */
export function hookSnapshot(repository: Repository): HookSnapshot {
  const seen = new Map<string, Seen>();
  const { owner, name } = repository;
  const about = { repository: { name, full_name: `${owner.login}/${name}`, owner: { login: owner.login } } };
  const see = (id: string, event: string, thing: object, payload: Readonly<Record<string, unknown>>) =>
    seen.set(`${event} ${id}`, { text: textOf(thing), event: { name: event, payload: { ...payload, ...about } } });
  for (const thread of [...repository.issues, ...repository.pullRequests]) {
    const named = { node_id: thread.id, number: thread.number };
    const isPull = thread.__typename === "PullRequest";
    see(thread.id, isPull ? "pull_request" : "issues", thread, { [isPull ? "pull_request" : "issue"]: named });
    const issue = isPull ? { ...named, pull_request: {} } : named;
    for (const one of thread.comments) see(one.id, "issue_comment", one, { issue, comment: { node_id: one.id } });
  }
  for (const { id, number, reviews, reviewThreads } of repository.pullRequests) {
    const pull = { pull_request: { node_id: id, number } };
    for (const one of reviews) see(one.id, "pull_request_review", one, { ...pull, review: { node_id: one.id } });
    for (const one of reviewThreads.flatMap(({ comments }) => comments))
      see(one.id, "pull_request_review_comment", one, { ...pull, comment: { node_id: one.id } });
  }
  for (const one of repository.discussions)
    see(one.id, "discussion", one, { discussion: { node_id: one.id, number: one.number } });
  for (const one of repository.labels) see(one.id, "label", one, { label: { node_id: one.id } });
  for (const one of repository.milestones) see(one.id, "milestone", one, { milestone: { node_id: one.id } });
  for (const one of repository.releases) see(one.id, "release", one, { release: { node_id: one.id } });
  for (const { user, starredAt } of repository.stargazers) see(user.id, "star", { starredAt }, { starred_at: starredAt });
  see(repository.id, "push", { pushedAt: repository.pushedAt }, { ref: `refs/heads/${repository.defaultBranch}` });
  return seen;
}

/** Events whose things are opened and not created. */
const opened: readonly string[] = ["issues", "pull_request"];

/** The events that lead from one snapshot to a later one. */
export function hookEvents(before: HookSnapshot, after: HookSnapshot): HookEvent[] {
  const told = (action: string, { event: { name, payload } }: Seen): HookEvent => ({ name, payload: { action, ...payload } });
  const gone = [...before].filter(([id]) => !after.has(id)).map(([, one]) => told("deleted", one));
  const changed = [...after].flatMap(([id, one]) => {
    const known = before.get(id);
    if (known === undefined) return [told(opened.includes(one.event.name) ? "opened" : "created", one)];
    return known.text === one.text ? [] : [told("edited", one)];
  });
  return [...gone, ...changed];
}

/** Its values that are no things of their own, and the names of what it refers to. */
function textOf(thing: object): string {
  const { labels = [], assignees = [], milestone = null } = thing as Partial<Issue | PullRequest>;
  const own = Object.entries(thing).filter(([, value]) => typeof value !== "object" || value === null);
  return JSON.stringify([own, labels.map(({ name }) => name), assignees.map(({ login }) => login), milestone?.title]);
}
