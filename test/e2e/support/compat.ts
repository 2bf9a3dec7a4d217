import { expect } from "vitest";
import type { Json } from "../../simulator/client.ts";
import { shaped } from "../../support/shaped.ts";
import { expectNoSecret } from "./service.ts";

/** The settings of a service that answers the client of another service. */
export const compat = { compatClientId: "cid-1", compatClientSecret: "canary-secret-of-the-compat-client" };
export const credentials = { client_id: compat.compatClientId, client_secret: compat.compatClientSecret };
/** The id that the client has for the connector. */
export const definition = "ef69ef6e-aa7f-4af1-a01d-ef775033524e";
export const prefix = "/compat/api/v1";
export const tokenPath = `${prefix}/account/applications/token`;
export const connectorsPath = `${prefix}/integrations/connectors`;
export const hello = { owner: "octocat", repo: "hello-world" };

export interface Got {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
}

/** A request as the client sends it. It is made without the OpenAPI documents, which do not know these routes. */
export async function sent(
  url: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Got> {
  const own = { "X-ADP-Agent-SDK": "airbyte-agent-sdk", "User-Agent": "python-httpx/0.28.1", Accept: "*/*", ...headers };
  const answer = await fetch(url + path, {
    method,
    redirect: "error",
    headers: body === undefined ? own : { "Content-Type": "application/json", ...own },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  expectNoSecret(text);
  expect(text).not.toContain(compat.compatClientSecret);
  return { status: answer.status, headers: answer.headers, body: (text === "" ? {} : JSON.parse(text)) as Json };
}

export async function tokenOf(url: string, given: unknown = credentials): Promise<string> {
  const { status, body } = await sent(url, "POST", tokenPath, given);
  expect(status).toBe(200);
  return String(body["access_token"]);
}

/** A client with a token. */
export async function connected(url: string, given: unknown = credentials) {
  const authorization = `Bearer ${await tokenOf(url, given)}`;
  const get = (path: string, headers: Record<string, string> = {}) =>
    sent(url, "GET", prefix + path, undefined, { authorization, ...headers });
  const send = (body: unknown, id = "github", headers: Record<string, string> = {}) =>
    sent(url, "POST", `${connectorsPath}/${id}/execute`, body, { authorization, ...headers });
  return {
    get,
    send,
    run: (entity: string, action: string, params?: unknown, more: object = {}) =>
      send({ entity, action, skip_truncation: true, ...(params === undefined ? {} : { params }), ...more }),
  };
}

/** What the client shows of an error: its rule, as the page of the wire format has it. */
export function shownText(body: Json): string {
  const errors = shaped<Record<string, string>[]>(body["errors"]);
  if (errors.length > 0) return errors.map((one) => one["userPresentableMessage"] ?? one["message"]).join(", ");
  return String(body["message"]);
}
