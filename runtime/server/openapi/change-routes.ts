import type { ErrorCode } from "../../base/error-codes.ts";
import { changeLimits } from "../../changes/index.ts";
import { changeKinds } from "../../contract/index.ts";
import { anyRoute, callers, connectorId, type RouteDoc, text, texts } from "./route-doc.ts";

const change = {
  type: "object",
  properties: {
    sequence: { type: "integer", minimum: 0, description: "Position in the log of the connector instance." },
    connector_id: text,
    entity: text,
    kind: { enum: changeKinds },
    key: { type: "object", description: "The fields that identify the record, with their values." },
    scope: { ...text, description: "The scope whose sync saw the change." },
    changed_fields: { ...texts, description: "Names of the fields that an update changed." },
    at: { ...text, format: "date-time", description: "When the change was stored." },
    cursor: { ...text, description: "Continue after this change." },
    record: { type: "object", description: "The record as it is now, with `fields`; absent when it is deleted." },
    matches: { type: "boolean", enum: [false], description: "The record may have matched the filter before, and does not now." },
  },
  required: ["sequence", "connector_id", "entity", "kind", "key", "scope", "at", "cursor"],
} as const;

const page = {
  type: "object",
  properties: {
    data: { type: "array", items: change },
    meta: {
      type: "object",
      properties: {
        cursor: { ...text, description: "Send it next time." },
        has_more: { type: "boolean" },
        truncated: {
          type: "boolean",
          description: "The log no longer has everything after your cursor: search for all records, then continue with `cursor`.",
        },
        simulated: { type: "boolean", enum: [true], description: "The data is invented." },
      },
      required: ["cursor", "has_more", "truncated"],
    },
  },
  required: ["data", "meta"],
} as const;

const parameters = {
  ...connectorId,
  entity: { in: "query", doc: "Only changes of these entities, with commas between. Default: all that the caller may use." },
  cursor: {
    in: "query",
    doc: "`meta.cursor` of the last response, or `latest` for changes from now on. Default: the oldest change.",
  },
  filter: { in: "query", doc: "Conditions as in cached search, as JSON. It needs one entity." },
  fields: { in: "query", doc: "Fields of the present record to return, with commas between. It needs one entity." },
} as const;

const errors: readonly ErrorCode[] = [
  ...anyRoute,
  ...callers,
  "forbidden",
  "unknown_connector",
  "connector_not_configured",
  "invalid_request",
  "bad_cursor",
  "context_store_unavailable",
  "store_unusable",
];

/** The routes that give the changes of the cache. */
export const changeRoutes: readonly RouteDoc[] = [
  {
    route: "get /api/v1/integrations/connectors/{connector_id}/changes",
    operationId: "changes",
    tag: "Changes",
    summary: "Read which cached records were created, updated and deleted",
    description: "Takes the right `read`. Changes are in the order in which they were stored.",
    parameters: {
      ...parameters,
      limit: { in: "query", doc: `The most changes of a page: 1 to ${changeLimits.most}, usually ${changeLimits.default}.` },
      wait: { in: "query", doc: `Seconds to wait where there is no change yet: 0 to ${changeLimits.wait}. Default: 0.` },
    },
    answers: { "200": { description: "A page of changes.", schema: page } },
    errors,
  },
  {
    route: "get /api/v1/integrations/connectors/{connector_id}/changes/stream",
    operationId: "changeStream",
    tag: "Changes",
    summary: "Follow these changes as server-sent events",
    description:
      "Events: `change` with a change, `truncated` with a cursor, `error` with a problem, after which the stream ends. The id of an event is a cursor, which clients send as `Last-Event-ID` to continue.",
    parameters,
    answers: { "200": { description: "The events.", type: "text/event-stream" } },
    errors,
  },
];
