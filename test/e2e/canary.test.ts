import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCaller, deriveKeys, fullGrant } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { storeAction } from "../../runtime/contract/index.ts";
import { addConnector, connectors } from "../../runtime/main/index.ts";
import { unpaced } from "../support/fake-instance.ts";
import { newFolder } from "./support/cache.ts";
import { withProcesses } from "./support/process.ts";
import { startTenon, type Tenon } from "./support/service.ts";
import { type Answer, startStranger } from "./support/stranger.ts";

// Secrets in every credential and in every part of a request, over hundreds of calls that fail, on a platform that says in all its answers
// what it was sent. None of them may be found anywhere afterwards. TENON_TEST_CANARIES says how many calls.

/** There are 48 requests and 60 answers of the platform: after 240 of either, both begin again. */
const amount = Number(process.env["TENON_TEST_CANARIES"] ?? 720);

/** What the service knows and must not tell. */
const secrets = {
  apiKey: "canaryoperator6f1d9c0b7a3e5824",
  platform: `ghp_${"canaryPlatform".padEnd(36, "7")}`,
  stored: `ghp_${"canaryStored".padEnd(36, "8")}`,
  secretKey: "canary-secret-key-with-32-characters-0001",
  compat: "canary-compat-secret-5b6f",
  embeddings: "canary-embeddings-key-91ab",
};
/** What callers send, and nobody may note. */
const input = "canaryinput4c2e";

/** A platform that fails in all ways, and repeats what it was sent wherever it can. */
const echo = (): Answer => {
  let nth = 0;
  return async (request, response) => {
    const token = request.headers.authorization ?? "";
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = `${token} ${request.url} ${Buffer.concat(chunks).toString("base64")} ${Buffer.concat(chunks)}`.slice(0, 2_000);
    const body = JSON.stringify({ message: text, documentation_url: text, errors: [{ message: text, field: text, code: text }] });
    const headers = { "content-type": "application/json", "x-echo": token, "x-github-request-id": token };
    const graphql = (one: object) => response.writeHead(200, headers).end(JSON.stringify(one));
    switch (nth++ % 12) {
      case 0:
        return void response.destroy();
      case 1:
        return void response
          .writeHead(302, { ...headers, location: `https://elsewhere.example/?${encodeURIComponent(token)}` })
          .end();
      case 2:
        return void response.writeHead(502, { "content-type": "text/html" }).end(`<p>${text}</p>`);
      case 3:
        return void graphql({ data: null, errors: [{ type: text, path: [text], message: text }] });
      case 4:
        return void graphql({ data: { viewer: text, repository: text }, errors: [] });
      case 5:
        return void response.writeHead(200, headers).end(text);
      case 6:
        return void response.writeHead(200, headers).end(`{"data": ${text}`);
      default:
        return void response.writeHead([400, 404, 410, 422, 451][nth % 5] ?? 422, headers).end(body);
    }
  };
};

const base = "/api/v1/integrations/connectors";
const json = { "content-type": "application/json" };

/** A request that fails, with canaries in all its parts. The same number gives the same request. */
function failing(nth: number): { method: string; path: string; headers: Record<string, string>; body?: string } {
  const all = Object.values(secrets);
  const secret = all[nth % all.length] ?? "";
  const good = { ...json, authorization: `Bearer ${secrets.apiKey}`, "x-organization-id": "" };
  const id = nth % 3 === 0 ? "acme" : "github";
  const execute = (body: unknown, more: Record<string, string> = {}) => ({
    method: "POST",
    path: `${base}/${id}/execute`,
    headers: { ...good, ...more },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const repository = { owner: input, repo: input };
  const client = JSON.stringify({ client_id: input, client_secret: `${input}${secret}` });
  switch (nth % 16) {
    case 0:
      return execute({ entity: "issues", action: "get", params: { ...repository, number: 1 } });
    case 1:
      return execute({ entity: "issues", action: "create", params: { ...repository, title: `${input} ${secret}` } });
    case 2:
      return execute(
        { entity: "comments", action: "create", params: { ...repository, issue_number: 1, body: input }, intent: "why" },
        { "idempotency-key": `${input}${nth}` },
      );
    case 3:
      return execute({
        entity: "issues",
        action: storeAction,
        params: { query: { filter: { like: { title: `%${input}` } } }, cursor: secret },
      });
    case 4:
      return execute({ entity: secret, action: `${input}${secret}`, params: { [secret]: secret }, [secret]: secret });
    case 5:
      return execute({
        entity: "issues",
        action: "list",
        params: { ...repository, states: [secret], [secret]: 1, fields: [secret] },
      });
    case 6:
      return execute({
        entity: "issues",
        action: storeAction,
        params: { query: { filter: { [secret]: { [secret]: secret } }, sort: [{ [secret]: secret }] } },
      });
    case 7:
      return execute(`{"entity": "${input}${secret}`);
    case 8:
      return execute({ entity: "viewer", action: "get" }, { authorization: `Bearer ${input}${secret}` });
    case 9:
      return { method: "POST", path: "/api/v1/account/applications/token", headers: json, body: client };
    case 10:
      return { method: "POST", path: "/compat/api/v1/account/applications/token", headers: json, body: client };
    case 11:
      return { method: "GET", path: `/${input}/${secret}?${input}=${secret}`, headers: good };
    case 12:
      return { method: "GET", path: `${base}?${input}=${secret}`, headers: { ...good, "x-request-id": `${input} ${secret}` } };
    case 13:
      return {
        method: "POST",
        path: `${base}/${id}/sync`,
        headers: good,
        body: JSON.stringify({ scopes: [`repository=${input}/${secret}`, secret] }),
      };
    case 14:
      return {
        method: "POST",
        path: "/admin/login",
        headers: { origin: "http://elsewhere.example", cookie: `tenon_admin=${secret}` },
        body: `key=${input}${secret}`,
      };
    default:
      return {
        method: "POST",
        path: "/mcp",
        headers: { ...good, accept: "application/json, text/event-stream" },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "tools/call",
          params: { name: "read", arguments: { connector: id, entity: secret, action: "get", params: { [secret]: input } } },
        }),
      };
  }
}

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
beforeAll(() => provider.register());
afterAll(() => provider.shutdown());

