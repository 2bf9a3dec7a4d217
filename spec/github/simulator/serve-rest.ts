import type { Viewer } from "./access.ts";
import { type Answer, json, refuse } from "./answer.ts";
import type { Fault } from "./fault.ts";
import { faultAnswer, limitExceeded } from "./fault-answer.ts";
import type { Received } from "./request.ts";
import { routeRest } from "./rest/router.ts";
import { delay, type Served } from "./serve-graphql.ts";
import type { State } from "./state.ts";

export const apiVersions: readonly string[] = ["2022-11-28", "2026-03-10"];

export async function serveRest(state: State, viewer: Viewer, received: Received): Promise<Served> {
  const fault: Fault | undefined = state.faults.take("rest", () => true);
  const early = fault === undefined ? undefined : faultAnswer(fault, "rest", viewer.user.databaseId);
  if (early !== undefined) return { answer: early };
  if (fault?.kind === "slow") await delay(fault.ms);
  // Asking for the quota costs nothing.
  const free = received.path.startsWith("/rate_limit");
  if (!free && !state.limits.spend(viewer.user.login, "core", 1))
    return { answer: limitExceeded("rest", viewer.user.databaseId) };
  const answer = negotiate(received.headers) ?? routeRest(state, viewer, received);
  const version = received.headers["x-github-api-version"] ?? "2022-11-28";
  return { answer: { ...answer, headers: { "x-github-api-version-selected": version, ...answer.headers } }, fault };
}

/** Refusals that follow from the headers alone. */
function negotiate(headers: Received["headers"]): Answer | undefined {
  const version = headers["x-github-api-version"];
  if (version !== undefined && !apiVersions.includes(version)) {
    return json(400, {
      message: `The API version "${version}" is not supported.`,
      documentation_url: "https://docs.github.com/rest/about-the-rest-api/api-versions",
    });
  }
  const accept = headers["accept"] ?? "*/*";
  const known = accept.split(",").some((type) => /^\s*(\*\/\*|application\/(\*|json|vnd\.github[\w.+-]*))\s*(;|$)/.test(type));
  return known ? undefined : refuse(415, `Unsupported 'Accept' header: '${accept}'. Must accept 'application/json'.`);
}
