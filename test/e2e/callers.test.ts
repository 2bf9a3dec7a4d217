import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type AccountStore,
  createCaller,
  deriveKeys,
  fullGrant,
  type Grant,
  revokeCaller,
} from "../../runtime/accounts/index.ts";
import { withAccounts } from "./support/accounts.ts";
import { authorized, executePath, type Reply, useTenon } from "./support/service.ts";

// Who may call the service: stored keys and clients beside the operator's key.

const secretKey = ["canary-secret-key-of-the-callers-tests"];
const keys = deriveKeys(secretKey);
const dataDir = mkdtempSync(join(tmpdir(), "tenon-callers-"));
const at = useTenon({ secretKey, dataDir });
const tokenPath = "/api/v1/account/applications/token";
const json = { "content-type": "application/json" };
const read = { entity: "viewer", action: "get" };
const write = {
  entity: "issues",
  action: "create",
  params: { owner: "octocat", repo: "hello-world", title: "made by a caller" },
};

/** Changes the stored callers as the command line does, from outside of the service. */
const stored = <Result>(work: (store: AccountStore) => Promise<Result>) => withAccounts(dataDir, work);

const make = (kind: "key" | "client", grant: Partial<Grant> = {}) =>
  stored((store) => createCaller(store, keys, { kind, name: "n", grant: { ...fullGrant, ...grant }, expiresAt: null }));

const run = (token: string, body: object, path = executePath): Promise<Reply> =>
  at.tenon.send("POST", path, JSON.stringify(body), { ...authorized, authorization: `Bearer ${token}` });
const ask = (body: string | undefined, headers: Readonly<Record<string, string>> = json) =>
  at.tenon.send("POST", tokenPath, body, headers);

describe("an API key", () => {
  it("calls what its grant allows, and nothing else", async () => {
    const { secret } = await make("key", { rights: ["read"], entities: ["viewer"] });
    expect((await run(secret, read)).status).toBe(200);
    const other = await run(secret, { entity: "users", action: "get", params: { username: "octocat" } });
    expect([other.status, other.body["code"], other.body["detail"]]).toEqual([
      403,
      "forbidden",
      'This token does not allow the entity "users".',
    ]);
    const refused = await run(secret, write);
    expect([refused.status, refused.body["detail"]]).toEqual([403, 'This token does not have the right "write".']);
  });

  it("that lacks a right leaves what it has tried in the audit log", async () => {
    const { caller, secret } = await make("key", { rights: ["metrics"] });
    const base = executePath.replace(/execute$/, "");
    const github = ["forbidden", "github"];
    const tried = [
      ["POST", executePath, "unknown.unknown", ...github],
      ["POST", `${base}sync`, "sync.start", ...github],
      ["DELETE", `${base}sync`, "sync.stop", ...github],
      ["DELETE", `${base}sync/scopes/repository=o%2Fr`, "sync.forget", ...github],
      ["POST", `${base}authorization`, "connector.authorize", ...github],
      ["POST", `${base}webhooks`, "webhook.add", ...github],
      ["DELETE", `${base}webhooks/repository=o%2Fr`, "webhook.remove", ...github],
      ["POST", "/api/v1/subscriptions", "subscription.create", "forbidden", null],
      ["PATCH", "/api/v1/subscriptions/sub_1", "subscription.update", "forbidden", null],
      ["DELETE", "/api/v1/subscriptions/sub_1", "subscription.delete", "forbidden", "sub_1"],
      ["POST", "/api/v1/proposals/prop_1/approve", "proposal.approve", "forbidden", null],
      ["POST", "/api/v1/proposals/prop_1/reject", "proposal.reject", "forbidden", "prop_1"],
    ] as const;
    const headers = { ...authorized, authorization: `Bearer ${secret}` };
    for (const [method, path] of tried)
      expect([path, (await at.tenon.send(method, path, method === "POST" ? "{}" : undefined, headers)).status]).toEqual([
        path,
        403,
      ]);
    const noted = async () =>
      (await stored((store) => store.audited(0, 0, 1_000)))
        .filter((entry) => entry.caller === caller.id)
        .map(({ action, outcome, target }) => [action, outcome, target]);
    await expect.poll(noted).toEqual(tried.map(([, , ...entry]) => entry));
  });

  it("finds no connector that is not its own, as if there were none", async () => {
    const { secret } = await make("key", { instances: ["another"] });
    const foreign = await run(secret, read);
    const none = await run(secret, read, executePath.replace("github", "nowhere"));
    expect([foreign.status, { ...foreign.body, instance: "" }]).toEqual([404, { ...none.body, instance: "" }]);
    const sync = await at.tenon.send("GET", executePath.replace("execute", "sync"), undefined, {
      authorization: `Bearer ${secret}`,
    });
    expect(sync.status).toBe(404);
  });

  it("that may only write reads nothing, and with the right sync sees the state of the sync", async () => {
    const writer = await make("key", { rights: ["write"] });
    expect((await run(writer.secret, read)).status).toBe(403);
    const syncPath = executePath.replace("execute", "sync");
    const state = (token: string) => at.tenon.send("GET", syncPath, undefined, { authorization: `Bearer ${token}` });
    expect((await state(writer.secret)).status).toBe(403);
    expect((await state((await make("key", { rights: ["sync"] })).secret)).status).toBe(200);
  });

  it("that is for some entities neither syncs others nor forgets a scope, which has records of others too", async () => {
    const { secret } = await make("key", { rights: ["sync"], entities: ["issues"] });
    const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
    const syncPath = executePath.replace("execute", "sync");
    const body = JSON.stringify({ scopes: ["repository=octocat/hello-world"], entities: ["labels"] });
    expect((await at.tenon.send("POST", syncPath, body, headers)).status).toBe(403);
    const scope = `${syncPath}/scopes/${encodeURIComponent("repository=octocat/hello-world")}`;
    expect((await at.tenon.send("DELETE", scope, undefined, { authorization: `Bearer ${secret}` })).status).toBe(403);
  });

  it("is refused with the next request once it is revoked by another process", async () => {
    const { caller, secret } = await make("key");
    expect((await run(secret, read)).status).toBe(200);
    await stored((store) => revokeCaller(store, "key", caller.id));
    const refused = await run(secret, read);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer realm="tenon", error="invalid_token", resource_metadata="/),
    ]);
  });

  it("stands in the log by its id, and never as it is", async () => {
    const { caller, secret } = await make("key");
    await run(secret, read);
    const log = at.tenon.log.join("");
    expect(log).toContain(`"caller":"${caller.id}"`);
    expect(log).not.toContain(secret);
    expect(log).not.toContain(secretKey[0]);
  });
});

