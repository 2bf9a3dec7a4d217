import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { figma } from "../../generated/figma/index.ts";
import { linear } from "../../generated/linear/index.ts";
import type { Connector } from "../../runtime/contract/index.ts";
import { writeOnce } from "../../runtime/policy/index.ts";
import { type Simulated, simulated } from "../support/simulated.ts";
import { withAccounts } from "./support/accounts.ts";

// A platform that answers 200 when it refuses a call, and says so in the body.

const connector: Connector = {
  ...figma,
  platform: {
    ...figma.platform,
    errors: {
      ...figma.platform.errors,
      when: [{ ok: false }],
      places: { code: ["error"], message: ["error"] },
      rest: {
        invalid_auth: { code: "platform_unauthorized" },
        not_in_channel: { code: "platform_forbidden" },
        channel_not_found: { code: "not_found" },
        ratelimited: { code: "rate_limited" },
        fatal_error: { code: "platform_failed", retry: true },
      },
    },
  },
};

let refused: { readonly method: string; readonly path: string; readonly error: string } | undefined;
let calls: string[] = [];
let platform: Simulated | undefined;
async function started(given: Connector = connector): Promise<Simulated> {
  platform ??= await simulated(given, (method, path) => {
    calls.push(`${method} ${path}`);
    if (refused === undefined || method !== refused.method || !path.includes(refused.path)) return undefined;
    return { ok: false, error: refused.error };
  });
  return platform;
}
beforeEach(() => {
  calls = [];
  refused = undefined;
});
afterAll(() => platform?.close());

const file = "Xk2bQ7design01";
const asked = {
  get: { method: "GET", path: "/v1/files/", request: { entity: "files", action: "get", params: { file } } },
  list: { method: "GET", path: "/comments", request: { entity: "comments", action: "list", params: { file } } },
  write: {
    method: "POST",
    path: "/comments",
    request: { entity: "comments", action: "create", params: { file, message: "Hello." } },
  },
} as const;

describe("an error inside a response with status 200", () => {
  const kinds = Object.keys(asked) as (keyof typeof asked)[];
  it.each(
    kinds.flatMap((kind) =>
      [
        ["invalid_auth", "platform_unauthorized"],
        ["not_in_channel", "platform_forbidden"],
        ["channel_not_found", "not_found"],
        ["something_else", "platform_rejected"],
      ].map(([error = "", code = ""]) => ({ kind, error, code })),
    ),
  )("fails a $kind: $error is $code, after one call", async ({ kind, error, code }) => {
    const { run } = await started();
    const { method, path, request } = asked[kind];
    refused = { method, path, error };
    await expect(run(request)).rejects.toMatchObject({ code });
    expect(calls).toHaveLength(1);
  });

  it("is not kept as the response to an Idempotency-Key, so that the write can be sent again with it", async () => {
    const { run } = await started();
    const dataDir = mkdtempSync(join(tmpdir(), "tenon-error-in-success-"));
    const { signal } = new AbortController();
    await withAccounts(dataDir, async (store) => {
      const once = { caller: "a", key: "the-key", request: asked.write, timeout: 10_000, signal };
      const write = () => writeOnce(store, once, () => run(asked.write.request));
      refused = { ...asked.write, error: "something_else" };
      await expect(write()).rejects.toMatchObject({ code: "platform_rejected" });
      refused = undefined;
      expect(await write()).toMatchObject({ replayed: false, result: { data: { message: "Hello." } } });
      expect(calls).toHaveLength(2);
      expect(await write()).toMatchObject({ replayed: true, result: { data: { message: "Hello." } } });
      expect(calls).toHaveLength(2);
    });
    rmSync(dataDir, { recursive: true });
  });

  it("is tried again in a read where its rule says so, and leaves a write in doubt", async () => {
    const { run } = await started();
    refused = { ...asked.list, error: "fatal_error" };
    await expect(run(asked.list.request)).rejects.toMatchObject({ code: "platform_failed" });
    expect(calls.length).toBeGreaterThan(1);
    calls = [];
    refused = { ...asked.write, error: "fatal_error" };
    await expect(run(asked.write.request)).rejects.toMatchObject({ code: "write_in_doubt" });
    expect(calls).toHaveLength(1);
  });

  it("hides what belongs to one record from a sync, which reads all the rest", async () => {
    const { syncExamples } = await started();
    refused = { method: "GET", path: `/v1/files/${file}/comments`, error: "not_in_channel" };
    const result = await syncExamples();
    const comments = result.entities.find(({ entity }) => entity === "comments");
    expect(comments).toMatchObject({ outcome: "complete" });
    expect(comments?.inserted).toBeGreaterThan(0);
    expect(result.outcome).toBe("complete");
  });
});