/** The canaries that stand in a text, as they are or in a form that everybody can turn back. */
function found(text: string, canaries: readonly string[]): string[] {
  return canaries.filter((one) =>
    [one, encodeURIComponent(one), Buffer.from(one).toString("base64").slice(2, -4)].some((form) => text.includes(form)),
  );
}

async function withCanaries(test: (tenon: Tenon, dataDir: string) => Promise<void>): Promise<void> {
  const platform = await startStranger(echo());
  const dataDir = newFolder();
  const store = openSqliteAccounts(dataDir);
  const keys = deriveKeys([secrets.secretKey]);
  const place = {
    workspace: "w",
    variables: [],
    kind: undefined,
    organization: undefined,
    rest: platform.url,
    graphql: `${platform.url}/graphql`,
    scopes: [],
    minutes: 60,
  };
  await addConnector(
    { store, keys, connectors, allowPrivate: false, platforms: {} },
    { connector: "github", id: "acme", ...place, variables: [], credential: { text: secrets.stored } },
  );
  await createCaller(store, keys, { kind: "client", name: "n", grant: fullGrant, expiresAt: null });
  await store.close();
  const tenon = await startTenon(
    { url: platform.url, graphqlUrl: `${platform.url}/graphql` },
    {
      dataDir,
      connectors: [unpaced],
      token: secrets.platform,
      apiKey: secrets.apiKey,
      secretKey: [secrets.secretKey],
      compatClientId: "compat",
      compatClientSecret: secrets.compat,
      embeddings: `${platform.url}/embeddings`,
      embeddingsModel: "m",
      embeddingsDimensions: 3,
      embeddingsKey: secrets.embeddings,
      admin: true,
      mcpWrites: true,
    },
  );
  try {
    await test(tenon, dataDir);
  } finally {
    await tenon.service.close();
    platform.close();
  }
}

