import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { add, list, remove, rotate, test as testWebhook } from "../../../runtime/cli/operator/webhooks.ts";
import { proposals, reject } from "../../../runtime/cli/policy/proposals.ts";
import * as subscription from "../../../runtime/cli/subscription/subscription.ts";
import { onTerminal, toProgram } from "../../support/command-output.ts";
import { type Reply, tinyService } from "../../support/tiny-service.ts";

// Commands that only a service can carry out.

let service: Awaited<ReturnType<typeof tinyService>>;
let reply: Reply;
const answer = (data: unknown): void => {
  reply = { body: { data, meta: {} } };
};
const asked = () => service.requests.map(({ method, path, body }) => [method, path, body]);

beforeEach(async () => {
  service = await tinyService(({ path }) =>
    path.endsWith("/applications/token") ? { body: { access_token: "of-a-client", expires_in: 3600 } } : reply,
  );
  vi.stubEnv("TENON_URL", service.url);
  vi.stubEnv("TENON_API_KEY", "a-key-of-an-operator");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await service.close();
});

const config = undefined;
const scope = "repository=octocat/hello-world";
const path = "/api/v1/integrations/connectors/github/webhooks";
const ofScope = `${path}/${encodeURIComponent(scope)}`;

describe("tenon webhook", () => {
  const flags = { scope, config };
  const done = { scope, status: "done", enter: null };
  const enter = {
    where: "Settings, Webhooks",
    url: "https://tenon.example/hook",
    secret: "tenon_webhook_1",
    reason: "no permission",
  };

  it.each([
    ["add", add, "the webhook was added", ["POST", path, { scope }]],
    ["rotate", rotate, "the webhook has a new secret", ["POST", `${ofScope}/rotate`, undefined]],
    ["remove", remove, "the webhook was removed", ["DELETE", ofScope, undefined]],
  ])("%s says on a terminal what was done", async (_, command, text, request) => {
    answer(done);
    expect(await onTerminal(() => command.run(["github"], flags))).toMatchObject({ status: 0, lines: [`${scope}: ${text}.`] });
    expect(asked()).toEqual([request]);
    expect(service.requests[0]?.headers.authorization).toBe("Bearer a-key-of-an-operator");
  });

  it("says what a person has to enter on the platform, with the secret where there is one", async () => {
    answer({ ...done, status: "enter", enter });
    const { lines } = await onTerminal(() => add.run(["github"], flags));
    expect([lines[0], ...lines.slice(1).map((line) => line.split(/ {2,}/))]).toEqual([
      `${scope}: this has to be done on the platform (no permission).`,
      ["where", "url", "secret"],
      [enter.where, enter.url, enter.secret],
    ]);
    answer({ ...done, status: "enter", enter: { ...enter, secret: null } });
    expect((await onTerminal(() => remove.run(["github"], flags))).lines.at(-1)).toMatch(/hook +-$/);
  });

  it("gives a program the response as it is", async () => {
    answer({ ...done, status: "enter", enter });
    const { lines } = await toProgram(() => add.run(["github"], flags));
    expect(lines.map((line) => JSON.parse(line))).toEqual([{ ...done, status: "enter", enter }]);
  });

  it("list prints a table, or says that there is none", async () => {
    answer([{ scope, status: "active" }]);
    expect((await onTerminal(() => list.run(["github"], { config }))).lines).toEqual([
      "scope                           status",
      `${scope}  active`,
    ]);
    answer([]);
    expect(await onTerminal(() => list.run(["github"], { config }))).toMatchObject({
      status: 0,
      lines: ["No webhook was added."],
    });
  });

  it.each([
    ["accepted", 0],
    ["timeout", 70],
  ])("test of a delivery that is %s ends with %i", async (outcome, status) => {
    answer({ scope, outcome });
    expect(await toProgram(() => testWebhook.run(["github"], flags))).toMatchObject({
      status,
      text: `{"scope":"${scope}","outcome":"${outcome}"}\n`,
    });
  });

  it("takes the id and the secret of a client instead of a key, and is refused without either", async () => {
    vi.stubEnv("TENON_API_KEY", "");
    await expect(toProgram(() => list.run(["github"], { config }))).rejects.toMatchObject({ code: "unauthorized" });
    expect(asked()).toEqual([]);
    vi.stubEnv("TENON_CLIENT_ID", "client-1");
    vi.stubEnv("TENON_CLIENT_SECRET", "secret-1");
    answer([]);
    await toProgram(() => list.run(["github"], { config }));
    expect(service.requests[0]?.body).toEqual({ client_id: "client-1", client_secret: "secret-1" });
    expect(service.requests[1]?.headers.authorization).toBe("Bearer of-a-client");
  });

  it("is refused where the settings name no service", async () => {
    vi.stubEnv("TENON_URL", "");
    await expect(toProgram(() => list.run(["github"], { config }))).rejects.toMatchObject({
      exit: 64,
      message: "set TENON_URL to the service, and TENON_API_KEY to a key with the right admin",
    });
  });
});

