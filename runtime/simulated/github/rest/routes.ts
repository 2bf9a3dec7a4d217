import { type Answer, json } from "../../../simulator/answer.ts";
import type { RestRoute } from "../../../simulator/rest/api.ts";
import { canRead, type Viewer } from "../access.ts";
import { docs, refuse } from "../refuse.ts";
import type { Repository } from "../world/repository.ts";
import { repositoryNamed, type World } from "../world/world.ts";
import { accountRecord } from "./account-record.ts";
import { searchCode } from "./code-search.ts";
import { createHook, listDeliveries, listHooks, pingHook, readHook, redeliver, removeHook, updateHook } from "./hook-routes.ts";
import {
  createGist,
  listGists,
  listNotifications,
  markDone,
  markRead,
  readGist,
  readNotification,
  removeGist,
  updateGist,
} from "./inbox-routes.ts";
import { createComment, createIssue, updateIssue } from "./issue-write.ts";
import { createReview, mergePull, updatePull } from "./pull-change.ts";
import { createPull } from "./pull-write.ts";
import { createRelease, writeFile } from "./push.ts";
import { repositoryRecord } from "./repository-record.ts";
import { cancel, jobLogs, listJobs, listRuns, readJob, readRun, rerun, rerunFailed, runLogs } from "./workflow-routes.ts";
import type { Write, WriteCall } from "./write.ts";

type Route = RestRoute<World, Viewer>;

const notFound = refuse(404, "Not Found");
const named = "/repos/{owner}/{repo}";
const numbered = "/repositories/{repository_id}";

/** The writes, the webhooks, and the few reads that clients use to look around. */
export const routes: readonly Route[] = [
  { method: "GET", path: "/rate_limit", free: true, run: (call) => json(200, quota(call)) },
  { method: "GET", path: "/user", run: ({ rest, viewer }) => json(200, accountRecord(rest, viewer.user)) },
  ...inRepository("GET", "", ({ rest, repository, viewer }) => json(200, repositoryRecord(rest, repository, viewer))),
  ...inRepository("POST", "/issues", createIssue),
  ...inRepository("PATCH", "/issues/{issue_number}", updateIssue),
  ...inRepository("POST", "/issues/{issue_number}/comments", createComment),
  ...inRepository("POST", "/pulls", createPull),
  ...inRepository("PATCH", "/pulls/{pull_number}", updatePull),
  ...inRepository("PUT", "/pulls/{pull_number}/merge", mergePull),
  ...inRepository("POST", "/pulls/{pull_number}/reviews", createReview),
  ...inRepository("POST", "/releases", createRelease),
  ...inRepository("PUT", "/contents/{path}", writeFile),
  ...inRepository("GET", "/hooks", listHooks),
  ...inRepository("POST", "/hooks", createHook),
  ...inRepository("GET", "/hooks/{hook_id}", readHook),
  ...inRepository("PATCH", "/hooks/{hook_id}", updateHook),
  ...inRepository("DELETE", "/hooks/{hook_id}", removeHook),
  ...inRepository("POST", "/hooks/{hook_id}/pings", pingHook),
  ...inRepository("GET", "/hooks/{hook_id}/deliveries", listDeliveries),
  ...inRepository("POST", "/hooks/{hook_id}/deliveries/{delivery_id}/attempts", redeliver),
  ...inRepository("GET", "/actions/runs", listRuns),
  ...inRepository("GET", "/actions/runs/{run_id}", readRun),
  ...inRepository("GET", "/actions/runs/{run_id}/jobs", listJobs),
  ...inRepository("GET", "/actions/runs/{run_id}/logs", runLogs),
  ...inRepository("POST", "/actions/runs/{run_id}/rerun", rerun),
  ...inRepository("POST", "/actions/runs/{run_id}/rerun-failed-jobs", rerunFailed),
  ...inRepository("POST", "/actions/runs/{run_id}/cancel", cancel),
  ...inRepository("GET", "/actions/jobs/{job_id}", readJob),
  ...inRepository("GET", "/actions/jobs/{job_id}/logs", jobLogs),
  { method: "GET", path: "/search/code", run: searchCode },
  { method: "GET", path: "/notifications", run: listNotifications },
  { method: "GET", path: "/notifications/threads/{thread_id}", run: readNotification },
  { method: "PATCH", path: "/notifications/threads/{thread_id}", run: markRead },
  { method: "DELETE", path: "/notifications/threads/{thread_id}", run: markDone },
  { method: "GET", path: "/gists", run: listGists },
  { method: "POST", path: "/gists", run: createGist },
  { method: "GET", path: "/gists/{gist_id}", run: readGist },
  { method: "PATCH", path: "/gists/{gist_id}", run: updateGist },
  { method: "DELETE", path: "/gists/{gist_id}", run: removeGist },
];

/** A route in a repository, which is found by its name and, after a redirection, by its number. */
function inRepository(method: string, below: string, run: (write: Write, call: WriteCall) => Answer): Route[] {
  return [named, numbered].map((place) => ({
    method,
    path: `${place}${below}`,
    describedAs: `${named}${below}`,
    admit,
    run: (call, body) => {
      const { world, viewer, rest } = call;
      const repository = repositoryOf(call);
      return repository === undefined ? notFound : run({ world, viewer, rest, repository, body }, call);
    },
  }));
}

/** Refuses what the viewer may not see, and redirects from the former name of a repository. */
function admit(call: WriteCall): Answer | undefined {
  const { world, viewer, params } = call;
  const repository = repositoryOf(call);
  if (repository === undefined) {
    const moved = world.renames.get(`${params["owner"]}/${params["repo"]}`.toLowerCase());
    return moved !== undefined && canRead(viewer, moved) ? redirect(call, moved) : notFound;
  }
  return canRead(viewer, repository) && /^\d+$/.test(params["issue_number"] ?? "0") ? undefined : notFound;
}

function repositoryOf({ world, params }: WriteCall): Repository | undefined {
  const id = params["repository_id"];
  return id === undefined
    ? repositoryNamed(world, `${params["owner"]}/${params["repo"]}`)
    : world.repositories.find((one) => one.databaseId === Number(id));
}

/** A renamed repository. The description knows 301 for the update; a POST is sent on with 307, which keeps its method. */
function redirect({ rest, method, path }: WriteCall, repository: Repository): Answer {
  const below = path
    .split("/")
    .slice(4)
    .map((part) => `/${part}`);
  const location = `${rest}/repositories/${repository.databaseId}${below.join("")}`;
  const [status, message] = method === "POST" ? [307, "Temporary Redirect"] : [301, "Moved Permanently"];
  return json(
    status,
    { message, url: location, documentation_url: `${docs}/guides/best-practices-for-using-the-rest-api#follow-redirects` },
    { location },
  );
}

function quota({ budget }: WriteCall) {
  const one = (api: "rest" | "graphql") => {
    const { reset, ...counted } = budget(api);
    return { ...counted, reset: reset / 1000, resource: api === "rest" ? "core" : api };
  };
  return { resources: { core: one("rest"), graphql: one("graphql") }, rate: one("rest") };
}
