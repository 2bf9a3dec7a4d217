import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import type { Repository } from "../../../runtime/simulated/github/world/repository.ts";
import { repositoryNamed } from "../../../runtime/simulated/github/world/world.ts";
import { type Platform, startPlatform } from "../../support/github/start.ts";
import { graphql, type Json } from "../client.ts";

let running: Platform | undefined;

/** One platform for all cases, as seeded before each of them. */
beforeAll(async () => {
  running = await startPlatform();
});
beforeEach(() => running?.reset());
afterAll(() => running?.close());

export function platform(): Platform {
  if (running === undefined) throw new Error("the platform is not running yet");
  return running;
}

export function named(fullName: string): Repository {
  const found = repositoryNamed(platform().world, fullName);
  if (found === undefined) throw new Error(`no repository ${fullName}`);
  return found;
}

export const hello = () => named("octocat/hello-world");
export const inHello = (selection: string) => `{ repository(owner: "octocat", name: "hello-world") { ${selection} } }`;
export const ask = (query: string, variables = {}, token = ownerToken) => graphql(platform(), query, variables, { token });

/** The data of a document that must pass without any error. */
export async function data(query: string, variables = {}, token = ownerToken): Promise<Json> {
  const { body, text } = await ask(query, variables, token);
  expect(body["errors"], text.slice(0, 500)).toBeUndefined();
  return body["data"] ?? {};
}

export const list = (value: Json | undefined): Json[] => Object.values(value ?? {});
export const errorTypes = (body: Json) => list(body["errors"]).map((error) => error["type"]);
