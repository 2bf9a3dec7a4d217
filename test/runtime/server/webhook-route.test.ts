import { createHmac } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import express from "express";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { github } from "../../../generated/github/index.ts";
import { linear } from "../../../generated/linear/index.ts";
import type { HintStore, VerifiedDelivery } from "../../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { createLog } from "../../../runtime/base/log.ts";
import { requestLimits } from "../../../runtime/base/request-limits.ts";
import { Answers } from "../../../runtime/server/answers.ts";
import { Gate } from "../../../runtime/server/gate.ts";
import { problemHandler } from "../../../runtime/server/problem.ts";
import { type DeliveryOutcome, type Webhooks, webhookRoute } from "../../../runtime/server/routes/webhook-route.ts";
import { WebhookInbox } from "../../../runtime/webhooks/index.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { longestParsed } from "../../support/parsed-here.ts";
import { standIn } from "../../support/shaped.ts";

// The route of deliveries of platforms, without the service around it.

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Serves the route. @returns its address, and how many requests have come in */
async function serve(webhooks: Webhooks) {
  const state = { came: 0 };
  const app = express();
  app.use((_request, response, next) => {
    state.came++;
    response.locals["requestId"] = "r";
    next();
  });
  app.post("/:connectorId/webhook", ...webhookRoute(webhooks, new Gate(1_000), new Answers(1)));
  app.use(problemHandler(createLog("error", (text) => text, { write: () => undefined })));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, came: () => state.came };
}

const never = () => Promise.reject(new Error("nothing is proved"));

it("looks up few secrets at once, however many deliveries of nobody known come in", async () => {
  const waiting: (() => void)[] = [];
  let looked = 0;
  const { url, came } = await serve({
    inbox: new WebhookInbox(standIn<HintStore>({ addHints: never }), () => undefined),
    secrets: async () => {
      looked++;
      await new Promise<void>((resolve) => waiting.push(resolve));
      return [];
    },
    find: async () => undefined,
    state: async () => undefined,
    count: () => undefined,
  });
  const sent = Array.from({ length: 5 }, (_, at) => fetch(`${url}/c${at}/webhook?scope=x`, { method: "POST" }));
  await vi.waitFor(() => expect(came()).toBe(5), { timeout: 60_000 });
  expect(looked).toBe(2);
  for (let ended = 0; ended < 5; ended++) {
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), { timeout: 60_000 });
    waiting.shift()?.();
  }
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  expect(looked).toBe(5);
});

const secret = "a-secret-of-the-route-tests";
const connectors = { github, linear, figma } as const;
const dataDir = mkdtempSync(join(tmpdir(), "tenon-route-"));
let accounts: ReturnType<typeof openSqliteAccounts>;
beforeAll(() => {
  accounts = openSqliteAccounts(dataDir);
});
afterAll(async () => {
  await accounts.close();
  rmSync(dataDir, { recursive: true });
});

