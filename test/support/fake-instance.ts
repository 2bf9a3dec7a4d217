import { pino } from "pino";
import { github } from "../../generated/github/index.ts";
import type { Connector, SyncPlan } from "../../runtime/contract/index.ts";
import { connect } from "../../runtime/execute/connect.ts";
import { type ExecuteResult, execute } from "../../runtime/execute/index.ts";
import type { ConnectorInstance } from "../../runtime/execute/instance.ts";
import { singleCredential } from "../../runtime/platform/credential.ts";

export interface Seen {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

/** What a fake platform answers: a GraphQL or REST body, or a whole response. */
export type Answerer = (seen: Seen) => object | Response;

/** The connector of GitHub without the platform's pace. */
export const unpaced = withoutPace(github);

/** A connector without its platform's pace, so that thousands of calls take no minutes. */
export function withoutPace(connector: Connector): Connector {
  const { platform } = connector;
  const points = { perMinute: 1e9, read: 1, write: 1 };
  return {
    ...connector,
    platform: {
      ...platform,
      rateLimit: {
        ...platform.rateLimit,
        writes: { spacing: 0, perMinute: 1e9, perHour: 1e9 },
        points: { graphql: points, rest: points },
        calls: {},
      },
    },
  };
}

/** A connector whose syncs read for so many parents with one call, and so many children of each at first. */
export function withBatches(connector: Connector, size: number, first?: number): Connector {
  const planOf = (plan: SyncPlan): SyncPlan => {
    if (plan.each?.batch === undefined) return plan;
    const { batch } = plan.each;
    const changed = { ...batch, size, ...(first === undefined || batch.first === undefined ? {} : { first }) };
    return { ...plan, each: { ...plan.each, batch: changed } };
  };
  const entities = Object.entries(connector.entities).map(([name, entity]) => [
    name,
    { ...entity, sync: entity.sync.map(planOf) },
  ]);
  return { ...connector, entities: Object.fromEntries(entities) };
}

/** An instance whose network is a function. @param token each part of its credential */
export function fakeInstance(
  answer: Answerer,
  token = "token-of-the-test",
  connector: Connector = unpaced,
): { instance: ConnectorInstance; seen: Seen[] } {
  const seen: Seen[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const text = typeof init?.body === "string" ? init.body : "";
    const one: Seen = {
      url: new URL(String(input)),
      method: init?.method ?? "GET",
      headers: new Headers(init?.headers),
      body: text === "" ? undefined : JSON.parse(text),
    };
    seen.push(one);
    const answered = answer(one);
    return answered instanceof Response ? answered : Response.json(answered);
  };
  const instance = connect({
    id: "github",
    workspace: "default",
    connector,
    endpoints: { rest: "https://api.example.test", graphql: "https://api.example.test/graphql" },
    credential: async () => singleCredential(connector.platform.auth.kinds, token),
    userAgent: "tenon/test",
    redact: (text) => text,
    fetch,
  });
  return { instance, seen };
}

/** @param background whether nobody waits for it, as in a sync */
export function run(instance: ConnectorInstance, request: unknown, timeout = 5_000, background = false): Promise<ExecuteResult> {
  return execute(instance, request, {
    timeout,
    signal: new AbortController().signal,
    log: pino({ level: "silent" }),
    requestId: "test",
    ...(background ? { background } : {}),
  });
}
