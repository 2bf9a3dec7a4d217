import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant, type Right } from "../../runtime/accounts/index.ts";
import { proposalLines } from "../../runtime/cli/policy/proposals.ts";
import { Proposals, type WholeProposal } from "../../runtime/client/index.ts";
import { proposalRoutes } from "../../runtime/server/openapi/proposal-routes.ts";
import type { Platform } from "../support/github/start.ts";
import { startPlatform } from "../support/github/start.ts";
import { shaped } from "../support/shaped.ts";
import { withAccounts } from "./support/accounts.ts";
import { act, ask, logIn, page } from "./support/admin.ts";
import { writes } from "./support/calls.ts";
import { mcpCaller, textOf, withTasks } from "./support/mcp-calls.ts";
import { openProcesses } from "./support/process.ts";
import { authorized, bad, good, startTenon, type Tenon, until } from "./support/service.ts";

// Writes that need an approval: over HTTP, in the client library, on the command line, on the operator's page, and for models.

const secretKey = "canary-secret-key-of-the-approval-tests";
const target = { owner: "octocat", repo: "hello-world", issue_number: 1 };
const folder = mkdtempSync(join(tmpdir(), "tenon-approvals-"));
const policy = join(folder, "policy.json");
writeFileSync(policy, '{"rules": [{"effect": "require_approval", "fields": ["title", "body"], "reason": "Ask."}]}');