interface Sent {
  readonly to?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Serves all connectors with webhooks. @param store where deliveries are stored */
async function open(store: Pick<HintStore, "addHints"> = accounts) {
  const counted: DeliveryOutcome[] = [];
  const { url } = await serve({
    inbox: new WebhookInbox(standIn<HintStore>(store), () => undefined),
    secrets: async (id) => (Object.hasOwn(connectors, id) ? [secret] : []),
    find: async (id) => {
      const connector = new Map(Object.entries(connectors)).get(id);
      return connector && { ...fakeInstance(() => ({}), "token-of-the-test", connector).instance, id };
    },
    state: async () => undefined,
    count: (_connector, outcome) => counted.push(outcome),
  });
  const deliver = async (body: string, { to = "github", key = secret, headers = {} }: Sent = {}) => {
    const code = createHmac("sha256", key).update(body).digest("hex");
    const usual = { "content-type": "application/json", "x-hub-signature-256": `sha256=${code}`, "linear-signature": code };
    const response = await fetch(`${url}/${to}/webhook`, { method: "POST", body, headers: { ...usual, ...headers } });
    return { status: response.status, body: (await response.json()) as { readonly data?: { readonly status: string } } };
  };
  return { deliver, counted };
}

/** Counts the deliveries that are stored. */
function counting(): { readonly store: Pick<HintStore, "addHints">; readonly stored: VerifiedDelivery[] } {
  const stored: VerifiedDelivery[] = [];
  const addHints: HintStore["addHints"] = async (deliveries) => {
    stored.push(...deliveries);
    return deliveries.map(() => true);
  };
  return { store: { addHints }, stored };
}

describe("a delivery that proves nothing", () => {
  it("gets 401 and nothing else, whatever is wrong with it, and leaves nothing", async () => {
    const { store, stored } = counting();
    const { deliver, counted } = await open(store);
    const body = JSON.stringify({ action: "edited", issue: { node_id: "I_1", number: 1 } });
    const ofLinear = (at: unknown) => JSON.stringify({ action: "update", webhookTimestamp: at, data: { id: "i", teamId: "t" } });
    const refused = [
      await deliver(body, { headers: { "x-hub-signature-256": "" } }),
      await deliver(body, { headers: { "x-hub-signature-256": "sha1=x" } }),
      await deliver(body, { key: "another-secret-than-that" }),
      await deliver(body, { to: "nobody" }),
      await deliver(body, { to: "__proto__" }),
      await deliver(ofLinear(Date.now() - 61_000), { to: "linear" }),
      await deliver(ofLinear(Date.now() + 61_000), { to: "linear" }),
      await deliver(ofLinear(undefined), { to: "linear" }),
      await deliver(ofLinear(Date.now()), { to: "linear", key: "another-secret-than-that" }),
      await deliver(JSON.stringify({ event_type: "FILE_UPDATE", passcode: "another-secret-than-that" }), { to: "figma" }),
      await deliver(JSON.stringify({ event_type: "FILE_UPDATE" }), { to: "figma" }),
      await deliver("{", { to: "figma" }),
    ];
    const [first] = refused;
    expect(first).toEqual({
      status: 401,
      body: {
        type: "/docs/errors/unauthorized",
        title: expect.any(String),
        status: 401,
        detail: "The delivery has no valid signature.",
        instance: "r",
        code: "unauthorized",
        message: "The delivery has no valid signature.",
        retryable: false,
        what_to_do: expect.any(String),
        errors: [],
      },
    });
    for (const one of refused) expect(one).toEqual(first);
    expect(stored).toEqual([]);
    expect(counted).toEqual(refused.map(() => "refused"));
  });
});

describe("a delivery that is sent again", () => {
  it("is taken once while it is young enough, reads nothing else under another id, and is refused later", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      const { deliver } = await open();
      const body = JSON.stringify({ action: "update", webhookTimestamp: Date.now(), data: { id: "i", teamId: "t" } });
      const send = async (id: string) => {
        const headers = { "linear-event": "Issue", "linear-delivery": id };
        const { status, body: answer } = await deliver(body, { to: "linear", headers });
        return answer.data?.status ?? status;
      };
      expect([await send("d1"), await send("d1")]).toEqual(["accepted", "duplicate"]);
      const waiting = async () => (await accounts.waitingHints()).filter(({ instance }) => instance === "linear");
      const before = await waiting();
      // The id is not signed. Under another one, the same is waiting to be read.
      vi.setSystemTime(Date.now() + 59_000);
      expect([await send("d1"), await send("d2")]).toEqual(["duplicate", "accepted"]);
      expect(await waiting()).toEqual(before);
      vi.setSystemTime(Date.now() + 2_000);
      expect([await send("d1"), await send("d3")]).toEqual([401, 401]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a delivery that proves itself", () => {
  it("gets 202 when it is stored, and not before, and an error where it cannot be stored", async () => {
    const storing = Promise.withResolvers<boolean[]>();
    const begun = Promise.withResolvers<void>();
    const { deliver } = await open({
      addHints: () => {
        begun.resolve();
        return storing.promise;
      },
    });
    let isAnswered = false;
    const sent = deliver("{}").then((answer) => {
      isAnswered = true;
      return answer;
    });
    await begun.promise;
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    storing.resolve([true]);
    expect((await sent).status).toBe(202);
    const failing = await open({ addHints: () => Promise.reject(new Error("the disk is full")) });
    expect((await failing.deliver("{}")).status).toBe(500);
  });

  it("is parsed by another thread where it is large, and has limits of its own", async () => {
    const { store, stored } = counting();
    const { deliver } = await open(store);
    const labels = Array.from({ length: 2_000 }, (_, at) => ({ name: `label ${at} ${"x".repeat(1_000)}` }));
    const body = JSON.stringify({
      issue: { node_id: "I_1", number: 1, labels },
      repository: { full_name: "octocat/hello-world" },
    });
    const parsed = await longestParsed(async () => {
      const answer = await deliver(body, { headers: { "x-github-event": "issues" } });
      expect(answer.body).toMatchObject({ data: { status: "accepted" } });
    });
    expect([body.length > requestLimits.body, parsed < body.length / 10]).toEqual([true, true]);
    expect(stored[0]?.hints.map(({ key }) => key)).toEqual(["I_1"]);
    expect((await deliver(" ".repeat(requestLimits.webhook + 1))).status).toBe(413);
    const values = await deliver(`[${"0,".repeat(requestLimits.webhookValues)}0]`);
    expect(values).toMatchObject({ status: 413, body: { message: "The body has more values than can be read." } });
    expect(stored).toHaveLength(1);
  });

  it("is accepted, or ignored by name, for each example that GitHub publishes", async () => {
    const { deliver, counted } = await open();
    const groups: readonly { readonly name: string; readonly examples: readonly object[] }[] = createRequire(import.meta.url)(
      "@octokit/webhooks-examples/api.github.com/index.json",
    );
    const all = groups.flatMap(({ name, examples }) => examples.map((example, at) => ({ name, id: `${name} ${at}`, example })));
    expect(all.length).toBeGreaterThanOrEqual(270);
    const sent = all.map(async ({ name, id, example }) => {
      const { status, body } = await deliver(JSON.stringify(example), {
        headers: { "x-github-event": name, "x-github-delivery": id },
      });
      return [name, status, body.data?.status];
    });
    const outcomeOf = (name: string) => (Object.hasOwn(github.webhooks?.events ?? {}, name) ? "accepted" : "ignored");
    expect(await Promise.all(sent)).toEqual(all.map(({ name }) => [name, 202, outcomeOf(name)]));
    expect(new Set(counted)).toEqual(new Set(["accepted", "ignored"]));
  });
});
