import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../../runtime/execute/connect.ts";
import { execute } from "../../runtime/execute/execute.ts";
import type { ConnectorInstance } from "../../runtime/execute/instance.ts";
import type { Platform } from "../platform/platform.ts";
import { startPlatform } from "../platform/platform.ts";
import { ownerToken } from "../platform/tokens.ts";
import { unpaced } from "../support/fake-instance.ts";

const folder = join(import.meta.dirname, "../../generated/github/reference");

/** Every request that a page shows, by the page and its action. */
const examples = readdirSync(folder).flatMap((page) =>
  [...readFileSync(join(folder, page), "utf8").matchAll(/```json\n([\s\S]*?)```/g)].map((match) => {
    const request = JSON.parse(match[1] ?? "") as { entity: string; action: string };
    return [`${page} ${request.action}`, request] as const;
  }),
);

let platform: Platform;
let instance: ConnectorInstance;
beforeAll(async () => {
  platform = await startPlatform();
  const endpoints = { rest: platform.url, graphql: platform.graphqlUrl };
  instance = connect({
    id: "github",
    workspace: "default",
    connector: unpaced,
    endpoints,
    token: async () => ownerToken,
    userAgent: "tenon/test",
    redact: (text) => text,
  });
});
afterAll(() => platform.close());

describe("the reference", () => {
  it("shows a request for every action", () => {
    const actions = Object.values(unpaced.entities).flatMap((entity) => Object.keys(entity.actions));
    expect(examples.length).toBe(actions.length);
  });

  it.each(examples)("%s: the request shown works, and finds something", async (_name, request) => {
    const { data } = await execute(instance, request, {
      timeout: 10_000,
      signal: new AbortController().signal,
      log: pino({ level: "silent" }),
      requestId: "test",
    });
    expect(Array.isArray(data) ? data.length : 1).toBeGreaterThan(0);
  });
});
