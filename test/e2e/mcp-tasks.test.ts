import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Platform, startPlatform } from "../support/github/start.ts";
import { hasServer, startOnServer } from "../support/postgres/server.ts";
import { newFolder } from "./support/cache.ts";
import { mcpCaller, textOf, withTasks } from "./support/mcp-calls.ts";
import { apiKey, type Options, pause, startTenon, type Tenon } from "./support/service.ts";

// Syncs as tasks of MCP 2026-07-28: they are asked about in any process, and go on when theirs has ended.

const scopes = ["repository=octocat/hello-world"];
const sync = { name: "sync", arguments: { scopes, entities: ["labels", "milestones"] } };
const send = mcpCaller(withTasks);

let platform: Platform;
let running: Tenon[] = [];
let release: () => void = () => undefined;
beforeAll(async () => {
  platform = await startPlatform();
});
afterEach(async () => {
  release();
  for (const { service } of running) await service.close();
  running = [];
  platform.reset();
});
afterAll(() => platform.close());

async function serve(options: Options = {}): Promise<Tenon> {
  const tenon = await startTenon(platform, options);
  running.push(tenon);
  return tenon;
}

/** Lets the platform hold all requests from now on, until `release` is called. */
function hold(): void {
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  for (let count = 0; count < 20; count++) platform.fail({ kind: "held", until });
}

async function start(tenon: Tenon): Promise<string> {
  const { result } = await send(tenon, "tools/call", sync);
  expect(result).toMatchObject({ resultType: "task", status: "working", ttlMs: 86_400_000, pollIntervalMs: 2_000 });
  for (const time of [result.createdAt, result.lastUpdatedAt]) expect(new Date(time).toISOString()).toBe(time);
  expect(result).not.toHaveProperty("result");
  return result.taskId;
}

const look = async (tenon: Tenon, taskId: string) => (await send(tenon, "tasks/get", { taskId })).result;

async function ended(tenon: Tenon, taskId: string) {
  for (;;) {
    const task = await look(tenon, taskId);
    if (task.status !== "working") return task;
    await pause(20);
  }
}

describe("a sync that was started over MCP", () => {
  it("is a task with progress and a result", async () => {
    const tenon = await serve();
    hold();
    const id = await start(tenon);
    expect(await look(tenon, id)).toMatchObject({ status: "working", statusMessage: "0 entities are synced" });
    release();
    const task = await ended(tenon, id);
    expect(task).toMatchObject({
      resultType: "complete",
      taskId: id,
      status: "completed",
      statusMessage: "The sync is complete.",
    });
    const { data, meta } = JSON.parse(textOf(task.result));
    expect(meta).toEqual({ outcome: "complete", inserted: expect.any(Number), changed: 0, removed: 0 });
    expect(data).toEqual([{ scope: scopes[0], outcome: "complete", entities: ["labels", "milestones"], problem: null }]);
    // What has ended stays as it is.
    await send(tenon, "tasks/cancel", { taskId: id });
    expect(await look(tenon, id)).toEqual(task);
  });

  it("can be followed by a client that takes no tasks, with the tool", async () => {
    const tenon = await serve();
    const call = async (args: object) => {
      const { result } = await mcpCaller({})(tenon, "tools/call", { name: "sync", arguments: args });
      expect(result.resultType).toBe("complete");
      return JSON.parse(textOf(result));
    };
    const { task, next } = await call(sync.arguments);
    expect(next).toContain(task);
    await ended(tenon, task);
    expect(await call({ task })).toMatchObject({ meta: { outcome: "complete" } });
    expect(await call({ task: "sync_none" })).toMatchObject({ error: { errors: [{ pointer: "/task" }] } });
    expect(await call({ scopes: ["repository=octocat/none"] }).then(({ task: other }) => ended(tenon, other))).toMatchObject({
      status: "completed",
      result: { isError: true },
    });
  });

  it("is cancelled at the next page", async () => {
    const tenon = await serve();
    hold();
    const id = await start(tenon);
    expect((await send(tenon, "tasks/cancel", { taskId: id })).result).toMatchObject({ resultType: "complete" });
    release();
    expect(await ended(tenon, id)).toMatchObject({ status: "cancelled" });
  });

  it("goes on after a restart", async () => {
    const dataDir = newFolder();
    const first = await serve({ dataDir });
    hold();
    const id = await start(first);
    const closed = first.service.close();
    release();
    await closed;
    const second = await serve({ dataDir });
    expect(await look(second, id)).toMatchObject({
      status: "working",
      statusMessage: "The process that synced has ended. The sync continues where it stopped.",
    });
    const task = await ended(second, id);
    expect([task.status, task.result.isError]).toEqual(["completed", undefined]);
    rmSync(dataDir, { recursive: true });
  });

  it.skipIf(!hasServer)("is asked about and cancelled in another process", async () => {
    const place = await startOnServer();
    const options = { databaseUrl: place.url ?? "", secretKey: ["secret-key-of-the-tests-of-tasks"] };
    const [first, second] = [await serve(options), await serve(options)];
    hold();
    const id = await start(first);
    expect(await look(second, id)).toMatchObject({ status: "working", statusMessage: "0 entities are synced" });
    await send(second, "tasks/cancel", { taskId: id });
    expect(await look(first, id)).toMatchObject({ status: "cancelled" });
    // The first process notices it while the platform still has its request.
    const path = "/api/v1/integrations/connectors/github/sync";
    await expect
      .poll(async () => (await first.send("GET", path, undefined)).text, { timeout: 10_000 })
      .toContain('"running":false');
    for (const { service } of running) await service.close();
    running = [];
    await place.close();
  });
});

describe("the extension", () => {
  it("is listed for clients of revision 2026-07-28 only", async () => {
    const tenon = await serve();
    const { result } = await send(tenon, "server/discover", {});
    expect(result.capabilities.extensions).toEqual({ "io.modelcontextprotocol/tasks": {} });
    const old = async (method: string, params: object) => {
      const headers = { accept: "application/json, text/event-stream", authorization: `Bearer ${apiKey}` };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      return JSON.parse((await tenon.send("POST", "/mcp", body, { ...headers, "content-type": "application/json" })).text);
    };
    const client = { capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const greeted = await old("initialize", { protocolVersion: "2025-11-25", ...client });
    expect(greeted.result.capabilities).not.toHaveProperty("extensions");
    expect((await old("tasks/get", { taskId: "sync_1" })).error.code).toBe(-32601);
  });

  it("refuses clients without it, and unknown tasks", async () => {
    const tenon = await serve();
    for (const method of ["tasks/get", "tasks/cancel", "tasks/update"]) {
      const params = { taskId: "sync_none", ...(method === "tasks/update" ? { inputResponses: {} } : {}) };
      const { error } = await mcpCaller({})(tenon, method, params);
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities: withTasks } });
      expect((await send(tenon, method, params)).error).toMatchObject({
        code: -32602,
        message: 'There is no task "sync_none", or it is forgotten.',
      });
      expect((await send(tenon, method, {})).error.code).toBeLessThan(-32000);
    }
  });
});
