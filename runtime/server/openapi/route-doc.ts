import type { ErrorCode } from "../../base/error-codes.ts";

/** The groups of routes, with what they are for. */
export const routeTags = {
  Actions: "Run the actions of connectors.",
  Authentication: "Get access tokens, and authorize connectors.",
  Changes: "Follow what syncs change in the context store.",
  Approvals: "Decide about writes that wait for the approval of a person.",
  Connectors: "List and describe connector instances.",
  Documentation: "Read about the service: its errors, routes and connectors.",
  MCP: "Call the tools of the Model Context Protocol.",
  Operation: "Watch the service.",
  Subscriptions: "Have changes sent to webhooks.",
  Sync: "See, start and stop the syncs that fill the context store.",
} as const;

export type RouteTag = keyof typeof routeTags;

/** What the OpenAPI document says of one route. */
export interface RouteDoc {
  /** Method in lower case and path with `{name}` for its parts, as in OpenAPI. */
  readonly route: `${"get" | "post" | "put" | "patch" | "delete"} /${string}`;
  readonly operationId: string;
  readonly tag: RouteTag;
  readonly summary: string;
  readonly description: string;
  /** Set where the route needs no header `Authorization`. */
  readonly open?: true;
  /** What its path and query take, by name. */
  readonly parameters?: Readonly<Record<string, { readonly in: "path" | "query"; readonly doc: string }>>;
  readonly requestBody?: object;
  /**
   * Responses that are not problems, by status. One without a schema has no body. Where problems have the same status, the response has
   * either.
   */
  readonly answers: Readonly<Record<string, { readonly description: string; readonly type?: string; readonly schema?: object }>>;
  /** Codes of the errors that it can answer. */
  readonly errors: readonly ErrorCode[];
}

/** Errors that every route can answer. */
export const anyRoute: readonly ErrorCode[] = ["headers_too_large", "request_timeout", "overloaded", "internal"];

/** Errors of a route that has to know its caller. */
export const callers: readonly ErrorCode[] = [
  "unauthorized",
  "shutting_down",
  "too_many_requests",
  "accounts_unusable",
  "database_unavailable",
  "issuer_unavailable",
];

export const text = { type: "string" } as const;
export const texts = { type: "array", items: text } as const;
export const syncStates = ["running", "interrupted", "complete", "failed", "gone", "never"] as const;
export const connectorId = { connector_id: { in: "path", doc: "Id of the connector instance." } } as const;

/** An answer with these members in `data`. */
export function dataAnswer(properties: Readonly<Record<string, object>>): object {
  const data = { type: "object", properties, required: Object.keys(properties) };
  return { type: "object", properties: { data, meta: { type: "object" } }, required: ["data", "meta"] };
}
