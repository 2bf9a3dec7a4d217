import type { Author, Owner, User } from "../../../runtime/simulated/github/world/account.ts";
import type { Commit, GitPerson } from "../../../runtime/simulated/github/world/git.ts";
import type { Label, Milestone } from "../../../runtime/simulated/github/world/issue.ts";
import { webPath } from "../../../runtime/simulated/github/world/path.ts";

// Expected records, written down from the interface and the specs' docs by hand, computed from the platform's data. They know
// nothing of the runtime.

export type Row = Record<string, unknown>;

/** What an entity's record must be: the default fields, and those that come on request only. */
export interface Expected {
  readonly defaults: Row;
  readonly extras: Row;
}

export const web = (record: Parameters<typeof webPath>[0]) => `https://github.com${webPath(record)}`;
export const lower = (value: string | null) => (value === null ? null : value.toLowerCase());
export const picture = (account: { readonly databaseId: number }) =>
  `https://avatars.githubusercontent.com/u/${account.databaseId}?v=4`;

/** The platform's plain text of Markdown. */
export const plainText = (body: string) => body.replaceAll(/[*_`#>]/g, "");

export function actor(author: Author | Owner): Row | null {
  if (author === null) return null;
  return { id: author.id, login: author.login, url: web(author), kind: author.__typename };
}

export function account(user: User): Row {
  return { id: user.id, databaseId: user.databaseId, login: user.login, url: web(user) };
}

export function label(one: Label): Row {
  return { id: one.id, name: one.name, color: one.color };
}

export function milestone(one: Milestone | null): Row | null {
  if (one === null) return null;
  return { id: one.id, number: one.number, title: one.title, state: one.state.toLowerCase(), dueOn: one.dueOn };
}

export const headline = (commit: Commit) => commit.message.split("\n", 1)[0];

export function commitReference(commit: Commit): Row {
  return { sha: commit.oid, messageHeadline: headline(commit), committedDate: commit.committer.date, url: web(commit) };
}

export function gitPerson(person: GitPerson): Row {
  return { name: person.name, email: person.email, date: person.date, user: person.user === null ? null : account(person.user) };
}
