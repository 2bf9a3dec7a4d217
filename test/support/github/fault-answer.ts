import type { Viewer } from "../../../runtime/simulated/github/access.ts";
import { limitDocs, limitExceeded } from "../../../runtime/simulated/github/limit.ts";
import { refuse, unauthorized } from "../../../runtime/simulated/github/refuse.ts";
import { type Answer, dropped, json, page } from "../../../runtime/simulator/answer.ts";
import type { Api, Fault as MachineFault } from "../../../runtime/simulator/fault.ts";
import { resetAfter } from "../../../runtime/simulator/rate-limit.ts";
import type { Fault, FaultOf } from "./fault.ts";

const samlMessage =
  "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.";

/** Translates a fault of GitHub into one that the simulating machine knows. */
export function machineFault(fault: Exclude<Fault, { kind: "quota" }>): MachineFault<Viewer> {
  const { times, skip, on } = fault;
  const strike = {
    ...(times === undefined ? {} : { times }),
    ...(skip === undefined ? {} : { skip }),
    ...(on === undefined ? {} : { on }),
  };
  const answers = (answer: (api: Api, viewer: Viewer) => Answer): MachineFault<Viewer> => ({ ...strike, kind: "answer", answer });
  const changes = (change: (answer: Answer) => Answer): MachineFault<Viewer> => ({ ...strike, kind: "change", change });
  switch (fault.kind) {
    case "primary-limit":
      return answers((api, viewer) => primaryLimit(fault, api, viewer.user.databaseId));
    case "secondary-limit":
      return answers((api) => secondaryLimit(fault, api));
    case "gateway":
      return fault.effect === true ? changes(() => gateway(fault)) : answers(() => gateway(fault));
    case "drop":
      return fault.when === "after" ? changes(() => dropped) : answers(() => dropped);
    case "slow":
      return { ...strike, kind: "slow", ms: fault.ms };
    case "held":
      return { ...strike, kind: "held", until: fault.until };
    case "truncated-json":
      return changes((answer) => ({ ...answer, body: answer.body.slice(0, Math.floor(answer.body.length / 2)) }));
    case "page-too-large":
      return { ...strike, kind: "answer", on: "graphql", above: fault.above, answer: () => pageTooLarge(fault) };
    case "null-nodes":
    case "all-nodes-null":
    case "field-error":
      return { type: "SERVICE_UNAVAILABLE", ...fault, on: "graphql" };
    case "forbidden": {
      const message = fault.message ?? "Resource not accessible by personal access token";
      return answers((api) =>
        api === "rest" ? refuse(403, message) : json(200, { data: null, errors: [{ type: "FORBIDDEN", message }] }),
      );
    }
    case "saml":
      return answers((api) => saml(fault, api));
    case "sso-partial": {
      const organizations = (fault.organizations ?? [21955855, 20582480]).join(",");
      const told = { "x-github-sso": `partial-results; organizations=${organizations}` };
      return changes((answer) => ({ ...answer, headers: { ...answer.headers, ...told } }));
    }
    case "graphql-error": {
      const { type, message = defaultMessages[type] } = fault;
      return { ...strike, kind: "answer", on: "graphql", answer: () => json(200, { data: null, errors: [{ type, message }] }) };
    }
    case "unauthorized":
      return answers(() => unauthorized);
    case "server-error":
      return answers((api) => serverError(fault, api));
  }
}

function serverError({ status }: FaultOf<"server-error">, api: Api): Answer {
  const message =
    "Something went wrong while executing your query. Please include `0000:0000:000000:000000:00000000` when reporting this issue.";
  return api === "rest" ? refuse(status, "Server Error") : json(status, { data: null, errors: [{ message }] });
}

const defaultMessages: Readonly<Record<FaultOf<"graphql-error">["type"], string>> = {
  INSUFFICIENT_SCOPES: "Your token has not been granted the required scopes to execute this query.",
  SERVICE_UNAVAILABLE: "The service is temporarily unavailable.",
  INTERNAL: "Something went wrong while executing your query.",
  RESOURCE_LIMITS_EXCEEDED: "Resource limits for this query exceeded.",
  MAX_NODE_LIMIT_EXCEEDED: "This query requests up to 1,000,100 possible nodes which exceeds the maximum limit of 500,000.",
};

/** Headers that tell of a quota that is used up, whatever the counters of the simulation hold. */
function spent(resetIn: number): Record<string, string> {
  return { "x-ratelimit-remaining": "0", "x-ratelimit-used": "5000", "x-ratelimit-reset": String(resetAfter(resetIn) / 1000) };
}

function primaryLimit(fault: FaultOf<"primary-limit">, api: Api, userId: number): Answer {
  const answer = limitExceeded(api, userId, fault.form, fault.status);
  return { ...answer, headers: { ...answer.headers, ...spent(fault.resetIn ?? 60) } };
}

function secondaryLimit(fault: FaultOf<"secondary-limit">, api: Api): Answer {
  const message =
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. " +
    "If you reach out to GitHub Support for help, please include the request ID 0000:0000:000000:000000:00000000.";
  const headers = {
    ...(fault.retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(fault.retryAfter)) }),
    ...(fault.remaining === undefined ? {} : { "x-ratelimit-remaining": String(fault.remaining) }),
    ...(fault.resetIn === undefined ? {} : { "x-ratelimit-reset": String(resetAfter(fault.resetIn) / 1000) }),
  };
  const plain = { message, documentation_url: `${limitDocs}#about-secondary-rate-limits` };
  if (fault.status === 200 && api === "graphql" && fault.form !== "message") return json(200, { errors: [{ message }] }, headers);
  return json(fault.status, plain, headers);
}

function gateway(fault: FaultOf<"gateway">): Answer {
  const titles = { 502: "502 Bad Gateway", 503: "Unicorn! · GitHub", 504: "504 Gateway Time-out" } as const;
  return page(
    fault.status,
    titles[fault.status],
    fault.retryAfter === undefined ? {} : { "retry-after": String(fault.retryAfter) },
  );
}

function pageTooLarge(fault: FaultOf<"page-too-large">): Answer {
  if (fault.form !== "RESOURCE_LIMITS_EXCEEDED") return gateway({ kind: "gateway", status: fault.form });
  return json(200, { data: null, errors: [{ type: fault.form, message: defaultMessages[fault.form] }] });
}

function saml(fault: FaultOf<"saml">, api: Api): Answer {
  const url = fault.url ?? "https://github.com/orgs/tenon-labs/sso?authorization_request=SIMULATED";
  const headers = { "x-github-sso": `required; url=${url}` };
  const documentation = "https://docs.github.com/articles/authenticating-to-a-github-organization-with-saml-single-sign-on/";
  if (api === "rest") return refuse(403, samlMessage, documentation, headers);
  const error = { type: "FORBIDDEN", extensions: { saml_failure: true }, message: samlMessage };
  return json(200, { data: null, errors: [error] }, headers);
}