describe("secrets", () => {
  it(
    "are in no error, log, trace, metric, audit entry or file after hundreds of calls that fail",
    () =>
      withCanaries(async (tenon, dataDir) => {
        const wrong: unknown[] = [];
        const statuses = new Map<number, number>();
        let next = 0;
        const work = async () => {
          for (let nth = next++; nth < amount; nth = next++) {
            const { path, ...init } = failing(nth);
            const response = await fetch(tenon.url + path, { ...init, redirect: "manual" });
            const text = `${JSON.stringify([...response.headers])} ${await response.text()}`;
            statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
            const told = found(text, Object.values(secrets));
            if (told.length > 0 && wrong.length < 20) wrong.push([nth % 16, response.status, told, text.slice(0, 600)]);
          }
        };
        await Promise.all(Array.from({ length: 16 }, work));
        expect(wrong).toEqual([]);
        // The calls do fail, in many ways.
        for (const status of [401, 404, 422, 502])
          expect([status, statuses.get(status) ?? 0]).toEqual([status, expect.any(Number)]);
        expect(statuses.get(502) ?? 0).toBeGreaterThan(amount / 50);
        const all = [...Object.values(secrets), input];
        const authorization = `Bearer ${secrets.apiKey}`;
        const metrics = await fetch(`${tenon.url}/metrics`, { headers: { authorization } });
        expect(["metrics", found(await metrics.text(), all)]).toEqual(["metrics", []]);
        const spans = exporter
          .getFinishedSpans()
          .map(({ name, attributes, events, status, links }) => ({ name, attributes, events, status, links }));
        expect(spans.length).toBeGreaterThan(amount / 4);
        expect(["traces", found(JSON.stringify(spans), all)]).toEqual(["traces", []]);
        await tenon.service.close();
        expect(["log", found(tenon.log.join(""), all)]).toEqual(["log", []]);
        // Requests without a caller that repeat have one line for all of them, with their number.
        const lines = tenon.log.map((line) => JSON.parse(line) as { readonly times?: number });
        expect(lines.reduce((sum, { times = 1 }) => sum + times, 0)).toBeGreaterThanOrEqual(amount);
        const accounts = openSqliteAccounts(dataDir);
        const audit = await accounts.lastAudited(amount);
        await accounts.close();
        expect(audit.length).toBeGreaterThan(amount / 4);
        expect(["audit", found(JSON.stringify(audit), all)]).toEqual(["audit", []]);
        const files = readdirSync(dataDir);
        expect(files).toEqual(expect.arrayContaining(["accounts.sqlite", "context-store.sqlite"]));
        for (const file of files) {
          const bytes = readFileSync(join(dataDir, file)).toString("latin1");
          // An idempotency key is kept as it is, for 24 hours: it is a name that the caller chose.
          const kept = file.startsWith("accounts") ? Object.values(secrets) : all;
          expect([file, found(bytes, kept)]).toEqual([file, []]);
        }
      }),
    600_000,
  );

  it(
    "are in no output of a command that fails",
    () =>
      withProcesses(async ({ start, folder }) => {
        const platform = await startStranger(echo());
        const dataDir = folder();
        const local = { GITHUB_TOKEN: secrets.platform, GITHUB_API_URL: platform.url, TENON_DATA_DIR: dataDir };
        const hosted = { TENON_URL: platform.url, TENON_API_KEY: secrets.apiKey };
        const client = { TENON_URL: platform.url, TENON_CLIENT_ID: "id", TENON_CLIENT_SECRET: secrets.compat };
        const secured = { TENON_SECRET_KEY: secrets.secretKey, TENON_DATA_DIR: dataDir };
        const issue = ["github", "issues", "get", "--owner", "o", "--repo", "r", "--number", "1"];
        const create = ["github", "issues", "create", "--owner", "o", "--repo", "r", "--title", "t"];
        const cases: [Record<string, string>, string[]][] = [
          ...[local, hosted, client].flatMap((env): [Record<string, string>, string[]][] => [
            [env, issue],
            [env, create],
            [env, ["github", "labels", "list", "--owner", "o", "--repo", "r", "--all"]],
            [env, ["execute", "github", "issues", "list", "{"]],
            [env, ["search", "github", "issues", "--filter", "{"]],
          ]),
          [local, ["sync", "github", "--scope", "repository=o/r"]],
          [local, ["sync", "github", "--status"]],
          [{ ...local, GITHUB_TOKEN: `${secrets.platform} x` }, issue],
          [{ ...local, GITHUB_API_URL: `http://user:${secrets.compat}@127.0.0.1:1` }, issue],
          [{ ...local, TENON_API_KEY: `${secrets.apiKey} x` }, ["serve"]],
          [{ ...local, TENON_DATA_DIR: "/dev/null/x" }, ["serve"]],
          [{ ...secured, TENON_SECRET_KEY: `${secrets.secretKey} x` }, ["key", "list"]],
          [{ ...secured, TENON_SECRET_KEY: secrets.secretKey.slice(0, 31) }, ["serve"]],
          [secured, ["key", "revoke", "nothing"]],
          [secured, ["client", "rotate", "nothing"]],
          [secured, ["connector", "add", "nothing", "--id", "x"]],
          [secured, ["connector", "add", "github", "--id", "x y", "--credential-file", "/nowhere"]],
          [
            {
              ...local,
              TENON_EMBEDDINGS: `https://user:${secrets.embeddings}@x`,
              TENON_EMBEDDINGS_KEY: `${secrets.embeddings} x`,
            },
            ["serve"],
          ],
          [{ TENON_COMPAT_CLIENT_SECRET: secrets.compat, TENON_DATA_DIR: dataDir }, ["serve"]],
        ];
        // Some answers of the platform pass for good ones, so that a few commands may succeed.
        let failed = 0;
        const run = async ([env, args]: (typeof cases)[number]) => {
          const running = start(env, args);
          const code = await running.exit;
          if (code !== 0) failed++;
          return [args.join(" "), found(running.out() + running.err(), Object.values(secrets))];
        };
        const told: unknown[] = [];
        for (let at = 0; at < cases.length; at += 3) told.push(...(await Promise.all(cases.slice(at, at + 3).map(run))));
        platform.close();
        expect(told).toEqual(cases.map(([, args]) => [args.join(" "), []]));
        expect(failed).toBeGreaterThan(cases.length / 2);
      }),
    600_000,
  );
});
