import { canRead, type Viewer } from "../access.ts";
import { type Answer, docs, json, refuse } from "../answer.ts";
import { parseBody, type Received } from "../request.ts";
import type { State } from "../state.ts";
import type { Repository } from "../world/repository.ts";
import { repositoryNamed } from "../world/world.ts";
import { accountRecord } from "./account-record.ts";
import { type Operation, requestErrors } from "./description.ts";
import { createComment, createIssue, updateIssue } from "./issue-write.ts";
import { Refused } from "./problem.ts";
import { createPull } from "./pull-write.ts";
import { repositoryRecord } from "./repository-record.ts";
import type { Write } from "./write.ts";

interface Route {
  readonly method: string;
  readonly below: RegExp;
  readonly operation: Operation;
  readonly run: (write: Write, number: number) => Answer;
}

const routes: readonly Route[] = [
  { method: "POST", below: /^\/issues$/, operation: "issues.create", run: createIssue },
  { method: "PATCH", below: /^\/issues\/(\d+)$/, operation: "issues.update", run: updateIssue },
  { method: "POST", below: /^\/issues\/(\d+)\/comments$/, operation: "comments.create", run: createComment },
  { method: "POST", below: /^\/pulls$/, operation: "pull_requests.create", run: createPull },
];

/** REST: the four writes, and the few reads that clients use to look around. */
export function routeRest(state: State, viewer: Viewer, received: Received): Answer {
  const path = received.path.split("?")[0] ?? "/";
  if (received.method === "GET" && path === "/rate_limit") return json(200, quota(state, viewer));
  if (received.method === "GET" && path === "/user") return json(200, accountRecord(state.rest, viewer.user));
  const [, repos, owner = "", name = "", id, below = ""] =
    /^\/(?:(repos)\/([^/]+)\/([^/]+)|repositories\/(\d+))(\/.*)?$/.exec(path) ?? [];
  if (repos === undefined && id === undefined) return refuse(404, "Not Found");
  const repository =
    id === undefined
      ? repositoryNamed(state.world, `${decode(owner)}/${decode(name)}`)
      : state.world.repositories.find((one) => one.databaseId === Number(id));
  const moved = state.world.renames.get(`${decode(owner)}/${decode(name)}`.toLowerCase());
  if (repository === undefined && moved !== undefined && canRead(viewer, moved))
    return redirect(state, received.method, moved, below);
  if (repository === undefined || !canRead(viewer, repository)) return refuse(404, "Not Found");
  if (received.method === "GET" && below === "") return json(200, repositoryRecord(state.rest, repository, viewer));
  return write(state, viewer, received, repository, below);
}

function write(state: State, viewer: Viewer, received: Received, repository: Repository, below: string): Answer {
  const route = routes.find((one) => one.method === received.method && one.below.test(below));
  if (route === undefined) return refuse(404, "Not Found");
  const body = received.text === "" ? { value: {} } : parseBody(received.text);
  if (body === undefined) return refuse(400, "Problems parsing JSON");
  if (typeof body.value !== "object" || body.value === null || Array.isArray(body.value))
    return refuse(400, "Body should be a JSON object");
  const [error] = requestErrors(route.operation, body.value);
  if (error !== undefined) {
    const missing = error.keyword === "required" ? `"${String(error.params["missingProperty"])}" wasn't supplied.` : undefined;
    const place = `properties${error.instancePath}`;
    return refuse(422, `Invalid request.\n\n${missing ?? `For '${place}', ${error.message ?? "it is not valid"}.`}`);
  }
  const { world, identities, rest } = state;
  try {
    const number = Number(route.below.exec(below)?.[1] ?? 0);
    return route.run({ world, identities, rest, viewer, repository, body: body.value as Write["body"] }, number);
  } catch (refused) {
    if (refused instanceof Refused) return refused.answer;
    throw refused;
  }
}

/** A renamed repository. The description knows 301 for the update; a POST is sent on with 307, which keeps its method. */
function redirect(state: State, method: string, repository: Repository, below: string): Answer {
  const location = `${state.rest}/repositories/${repository.databaseId}${below}`;
  const [status, message] = method === "POST" ? [307, "Temporary Redirect"] : [301, "Moved Permanently"];
  return json(
    status,
    { message, url: location, documentation_url: `${docs}/guides/best-practices-for-using-the-rest-api#follow-redirects` },
    { location },
  );
}

function quota(state: State, viewer: Viewer) {
  const one = (resource: "core" | "graphql") => {
    const { reset, ...budget } = state.limits.budget(viewer.user.login, resource);
    return { ...budget, reset: reset / 1000, resource };
  };
  return { resources: { core: one("core"), graphql: one("graphql") }, rate: one("core") };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