describe("a write that needs an approval", () => {
  let platform: Platform;
  let tenon: Tenon;
  const notified: string[] = [];
  const webhook = createServer((request, response) => {
    request.setEncoding("utf8").on("data", (text: string) => notified.push(text));
    request.on("end", () => response.end());
  });
  const keys = new Map<string, string>();
  const keyOf = (name: string) => keys.get(name) ?? "";
  const as = (name: string) => ({ ...authorized, authorization: `Bearer ${keyOf(name)}` });
  const send = (name: string, method: string, path: string, body?: object) =>
    tenon.send(method, `/api/v1/proposals${path}`, body === undefined ? undefined : JSON.stringify(body), as(name));
  const update = (params: object, more = {}) =>
    tenon.run("issues", "update", { ...target, ...params }, { headers: { ...as("agent"), ...more } });
  /** A new proposal of the agent. */
  const propose = async (title: string) => {
    const reply = await update({ title });
    bad(reply, 403, "approval_required");
    const { proposal }: { proposal: WholeProposal } = JSON.parse(reply.text);
    return proposal;
  };
  const sent = (title: string) => writes(platform).filter(({ body }) => JSON.stringify(body).includes(title)).length;

  beforeAll(async () => {
    platform = await startPlatform();
    await new Promise<void>((resolve) => webhook.listen(0, "127.0.0.1", resolve));
    const { port } = webhook.address() as AddressInfo;
    const approvalWebhook = `http://127.0.0.1:${port}/hook`;
    const publicUrl = "https://tenon.example";
    const settings = { policy, secretKey: [secretKey], approvalWebhook, admin: true, mcpWrites: true, publicUrl };
    tenon = await startTenon(platform, settings);
    const make = (name: string, ...rights: Right[]) =>
      withAccounts(tenon.dataDir, (store) =>
        createCaller(store, deriveKeys([secretKey]), { kind: "key", name, grant: { ...fullGrant, rights }, expiresAt: null }),
      );
    keys.set("agent", (await make("agent", "read", "write", "approve")).secret);
    keys.set("boss", (await make("boss", "approve", "admin")).secret);
    keys.set("writer", (await make("writer", "write")).secret);
    keys.set("other", (await make("other", "read", "write")).secret);
  });
  afterAll(async () => {
    await tenon.service.close();
    await platform.close();
    webhook.close();
    rmSync(folder, { recursive: true });
  });

  it("is shown with its changes, told to the webhook without its values, and sent once after the approval", async () => {
    const proposal = await propose("by http");
    expect(proposal).toMatchObject({
      state: "pending",
      reason: "Ask.",
      proposed_by: { name: "agent" },
      changes: [{ field: "title", from: "Found a bug", to: "by http" }],
    });
    await until(() => notified.length > 0);
    expect(JSON.parse(notified[0] ?? "")).toMatchObject({ event: "proposal.pending", proposal: { id: proposal.id } });
    expect(notified.join("")).not.toContain("by http");
    bad(await send("agent", "POST", `/${proposal.id}/approve`, { hash: proposal.hash }), 403, "forbidden");
    bad(await send("other", "POST", `/${proposal.id}/approve`, { hash: proposal.hash }), 403, "forbidden");
    bad(await send("other", "GET", `/${proposal.id}`), 404, "unknown_proposal");
    bad(await send("boss", "POST", `/${proposal.id}/approve`, {}), 422, "invalid_request");
    bad(await send("boss", "POST", `/${proposal.id}/approve`, { hash: "x" }), 409, "proposal_closed");
    expect(sent("by http")).toBe(0);
    expect((await send("boss", "GET", "?state=pending")).body.data).toMatchObject([{ id: proposal.id }]);
    const approved = await send("boss", "POST", `/${proposal.id}/approve`, { hash: proposal.hash });
    expect([approved.status, approved.body.data]).toMatchObject([
      200,
      { state: "done", outcome: { data: { title: "by http" } } },
    ]);
    const documented = proposalRoutes.find(({ operationId }) => operationId === "proposal")?.answers["200"]?.schema;
    const { properties } = shaped<{ properties: { data: { properties: object } } }>(documented);
    expect(Object.keys(approved.body.data ?? {}).sort()).toEqual(Object.keys(properties.data.properties).sort());
    // The caller learns the outcome with the key of the proposal, and nothing is sent again.
    const again = await update({ title: "by http" }, { "idempotency-key": proposal.idempotency_key });
    good(again);
    expect([again.headers.get("idempotent-replayed"), sent("by http")]).toEqual(["true", 1]);
    bad(await send("boss", "POST", `/${proposal.id}/reject`), 409, "proposal_closed");
    good(await update({ labels: ["bug"] }));
  });

  it("shows present values to whoever decides, and not to a caller who may not read", async () => {
    const headers = { ...authorized, ...as("writer") };
    for (let time = 0; time < 2; time++) {
      const reply = await tenon.run("issues", "update", { ...target, body: "by a writer" }, { headers });
      bad(reply, 403, "approval_required");
      const { proposal }: { proposal: WholeProposal } = JSON.parse(reply.text);
      expect(proposal.changes).toEqual([{ field: "body", to: "by a writer" }]);
      const seenBy = async (name: string): Promise<unknown> =>
        JSON.parse((await send(name, "GET", `/${proposal.id}`)).text).data.changes[0];
      expect(await seenBy("writer")).not.toHaveProperty("from");
      expect(await seenBy("boss")).toHaveProperty("from");
      if (time === 1) expect((await send("boss", "POST", `/${proposal.id}/reject`)).status).toBe(200);
    }
  });

  it("is decided with the client library", async () => {
    const [first, second] = [await propose("library 1"), await propose("library 2")];
    const service = new Proposals({ baseUrl: tenon.url, apiKey: keyOf("boss") });
    expect((await service.list("pending")).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect((await service.approve(first.id, (await service.get(first.id)).hash)).state).toBe("done");
    expect((await service.reject(second.id)).state).toBe("rejected");
    await expect(service.get("prop_none")).rejects.toMatchObject({ name: "UnknownProposalError" });
    // The title has changed since it was proposed.
    const third = await propose("library 3");
    const changed = platform.world.repositories[0]?.issues.find(({ number }) => number === 1);
    if (changed !== undefined) changed.title = "meanwhile";
    await expect(service.approve(third.id, third.hash)).rejects.toMatchObject({
      code: "target_changed",
      proposal: { state: "pending", changes: [{ from: "meanwhile", to: "library 3" }] },
    });
    expect([sent("library 1"), sent("library 2"), sent("library 3")]).toEqual([1, 0, 0]);
  });

  it("is decided on the operator's page, which shows what is sent", async () => {
    const proposal = await propose("by <page>");
    const hidden = await propose("hidden \u{e0041}\u202e");
    const { cookie } = await logIn(tenon, keyOf("boss"));
    expect(await page(tenon, keyOf("boss"), "/admin/proposals")).toContain(proposal.id);
    const asked = await ask(tenon, cookie, "proposal.approve", { id: proposal.id });
    expect(asked.text).toContain("by &lt;page&gt;");
    // Nobody approves characters that they do not see.
    const { text } = await ask(tenon, cookie, "proposal.approve", { id: hidden.id });
    expect(text).toContain("hidden \\u{e0041}\\u{202e}");
    expect(proposalLines(hidden).join("\n")).toContain("hidden \\u{e0041}\\u{202e}");
    expect(sent("by <page>")).toBe(0);
    const done = await act(tenon, cookie, "proposal.approve", { id: proposal.id });
    expect(done.text).toContain(`The write ${proposal.id} is done.`);
    expect(sent("by <page>")).toBe(1);
    const entries = await withAccounts(tenon.dataDir, (store) => store.lastAudited(9));
    const own = entries.filter(({ action, outcome }) => action === "proposal.approve" && outcome === "done");
    expect(own.filter(({ target }) => target === `${proposal.id} ${proposal.hash}`)).toHaveLength(1);
  });

  it("tells a model to wait for the user, and how to learn the outcome", async () => {
    const args = { entity: "issues", action: "update", params: { ...target, title: "by model" } };
    const call = async (more = {}) => {
      const params = { name: "write", arguments: { ...args, ...more } };
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
      const headers = { ...as("agent"), accept: "application/json, text/event-stream" };
      const { text } = await tenon.send("POST", "/mcp", body, headers);
      return JSON.parse(JSON.parse(text).result.content[0].text);
    };
    const refused = await call();
    const { id, hash } = refused.proposal;
    expect(refused).toMatchObject({ error: { code: "approval_required" }, proposal: { changes: [{ to: "by model" }] } });
    expect(refused.what_to_do).toContain(`"idempotency_key":"${id}"`);
    expect((await send("boss", "POST", `/${id}/approve`, { hash })).status).toBe(200);
    expect(await call({ idempotency_key: id })).toMatchObject({ data: { title: "by model" }, meta: { replayed: true } });
    expect(sent("by model")).toBe(1);
  });

  describe("over MCP 2026-07-28", () => {
    const write = (title: string) => ({
      name: "write",
      arguments: { entity: "issues", action: "update", params: { ...target, title } },
    });
    const call = async (name: string, params: Readonly<Record<string, unknown>>) => {
      const { result, error } = await mcpCaller({ elicitation: { url: {} } }, as(name))(tenon, "tools/call", params);
      return { result, error, text: result?.content === undefined ? undefined : JSON.parse(textOf(result)) };
    };
    const approve = async () => {
      const { data } = (await send("boss", "GET", "?state=pending")).body;
      const [first] = shaped<WholeProposal[]>(data);
      return (await send("boss", "POST", `/${first?.id}/approve`, { hash: first?.hash })).status;
    };

    it("leads the user to the page, and the client to the outcome", async () => {
      const opened: unknown[] = [];
      const options = { versionNegotiation: { mode: "auto" }, capabilities: { elicitation: { url: {} } } } as const;
      const client = new Client({ name: "test", version: "1" }, options);
      client.setRequestHandler("elicitation/create", async ({ params }) => {
        opened.push("url" in params ? params.url : undefined);
        expect(await approve()).toBe(200);
        return { action: "accept" };
      });
      const requestInit = { headers: { Authorization: `Bearer ${keyOf("agent")}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(`${tenon.url}/mcp`), { requestInit }));
      const { content, isError } = await client.callTool(write("by dialog"));
      expect(isError ?? false).toBe(false);
      expect(JSON.parse(content[0]?.type === "text" ? content[0].text : "")).toMatchObject({ data: { title: "by dialog" } });
      expect([opened, sent("by dialog")]).toEqual([["https://tenon.example/admin/proposals"], 1]);
      await client.close();
    });

    it("believes neither the client nor a state that was changed, or is of another call or caller", async () => {
      const { result } = await call("agent", write("by forgery"));
      expect(result.resultType).toBe("input_required");
      const state: string = result.requestState;
      const inputResponses = { approval: { action: "accept" } };
      // The client says that it is approved.
      const said = await call("agent", { ...write("by forgery"), requestState: state, inputResponses });
      expect(said.text.error.code).toBe("approval_required");
      const changed = `${state.slice(0, -4)}${state.endsWith("AAAA") ? "BBBB" : "AAAA"}`;
      for (const [name, params] of [
        ["agent", { ...write("by forgery"), requestState: changed }],
        ["agent", { ...write("by another"), requestState: state }],
        ["other", { ...write("by forgery"), requestState: state }],
      ] as const)
        expect((await call(name, { ...params, inputResponses })).error).toMatchObject({
          code: -32602,
          message: expect.stringContaining("Invalid or expired requestState"),
        });
      expect([sent("by forgery"), sent("by another")]).toEqual([0, 0]);
      // The state is good for the one write, however often it comes back.
      expect(await approve()).toBe(200);
      for (let time = 0; time < 2; time++)
        expect((await call("agent", { ...write("by forgery"), requestState: state, inputResponses })).text).toMatchObject({
          data: { title: "by forgery" },
        });
      expect(sent("by forgery")).toBe(1);
    });
  });

  describe("as a task of MCP 2026-07-28", () => {
    const write = (title: string) => ({
      name: "write",
      arguments: { entity: "issues", action: "update", params: { ...target, title } },
    });
    const mcp = (name: string, capabilities: object = withTasks) => {
      const call = mcpCaller(capabilities, as(name));
      return (method: string, params: Readonly<Record<string, unknown>>) => call(tenon, method, params);
    };
    const begin = async (title: string, name = "agent") => {
      const { result } = await mcp(name)("tools/call", write(title));
      expect(result).toMatchObject({ resultType: "task", status: "working", pollIntervalMs: 5_000 });
      expect(result.statusMessage).toContain("https://tenon.example/admin/proposals");
      return String(result.taskId);
    };
    const look = async (taskId: string) => (await mcp("agent")("tasks/get", { taskId })).result;
    const decide = async (id: string, how: "approve" | "reject") => {
      const { hash } = shaped<WholeProposal>((await send("boss", "GET", `/${id}`)).body.data);
      return send("boss", "POST", `/${id}/${how}`, how === "approve" ? { hash } : undefined);
    };

    it("ends with the result of the approved write, and is its caller's alone", async () => {
      const id = await begin("by task");
      // Neither what its client says nor another caller changes anything.
      expect((await mcp("agent")("tasks/update", { taskId: id, inputResponses: { approval: { action: "accept" } } })).error).toBe(
        undefined,
      );
      expect((await mcp("other")("tasks/get", { taskId: id })).error.code).toBe(-32602);
      expect((await mcp("other")("tasks/cancel", { taskId: id })).error.code).toBe(-32602);
      expect([(await look(id)).status, sent("by task")]).toEqual(["working", 0]);
      // One who may approve writes has no part in the tasks of others either.
      const foreign = await begin("by another task", "other");
      expect((await mcp("agent")("tasks/get", { taskId: foreign })).error.code).toBe(-32602);
      await mcp("other")("tasks/cancel", { taskId: foreign });
      good(await decide(id, "approve"));
      const task = await look(id);
      expect(task).toMatchObject({ resultType: "complete", status: "completed" });
      expect(JSON.parse(textOf(task.result))).toMatchObject({ data: { title: "by task" } });
      expect(sent("by task")).toBe(1);
    });

    it("ends with an error when it is rejected, and is cancelled by its caller", async () => {
      const [first, second] = [await begin("task 1"), await begin("task 2")];
      good(await decide(first, "reject"));
      const { status, result } = await look(first);
      expect([status, result.isError, JSON.parse(textOf(result)).error.code]).toEqual(["completed", true, "write_rejected"]);
      expect((await mcp("agent")("tasks/cancel", { taskId: second })).result).toMatchObject({ resultType: "complete" });
      expect(await look(second)).toMatchObject({ status: "cancelled" });
      bad(await decide(second, "approve"), 409, "proposal_closed");
      // It may be asked for again.
      const third = await begin("task 2");
      expect([third === second, sent("task 1"), sent("task 2")]).toEqual([false, 0, 0]);
      await mcp("agent")("tasks/cancel", { taskId: third });
    });

    it("begins when the client has asked its user", async () => {
      const call = mcp("agent", { ...withTasks, elicitation: { url: {} } });
      const asked = (await call("tools/call", write("by both"))).result;
      expect(asked.resultType).toBe("input_required");
      const answered = { requestState: asked.requestState, inputResponses: { approval: { action: "accept" } } };
      const { result } = await call("tools/call", { ...write("by both"), ...answered });
      expect(result).toMatchObject({ resultType: "task", status: "working" });
      expect(result).not.toHaveProperty("requestState");
      good(await decide(result.taskId, "approve"));
      expect([(await look(result.taskId)).status, sent("by both")]).toEqual(["completed", 1]);
    });
  });

  it("is decided on the command line, which shows it first", async () => {
    const proposal = await propose("by command");
    const { start, close } = openProcesses();
    const env = { TENON_URL: tenon.url, TENON_API_KEY: keyOf("boss") };
    const [listed, shown] = [start(env, ["proposals"]), start(env, ["approve", proposal.id])];
    expect([await listed.exit, JSON.parse(listed.out().trim().split("\n")[0] ?? "")]).toMatchObject([0, { id: proposal.id }]);
    expect([await shown.exit, JSON.parse(shown.out()), shown.err()]).toMatchObject([
      0,
      { state: "pending", changes: [{ to: "by command" }] },
      expect.stringContaining(`tenon approve ${proposal.id} --shown ${proposal.hash}`),
    ]);
    expect(sent("by command")).toBe(0);
    const approved = start(env, ["approve", proposal.id, "--shown", proposal.hash]);
    expect([await approved.exit, JSON.parse(approved.out())]).toMatchObject([0, { state: "done" }]);
    expect(sent("by command")).toBe(1);
    await close();
  });
});