describe("tenon proposals", () => {
  const proposal = {
    id: "prop_1",
    state: "pending",
    connector_id: "github",
    entity: "issues",
    action: "update",
    proposed_by: { id: "key_1", name: "agent" },
    intent: null,
    reason: null,
    expires_at: "2026-01-31T10:30:00.000Z",
    params: { number: 1 },
    changes: [{ field: "title", from: "a", to: "b" }],
    outcome: null,
  };

  it("prints one with what it would change", async () => {
    answer(proposal);
    const { status, lines } = await onTerminal(() => proposals.run(["prop_1"], { config, state: undefined }));
    expect([status, ...lines]).toEqual([
      0,
      "prop_1: pending, issues.update on github",
      "proposed by agent (key_1), until 2026-01-31T10:30:00.000Z",
      'request: {"number":1}',
      'title: "a" → "b"',
    ]);
    expect(asked()).toEqual([["GET", "/api/v1/proposals/prop_1", undefined]]);
  });

  it("prints the one that was rejected", async () => {
    answer({ ...proposal, state: "rejected" });
    const { status, text } = await toProgram(() => reject.run(["prop_1"], { config }));
    expect([status, JSON.parse(text)]).toEqual([0, { ...proposal, state: "rejected" }]);
    expect(asked()).toEqual([["POST", "/api/v1/proposals/prop_1/reject", undefined]]);
  });
});

describe("tenon subscription", () => {
  const content = { config, url: "https://receiver.example/", entity: [], fields: [], filter: undefined };

  it("add sends the filter and the place where delivery begins", async () => {
    answer({ id: "sub_1" });
    const flags = { ...content, entity: ["issues"], filter: '{"eq":{"state":"OPEN"}}', cursor: "c1" };
    expect(await onTerminal(() => subscription.add.run(["github"], flags))).toMatchObject({
      status: 0,
      text: '{"id":"sub_1"}\n',
    });
    expect(service.requests[0]?.body).toEqual({
      connector_id: "github",
      url: content.url,
      entity: ["issues"],
      filter: { eq: { state: "OPEN" } },
      cursor: "c1",
    });
  });

  it("list shows what each one sends where, how far it is and why it has stopped", async () => {
    const one = {
      id: "sub_1",
      connector_id: "github",
      entity: ["issues"],
      url: content.url,
      state: "active",
      reason: null,
      position: 7,
      failures: 2,
      last_outcome: "failed",
      last_delivery_at: "2026-11-24T08:00:00.000Z",
    };
    answer([one, { ...one, id: "sub_2", state: "stopped", reason: "receiver_gone" }]);
    const { text } = await toProgram(() => subscription.list.run([], { config }));
    const row = {
      id: "sub_1",
      state: "active",
      connector: "github",
      entity: ["issues"],
      url: content.url,
      position: 7,
      failures: 2,
      last: "failed",
      at: one.last_delivery_at,
    };
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([row, { ...row, id: "sub_2", state: "stopped (receiver_gone)" }]);
  });

  it("rotate takes a number of hours, and nothing else", async () => {
    answer({ id: "sub_1" });
    await toProgram(() => subscription.rotate.run(["sub_1"], { config, overlap: "2" }));
    expect(asked()).toEqual([["POST", "/api/v1/subscriptions/sub_1/rotate", { overlap_hours: 2 }]]);
    await expect(toProgram(() => subscription.rotate.run(["sub_1"], { config, overlap: "2h" }))).rejects.toMatchObject({
      exit: 64,
      message: "--overlap must be a number of hours",
    });
    expect(service.requests).toHaveLength(1);
  });

  it("redeliver names deliveries by number or by id", async () => {
    answer({ id: "sub_1" });
    await toProgram(() => subscription.redeliver.run(["sub_1", "7", "msg_9"], { config }));
    await toProgram(() => subscription.redeliver.run(["sub_1", "msg_7"], { config }));
    expect(service.requests.map(({ body }) => body)).toEqual([{ from: 7, to: "msg_9" }, { from: "msg_7" }]);
  });
});
