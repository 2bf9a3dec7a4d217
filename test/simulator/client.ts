import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import type { Platform } from "../support/github/start.ts";

/** JSON that a test looks into without knowing its shape. */
export interface Json {
  readonly [key: string]: Json;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `{}` where the text is not JSON. */
  readonly body: Json;
}

export interface Call {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(url: string, method: string, body: unknown, { token = ownerToken, headers = {} }: Call): Promise<Reply> {
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: { authorization: `Bearer ${token}`, "user-agent": "platform-test", ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Bare calls, without any of the manners of a real client, so that a test sees what the platform answers. */
export function graphql(
  platform: Platform,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  options: Call = {},
): Promise<Reply> {
  return call(platform.graphqlUrl, "POST", { query, variables }, options);
}

export function rest(platform: Platform, method: string, path: string, body?: unknown, options: Call = {}): Promise<Reply> {
  return call(`${platform.url}${path}`, method, body, options);
}