describe("a client", () => {
  it("exchanges its id and secret for a token, as JSON, as a form, and by HTTP Basic", async () => {
    const { caller, secret } = await make("client");
    const pair = { client_id: caller.id, client_secret: secret };
    const basic = Buffer.from(`${caller.id}:${encodeURIComponent(secret)}`).toString("base64");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const grant = "grant_type=client_credentials";
    for (const reply of [
      await ask(JSON.stringify(pair)),
      await ask(JSON.stringify({ ...pair, grant_type: "client_credentials" })),
      await ask(`${grant}&${new URLSearchParams(pair)}`, form),
      await ask(grant, { ...form, authorization: `Basic ${basic}` }),
    ]) {
      expect(reply.status).toBe(200);
      expect(reply.body).toEqual({ access_token: expect.any(String), token_type: "Bearer", expires_in: 900 });
      expect(reply.headers.get("cache-control")).toBe("no-store");
      expect((await run(String(reply.body["access_token"]), read)).status).toBe(200);
    }
  });

  it.each<[string, string, number, string]>([
    ["no JSON", "{", 400, "invalid_json"],
    ["a list", "[]", 401, "unauthorized"],
    ["null", "null", 401, "unauthorized"],
    ["wrong types", '{"client_id":{"a":1},"client_secret":[]}', 401, "unauthorized"],
    ["another grant", '{"grant_type":"password"}', 422, "invalid_request"],
    ["a name of the prototype", '{"__proto__":{"client_id":"x"}}', 401, "unauthorized"],
  ])("gets no token for %s", async (_title, body, status, code) => {
    const reply = await ask(body);
    expect([reply.status, reply.body["code"]]).toEqual([status, code]);
  });

  it("gets an error with the bound of its request in either form, which is small because anybody may send one", async () => {
    const long = "x".repeat(20_000);
    const form = { "content-type": "application/x-www-form-urlencoded" };
    for (const reply of [await ask(JSON.stringify({ client_id: long })), await ask(`client_id=${long}`, form)])
      expect([reply.status, reply.body["code"], reply.body["detail"]]).toEqual([
        413,
        "body_too_large",
        "The body is larger than 16 KiB.",
      ]);
  });

  it("gets 429 for too many wrong secrets, and its token for the right one all the same", async () => {
    const { caller, secret } = await make("client");
    const wrong = JSON.stringify({ client_id: caller.id, client_secret: "wrong" });
    const replies = [];
    for (let count = 0; count < 25; count++) replies.push(await ask(wrong));
    const last = replies.at(-1);
    expect([last?.status, last?.body["code"]]).toEqual([429, "too_many_requests"]);
    expect(Number(last?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask(JSON.stringify({ client_id: caller.id, client_secret: secret }))).status).toBe(200);
  });

  it("gets an error that says which method the route takes", async () => {
    const reply = await at.tenon.send("GET", tokenPath, undefined, {});
    expect([reply.status, reply.headers.get("allow")]).toEqual([405, "POST"]);
  });
});
