import { type Answer, docs, dropped, json, page, refuse } from "./answer.ts";
import type { Fault, FaultOf } from "./fault.ts";
import type { RequestKind } from "./fault-queue.ts";
import { resetAfter } from "./rate-limit.ts";

const limitDocs = `${docs}/overview/rate-limits-for-the-rest-api`;
const samlMessage =
  "Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.";

/** The answer of a fault that keeps a request from being carried out; undefined where it strikes later. */
export function faultAnswer(fault: Fault, kind: RequestKind, userId: number): Answer | undefined {
  switch (fault.kind) {
    case "primary-limit":
      return primaryLimit(fault, kind, userId);
    case "secondary-limit":
      return secondaryLimit(fault, kind);
    case "gateway":
      return fault.effect === true ? undefined : gateway(fault);
    case "drop":
      return fault.when === "before" ? dropped : undefined;
    case "page-too-large":
      return pageTooLarge(fault);
    case "forbidden": {
      const message = fault.message ?? "Resource not accessible by personal access token";
      return kind === "rest" ? refuse(403, message) : json(200, { data: null, errors: [{ type: "FORBIDDEN", message }] });
    }
    case "saml":
      return saml(fault, kind);
    case "graphql-error":
      return json(200, { data: null, errors: [{ type: fault.type, message: fault.message ?? defaultMessages[fault.type] }] });
    case "unauthorized":
      return unauthorized();
    case "server-error": {
      const message =
        "Something went wrong while executing your query. Please include `0000:0000:000000:000000:00000000` when reporting this issue.";
      return kind === "rest" ? refuse(fault.status, "Server Error") : json(fault.status, { data: null, errors: [{ message }] });
    }
    default:
      return undefined;
  }
}

const defaultMessages: Readonly<Record<FaultOf<"graphql-error">["type"], string>> = {
  INSUFFICIENT_SCOPES: "Your token has not been granted the required scopes to execute this query.",
  SERVICE_UNAVAILABLE: "The service is temporarily unavailable.",
  INTERNAL: "Something went wrong while executing your query.",
  RESOURCE_LIMITS_EXCEEDED: "Resource limits for this query exceeded.",
  MAX_NODE_LIMIT_EXCEEDED: "This query requests up to 1,000,100 possible nodes which exceeds the maximum limit of 500,000.",
};

export function unauthorized(): Answer {
  return refuse(401, "Bad credentials");
}

/** Spent quota: the headers of the answer say so, whatever the real counters hold. */
function spent(resetIn: number): Record<string, string> {
  return { "x-ratelimit-remaining": "0", "x-ratelimit-used": "5000", "x-ratelimit-reset": String(resetAfter(resetIn) / 1000) };
}

export function limitExceeded(
  kind: RequestKind,
  userId: number,
  form: "RATE_LIMITED" | "RATE_LIMIT" = "RATE_LIMITED",
  status = 403,
): Answer {
  if (kind === "rest") return refuse(status, `API rate limit exceeded for user ID ${userId}.`, limitDocs);
  if (form === "RATE_LIMITED")
    return json(200, { errors: [{ type: form, message: `API rate limit exceeded for user ID ${userId}.` }] });
  const code = "graphql_rate_limit";
  const message = `API rate limit already exceeded for user ID ${userId}.`;
  return json(200, { errors: [{ type: form, code, message, extensions: { code } }] });
}

function primaryLimit(fault: FaultOf<"primary-limit">, kind: RequestKind, userId: number): Answer {
  const answer = limitExceeded(kind, userId, fault.form, fault.status);
  return { ...answer, headers: { ...answer.headers, ...spent(fault.resetIn ?? 60) } };
}

function secondaryLimit(fault: FaultOf<"secondary-limit">, kind: RequestKind): Answer {
  const message =
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. " +
    "If you reach out to GitHub Support for help, please include the request ID 0000:0000:000000:000000:00000000.";
  const headers = {
    ...(fault.retryAfter === undefined ? {} : { "retry-after": String(Math.ceil(fault.retryAfter)) }),
    ...(fault.remaining === undefined ? {} : { "x-ratelimit-remaining": String(fault.remaining) }),
    ...(fault.resetIn === undefined ? {} : { "x-ratelimit-reset": String(resetAfter(fault.resetIn) / 1000) }),
  };
  const plain = { message, documentation_url: `${limitDocs}#about-secondary-rate-limits` };
  if (fault.status === 200 && kind === "graphql" && fault.form !== "message")
    return json(200, { errors: [{ message }] }, headers);
  return json(fault.status, plain, headers);
}

export function gateway(fault: FaultOf<"gateway">): Answer {
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

function saml(fault: FaultOf<"saml">, kind: RequestKind): Answer {
  const url = fault.url ?? "https://github.com/orgs/tenon-labs/sso?authorization_request=SIMULATED";
  const headers = { "x-github-sso": `required; url=${url}` };
  const documentation = "https://docs.github.com/articles/authenticating-to-a-github-organization-with-saml-single-sign-on/";
  if (kind === "rest") return refuse(403, samlMessage, documentation, headers);
  const error = { type: "FORBIDDEN", extensions: { saml_failure: true }, message: samlMessage };
  return json(200, { data: null, errors: [error] }, headers);
}
