import type { RestCall } from "../../../simulator/rest/api.ts";
import { membershipOf, userPermission, type Viewer } from "../access.ts";
import { participants } from "../resolve/thread.ts";
import { instant } from "../seed/seed.ts";
import { hasScope } from "../tokens.ts";
import type { User } from "../world/account.ts";
import type { Issue, Label, Milestone, PullRequest } from "../world/issue.ts";
import type { Repository } from "../world/repository.ts";
import { userNamed, type World } from "../world/world.ts";
import { invalid, refuseWrite } from "./problem.ts";

/** What a write works with. */
export interface Write {
  readonly world: World;
  readonly rest: string;
  readonly viewer: Viewer;
  readonly repository: Repository;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The request that makes a write. */
export type WriteCall = RestCall<World, Viewer>;

export type Thread = Issue | PullRequest;

export function now(): string {
  return instant(Date.now());
}

/** Refusals that hold for every write in a repository that the viewer can see. */
export function checkWritable({ repository, viewer }: Pick<Write, "repository" | "viewer">): void {
  // A token without the scope gets the same answer as one that cannot see the repository.
  const scope = repository.isPrivate ? "repo" : "public_repo";
  if (!hasScope(viewer.token, scope)) throw refuseWrite(404, "Not Found");
  if (repository.isArchived) throw refuseWrite(403, "Repository was archived so is read-only.");
}

export function threadNumbered(repository: Repository, number: number): Thread {
  const found = [...repository.issues, ...repository.pullRequests].find((one) => one.number === number);
  if (found === undefined) throw refuseWrite(404, "Not Found");
  if (found.__typename === "Issue" && !repository.hasIssuesEnabled) throw refuseWrite(410, "Issues are disabled for this repo");
  return found;
}

const problem = (field: string, value: string | number) => invalid({ value, resource: "Issue", field, code: "invalid" });

/** Labels by name. Who may push makes new ones by naming them. */
export function labelsOf({ repository, world, body }: Write): Label[] | undefined {
  const given = body["labels"];
  if (!Array.isArray(given)) return undefined;
  const names = given.map((one) => (typeof one === "string" ? one : String((one as { name?: unknown }).name ?? "")));
  return [...new Set(names)].map((name) => {
    if (name.trim() === "") throw invalid({ resource: "Issue", field: "labels", code: "missing_field" });
    const known = repository.labels.find((label) => label.name.toLowerCase() === name.toLowerCase());
    if (known !== undefined) return known;
    const at = now();
    const made: Label = {
      __typename: "Label",
      ...world.identities.make("Label"),
      repository,
      name,
      color: "ededed",
      description: null,
      isDefault: false,
      createdAt: at,
      updatedAt: at,
    };
    repository.labels.push(made);
    return made;
  });
}

export function assigneesOf(write: Write, thread?: Thread): User[] | undefined {
  const { assignees, assignee } = write.body;
  const single = assignee === undefined ? undefined : assignee === null || assignee === "" ? [] : [assignee];
  const given = Array.isArray(assignees) ? assignees : single;
  if (given === undefined) return undefined;
  const users = given.map(String).map((login) => {
    const user = userNamed(write.world, login);
    if (user === undefined || !assignable(write.repository, user, thread)) throw problem("assignees", login);
    return user;
  });
  return [...new Set(users)].slice(0, 10);
}

/** Who may push, who belongs to the organization, and who already takes part. */
function assignable(repository: Repository, user: User, thread: Thread | undefined): boolean {
  const rank = userPermission(user, repository);
  if (rank !== undefined && rank !== "READ") return true;
  if (repository.owner.__typename === "Organization" && membershipOf(user, repository.owner) !== undefined) return true;
  return thread !== undefined && participants(thread).includes(user);
}

/** The milestone that a write names: undefined where it names none, null where it is to be removed. */
export function milestoneOf({ repository, body }: Write): Milestone | null | undefined {
  const given = body["milestone"];
  if (given === undefined || given === null) return given;
  const found = repository.milestones.find((one) => one.number === Number(given));
  if (found === undefined) throw problem("milestone", given as string | number);
  return found;
}

export function checkText(
  resource: "Issue" | "PullRequest",
  { title, body }: { readonly title: string; readonly body: string },
): void {
  if (title.trim() === "") throw invalid({ resource, field: "title", code: "missing_field" });
  const tooLong = (field: string, most: number) =>
    invalid({ resource, field, code: "custom", message: `${field} is too long (maximum is ${most} characters)` });
  if (title.length > 256) throw tooLong("title", 256);
  if (body.length > 65_536) throw tooLong("body", 65_536);
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}