describe("an error inside a response with status 200 of a GraphQL API", () => {
  const errors = { ...linear.platform.errors, ...connector.platform.errors, graphql: linear.platform.errors.graphql };
  const issue = "issue-eng-1";
  const requests = {
    get: { entity: "issues", action: "get", params: { id: issue } },
    list: { entity: "issues", action: "list", params: { team: "team-eng" } },
    write: { entity: "comments", action: "create", params: { issue, body: "Hello." } },
  } as const;
  // As a gateway in front of the API says it, as the API says it beside its data, and as GraphQL says it.
  const bodies = {
    "without data": (error: string) => ({ ok: false, error }),
    "beside data": (error: string) => ({
      ok: false,
      error,
      data: { issue: { id: issue }, issues: { nodes: [] }, commentCreate: {} },
    }),
    "in errors": (error: string) => ({ errors: [{ message: error, extensions: { code: graphqlCodes[error] } }] }),
  } as const;
  const graphqlCodes: Readonly<Record<string, string>> = {
    invalid_auth: "AUTHENTICATION_ERROR",
    not_in_channel: "FORBIDDEN",
    something_else: "INPUT_ERROR",
  };

  let said: object | undefined;
  let sent = 0;
  let api: Simulated | undefined;
  const openApi = async () => {
    api ??= await simulated({ ...linear, platform: { ...linear.platform, errors } }, () => {
      sent++;
      return said;
    });
    return api;
  };
  afterAll(() => api?.close());

  it.each(
    (Object.keys(requests) as (keyof typeof requests)[]).flatMap((kind) =>
      (Object.keys(bodies) as (keyof typeof bodies)[]).flatMap((where) =>
        [
          ["invalid_auth", "platform_unauthorized"],
          ["not_in_channel", "platform_forbidden"],
          ["something_else", "platform_rejected"],
        ].map(([error = "", code = ""]) => ({ kind, where, error, code })),
      ),
    ),
  )("fails a $kind $where: $error is $code, after one call", async ({ kind, where, error, code }) => {
    const { run } = await openApi();
    said = bodies[where](error);
    sent = 0;
    await expect(run(requests[kind])).rejects.toMatchObject({ code });
    expect(sent).toBe(1);
  });

  it.each(Object.keys(bodies) as (keyof typeof bodies)[])("fails a sync, which removes nothing: %s", async (where) => {
    const { syncExamples } = await openApi();
    said = undefined;
    await syncExamples();
    said = bodies[where]("invalid_auth");
    const result = await syncExamples();
    expect(result.outcome).not.toBe("complete");
    expect(result.entities.filter(({ removed }) => removed > 0)).toEqual([]);
    const failed = result.entities.filter(({ outcome }) => outcome === "failed");
    expect(new Set(failed.map(({ problem }) => problem?.code))).toEqual(new Set(["platform_unauthorized"]));
    expect(result.entities.filter(({ outcome }) => outcome === "complete")).toEqual([]);
  });
});

it("a response without the list that the spec names is no reason to try again", async () => {
  const { run, close } = await simulated(figma, (_method, path) => {
    calls.push(path);
    return path.endsWith("/comments") ? { ok: false, err: "invalid_auth" } : undefined;
  });
  const failed = await run(asked.list.request).then(
    () => undefined,
    (error: unknown) => error,
  );
  await close();
  expect(failed).toMatchObject({ code: "unexpected_response", retryable: false });
  expect(failed).toMatchObject({ message: 'Figma sent a response without a list at "comments". It says: invalid_auth' });
  expect(calls).toHaveLength(1);
});
