import { bytesText, requestLimits } from "./request-limits.ts";

/** What a caller asked for when an error comes, in words for the pages. */
export const errorSources = {
  request: "any request",
  action: "any action",
  live: "any action that asks the platform",
  read: "a live read",
  write: "a write",
  transition: "an update that changes a state",
  page: "a list that is walked by a cursor",
  search: "a cached search",
  semantic: "a search by meaning",
  route: "routes other than that of actions",
  client: "no request: the client library and the command line make it",
} as const;

export type ErrorSource = keyof typeof errorSources;

/**
 * The one table of error codes. It gives the HTTP status, the `retryable` flag, the exit status of the command line, what can be answered
 * with it, and the title and advice of the docs page. HTTP statuses follow RFC 9110; exit statuses follow sysexits.h where one of them
 * fits.
 */
export const errorCodes = {
  invalid_json: {
    status: 400,
    retryable: false,
    exit: 65,
    from: ["request"],
    title: "The body is not JSON",
    advice: "Send one JSON object.",
  },
  invalid_http: {
    status: 400,
    retryable: false,
    exit: 65,
    from: ["request"],
    title: "The request is not valid HTTP",
    advice: "Send the request with an HTTP client. The connection is closed after this answer.",
  },
  unauthorized: {
    status: 401,
    retryable: false,
    exit: 77,
    from: ["request"],
    title: "The token is missing or wrong",
    advice: "Send `Authorization: Bearer <token>` with a token that this service accepts.",
  },
  platform_unauthorized: {
    status: 403,
    retryable: false,
    exit: 77,
    from: ["live"],
    title: "The platform refused the connector's credential",
    advice:
      "The credential that the operator configured for this connector is wrong, expired or revoked. Ask the operator for a new one.",
  },
  platform_forbidden: {
    status: 403,
    retryable: false,
    exit: 77,
    from: ["live"],
    title: "The platform account may not do this",
    advice:
      "The account behind the connector lacks a permission or a scope, or an organization restricts access. The message says which.",
  },
  authorization_required: {
    status: 403,
    retryable: false,
    exit: 77,
    from: ["live"],
    title: "The connector must be authorized",
    advice:
      "Ask the operator to authorize it: `tenon connector authorize` prints the address of the platform's page, and `tenon connector rotate` takes another credential.",
  },
  forbidden: {
    status: 403,
    retryable: false,
    exit: 77,
    from: ["action"],
    title: "The token does not allow this",
    advice: "The message says which right is missing. Ask the operator for a key or a client that has it.",
  },
  unknown_connector: {
    status: 404,
    retryable: false,
    exit: 66,
    from: ["action"],
    title: "No such connector",
    advice: "Check the connector id in the address. A connector of somebody else is reported the same way.",
  },
  unknown_route: {
    status: 404,
    retryable: false,
    exit: 66,
    from: ["route"],
    title: "No such address",
    advice: "Check the address. Actions are run by POST /api/v1/integrations/connectors/{connector_id}/execute.",
  },
  unknown_caller: {
    status: 404,
    retryable: false,
    exit: 66,
    from: ["route"],
    title: "No such key or client",
    advice: "`tenon key list` and `tenon client list` show all keys and clients.",
  },
  not_found: {
    status: 404,
    retryable: false,
    exit: 66,
    from: ["live"],
    title: "The platform found nothing",
    advice:
      "Check the parameters. The platform gives the same answer for what does not exist and for what the account may not see.",
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    exit: 64,
    from: ["route"],
    title: "Method not allowed",
    advice: "The header `Allow` names the methods of this address.",
  },
  request_timeout: {
    status: 408,
    retryable: true,
    exit: 75,
    from: ["request"],
    title: "The request came in too slowly",
    advice: `Send the headers within ${requestLimits.headersSeconds} seconds and the whole request within ${requestLimits.seconds}.`,
  },
  id_taken: {
    status: 409,
    retryable: false,
    exit: 65,
    from: ["route"],
    title: "The id is taken",
    advice: "Choose another id. The id of a connector that was removed cannot be used again.",
  },
  sync_running: {
    status: 409,
    retryable: true,
    exit: 75,
    from: ["route"],
    title: "A sync is running already",
    advice: "Wait until it has ended; `GET …/sync` shows its progress.",
  },
  semantic_index_not_ready: {
    status: 409,
    retryable: true,
    exit: 75,
    from: ["semantic"],
    title: "The texts are not embedded yet",
    advice:
      "Wait until all texts of the field are embedded; `GET …/sync` shows how far they are. Before the first sync there is nothing to embed.",
  },
  idempotency_conflict: {
    status: 409,
    retryable: false,
    exit: 65,
    from: ["write"],
    title: "The Idempotency-Key belongs to another request",
    advice: "Send a new key with a new write, and the same key only when the same write is repeated.",
  },
  idempotency_running: {
    status: 409,
    retryable: true,
    exit: 75,
    from: ["write"],
    title: "The first request with this Idempotency-Key is still under way",
    advice: "Wait as long as `Retry-After` says, and repeat the request with the same key.",
  },
  in_doubt: {
    status: 409,
    retryable: false,
    exit: 69,
    from: ["write"],
    title: "It is unknown whether the write with this Idempotency-Key was done",
    advice: "Read whether the write was done. Only when it was not, repeat it with a new key.",
  },
  body_too_large: {
    status: 413,
    retryable: false,
    exit: 65,
    from: ["request"],
    title: "The body is too large",
    advice: `Send at most ${bytesText(requestLimits.body)} with at most ${requestLimits.values.toLocaleString("en-US")} values, also when the body is compressed.`,
  },
  unsupported_media_type: {
    status: 415,
    retryable: false,
    exit: 65,
    from: ["request"],
    title: "The body must be application/json",
    advice: "Send `Content-Type: application/json`, uncompressed or compressed with gzip, deflate or br.",
  },
  invalid_request: {
    status: 422,
    retryable: false,
    exit: 65,
    from: ["action"],
    title: "The request is not valid",
    advice: "`errors` lists every fault: where it is, what is wrong, what is allowed.",
  },
  bad_cursor: {
    status: 422,
    retryable: false,
    exit: 65,
    from: ["page", "search"],
    title: "The cursor is not valid here",
    advice: "Use the cursor of the previous answer, with the same parameters, or leave the cursor out to start at the beginning.",
  },
  forbidden_transition: {
    status: 422,
    retryable: false,
    exit: 65,
    from: ["transition"],
    title: "The requested state does not allow this value",
    advice: "`errors` lists the values that the requested state allows.",
  },
  platform_rejected: {
    status: 422,
    retryable: false,
    exit: 65,
    from: ["live"],
    title: "The platform refused the content",
    advice: "The platform read the request and refused its content. The message quotes the platform.",
  },
  platform_too_complex: {
    status: 422,
    retryable: false,
    exit: 65,
    from: ["read"],
    title: "The request is too heavy for the platform",
    advice: "Ask for fewer fields or a smaller page.",
  },
  headers_too_large: {
    status: 431,
    retryable: false,
    exit: 65,
    from: ["request"],
    title: "The headers are too large",
    advice: `Send at most ${bytesText(requestLimits.headers)} of headers in all.`,
  },
  rate_limited: {
    status: 429,
    retryable: true,
    exit: 75,
    from: ["live"],
    title: "The platform's rate limit is reached",
    advice: "Wait as long as `Retry-After` says.",
  },
  too_many_requests: {
    status: 429,
    retryable: true,
    exit: 75,
    from: ["request"],
    title: "Too many requests of this caller",
    advice: "Wait as long as `Retry-After` says.",
  },
  internal: {
    status: 500,
    retryable: false,
    exit: 70,
    from: ["request"],
    title: "An error inside the service",
    advice: "Report the request id to the operator, who finds the cause in the log.",
  },
  context_store_unavailable: {
    status: 501,
    retryable: false,
    exit: 69,
    from: ["search"],
    title: "This service has no context store",
    advice: "Cached search works in hosted mode. Use `list`, `get` or `api_search`.",
  },
  platform_failed: {
    status: 502,
    retryable: true,
    exit: 69,
    from: ["live"],
    title: "The platform failed",
    advice: "Try again after a while. Reads were already tried several times.",
  },
  unexpected_response: {
    status: 502,
    retryable: false,
    exit: 69,
    from: ["live"],
    title: "The platform's response does not fit the spec",
    advice: "A retry does not help. The message says what is missing: compare the spec with what the platform sends.",
  },
  embedding_failed: {
    status: 502,
    retryable: true,
    exit: 69,
    from: ["semantic"],
    title: "The model for search by meaning failed",
    advice: "Try again after a while. The operator finds the reason in `GET …/sync` and in the log.",
  },
  service_unreachable: {
    status: 502,
    retryable: true,
    exit: 69,
    from: ["client"],
    title: "The service cannot be reached",
    advice:
      "Only a client gives this code, when it has no answer of the service: check the address, and whether the service runs. A write with an `Idempotency-Key` may be sent again.",
  },
  write_in_doubt: {
    status: 502,
    retryable: false,
    exit: 69,
    from: ["write"],
    title: "The platform failed during a write",
    advice: "First read whether the write was done. Repeat the write only when it was not.",
  },
  overloaded: {
    status: 503,
    retryable: true,
    exit: 75,
    from: ["request"],
    title: "Too many requests at once",
    advice: "Wait as long as `Retry-After` says.",
  },
  shutting_down: {
    status: 503,
    retryable: true,
    exit: 75,
    from: ["request"],
    title: "The service is shutting down",
    advice: "Try again: another process may answer, or this process after its restart.",
  },
  deadline_exceeded: {
    status: 504,
    retryable: true,
    exit: 75,
    from: ["live"],
    title: "The platform was too slow",
    advice: "Try again, or ask for less at once.",
  },
  starting: {
    status: 503,
    retryable: true,
    exit: 75,
    from: ["request"],
    title: "The service is starting",
    advice: "Wait as long as `Retry-After` says. `GET /readyz` answers 200 when everything can be used.",
  },
  connector_not_configured: {
    status: 503,
    retryable: false,
    exit: 78,
    from: ["action"],
    title: "The connector is off",
    advice:
      "The operator has to give the connector a credential: the message names the environment variable. Other connectors still work.",
  },
  store_unusable: {
    status: 503,
    retryable: false,
    exit: 78,
    from: ["search"],
    title: "The context store cannot be used",
    advice: "The operator has to look at the data directory: the message says what is wrong. Live actions still work.",
  },
  accounts_unusable: {
    status: 503,
    retryable: false,
    exit: 78,
    from: ["request"],
    title: "The callers of the service cannot be read",
    advice: "The operator has to look at the data directory: the message says what is wrong.",
  },
  database_unavailable: {
    status: 503,
    retryable: true,
    exit: 69,
    from: ["request"],
    title: "The database cannot be used at the moment",
    advice:
      "Wait as long as `Retry-After` says. The service uses the database again as soon as it is back; the operator finds in the log what is wrong.",
  },
  search_timeout: {
    status: 504,
    retryable: false,
    exit: 75,
    from: ["search"],
    title: "The search took too long",
    advice:
      "Narrow the filter, sort by a field with an index, or ask for fewer records. `explain: true` shows how a search runs.",
  },
  write_deadline_exceeded: {
    status: 504,
    retryable: false,
    exit: 75,
    from: ["write"],
    title: "The platform was too slow during a write",
    advice: "First read whether the write was done. Repeat the write only when it was not.",
  },
} as const satisfies Record<string, ErrorRow>;

interface ErrorRow {
  readonly status: number;
  readonly retryable: boolean;
  readonly exit: number;
  readonly from: readonly ErrorSource[];
  readonly title: string;
  readonly advice: string;
}

export type ErrorCode = keyof typeof errorCodes;

/** The codes that come from at least one of these sources, in the order of the table. */
export function errorsFrom(sources: readonly ErrorSource[]): ErrorCode[] {
  const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(errorCodes);
  return rows.filter(([, { from }]) => from.some((one) => sources.includes(one))).map(([code]) => code as ErrorCode);
}
