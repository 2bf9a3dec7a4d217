import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { createCaller, deriveKeys, fullGrant, type Grant, revokeCaller } from "../../runtime/accounts/index.ts";
import { WebhookSubscriptions } from "../../runtime/client/subscriptions.ts";
import type { WebhookSubscription } from "../../runtime/contract/index.ts";
import { SqliteStore } from "../../runtime/store/sqlite/sqlite-store.ts";
import { openReceiver, type Received } from "../support/receiver.ts";
import { shaped } from "../support/shaped.ts";
import { withAccounts } from "./support/accounts.ts";
import { act, ask, logIn, page } from "./support/admin.ts";
import { hello, plansOf } from "./support/cache.ts";
import { withProcesses } from "./support/process.ts";
import { apiKey, bad, good, useTenon } from "./support/service.ts";

// Webhooks to receivers of callers, from a commit in the store to a verified delivery. The store is written as another process does it.

const secretKey = ["canary-secret-key-of-the-subscription-tests"];
const dataDir = mkdtempSync(join(tmpdir(), "tenon-subscriptions-"));
const at = useTenon({ secretKey, dataDir, allowPrivateAddresses: true, admin: true });
const path = "/api/v1/subscriptions";
const issues = { connector: "github", instance: "github", entity: "issues", scope: hello };

let store: SqliteStore;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let run = 0;
beforeAll(async () => {
  store = new SqliteStore({ dataDir, plans: plansOf(github), readers: 1 });
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await store.close();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.respond(() => 204);
});

const issue = (id: string, more: object = {}) => ({ id, number: 1, title: `Title of ${id}`, state: "open", ...more });
const save = (...records: readonly ReturnType<typeof issue>[]) =>
  store.save(issues, { records, checkpoint: { run: ++run, full: true, step: 0 } });

type Headers = Readonly<Record<string, string>>;
const operator: Headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
const send = (method: string, address: string, body?: object, headers = operator) =>
  at.tenon.send(method, address, body === undefined ? undefined : JSON.stringify(body), headers);
const dataOf = (reply: Awaited<ReturnType<typeof send>>) =>
  shaped<WebhookSubscription & { readonly secret: string }>(good(reply)["data"]);
const get = async (id: string) => dataOf(await send("GET", `${path}/${id}`));

/** Subscribes, and unsubscribes everything that was there before. */
async function subscribe(more: object = {}, headers = operator) {
  for (const { id } of shaped<WebhookSubscription[]>(good(await send("GET", path))["data"] ?? []))
    await send("DELETE", `${path}/${id}`);
  const reply = await send("POST", path, { connector_id: "github", url: receiver.url, ...more }, headers);
  expect([reply.status, reply.body]).toMatchObject([201, { data: { state: "active" } }]);
  const { id, secret } = shaped<{ readonly id: string; readonly secret: string }>(reply.body["data"]);
  return { id, secret };
}
const keys = () => receiver.received.map(({ body: { data } }) => String(data.key["id"]));
const idOf = ({ headers }: Received) => String(headers["webhook-id"]);
/** Waits until the place behind all that came is stored. */
const stored = async (id: string) => {
  const last = Math.max(...receiver.received.map(({ body }) => body.data.sequence));
  await expect.poll(async () => (await get(id)).position).toBeGreaterThan(last);
};

async function make(grant: Partial<Grant>) {
  const given = { kind: "key", name: "n", grant: { ...fullGrant, ...grant }, expiresAt: null } as const;
  const { caller, secret } = await withAccounts(dataDir, (accounts) => createCaller(accounts, deriveKeys(secretKey), given));
  return {
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    revoke: () => withAccounts(dataDir, (accounts) => revokeCaller(accounts, "key", caller.id)),
  };
}

describe("a subscription", () => {
  it("delivers changes that an independent verifier accepts, and no others", async () => {
    await save(issue("before"));
    const { id, secret } = await subscribe({ entity: "issues", fields: ["title"], filter: { eq: { state: "open" } } });
    await save(issue("a"), issue("closed", { state: "closed" }));
    await expect.poll(keys).toEqual(["a"]);
    const [one] = receiver.received;
    if (one === undefined) throw new Error("nothing came");
    const webhook = new Webhook(secret);
    expect(webhook.verify(one.text, one.headers)).toMatchObject({
      type: "record.created",
      data: { subscription_id: id, connector_id: "github", kind: "created", key: { id: "a" }, record: { title: "Title of a" } },
    });
    const old = { ...one.headers, "webhook-timestamp": String(Number(one.headers["webhook-timestamp"]) - 600) };
    for (const [text, headers] of [
      [one.text.replace("Title", "Other"), one.headers],
      [one.text, { ...one.headers, "webhook-id": "evt_other" }],
      [one.text, old],
    ] as const)
      expect(() => webhook.verify(text, headers)).toThrow();
    expect(() => new Webhook(Buffer.from("x".repeat(32)).toString("base64")).verify(one.text, one.headers)).toThrow();
    await stored(id);
    expect(await get(id)).toMatchObject({
      last_outcome: "204",
      failures: 0,
      entity: ["issues"],
      filter: { eq: { state: "open" } },
    });
  });

  it("delivers each record's changes in order, and goes on where a failure was", async () => {
    const { id } = await subscribe();
    let refused = 0;
    receiver.respond(({ body }) => (body.data.key["id"] === "r2" && refused++ === 0 ? 500 : 200));
    await save(issue("r1"), issue("r2"), issue("r3"));
    await save(issue("r1", { title: "1" }), issue("r2", { title: "2" }));
    await expect.poll(async () => (await get(id)).failures).toBe(1);
    const failing = await get(id);
    expect(failing).toMatchObject({ state: "active", last_outcome: "500", failing_since: expect.any(String) });
    const before = receiver.received.map(({ body }) => body.data);
    // Behind the failed change of a record, nothing of it is delivered.
    expect(before.filter(({ key }) => key["id"] === "r2").map(({ kind }) => kind)).toEqual(["created"]);
    await send("PATCH", `${path}/${id}`, { state: "active" });
    await expect
      .poll(() => new Set(receiver.received.map(({ body }) => `${body.data.kind} ${body.data.key["id"]}`)).size)
      .toBe(5);
    for (const record of ["r1", "r2", "r3"]) {
      const own = receiver.received.filter(({ body }) => body.data.key["id"] === record);
      const first = [...new Map(own.map((one) => [idOf(one), one.body.data.kind])).values()];
      expect(first).toEqual(record === "r3" ? ["created"] : ["created", "updated"]);
    }
  });

  it("is disabled after a day of failures, or by a receiver that is gone, and says so", async () => {
    const { id } = await subscribe();
    receiver.respond(() => ({ status: 302, headers: { location: `${receiver.url}/other` } }));
    await save(issue("d1"));
    await expect.poll(async () => (await get(id)).failures).toBe(1);
    expect(receiver.received).toHaveLength(1);
    await withAccounts(dataDir, (accounts) => accounts.changeSubscription(id, { failures: 10, dueAt: 0 }));
    await expect.poll(async () => (await get(id)).state).toBe("disabled");
    expect(await get(id)).toMatchObject({ reason: "receiver_failed", last_outcome: "302", next_attempt_at: null });
    const gone = await subscribe();
    receiver.respond(() => 410);
    await save(issue("d2"));
    await expect.poll(async () => (await get(gone.id)).reason).toBe("receiver_gone");
    expect(at.tenon.log.join("")).toContain("delivers nothing any longer");
    const audited = await withAccounts(dataDir, (accounts) => accounts.audited(0, 0, 1_000));
    expect(audited).toContainEqual(
      expect.objectContaining({ action: "subscription.stop", target: gone.id, outcome: "receiver_gone", caller: "operator" }),
    );
  });

  it("signs with both secrets after a rotation", async () => {
    const { id, secret } = await subscribe();
    const rotated = dataOf(await send("POST", `${path}/${id}/rotate`, {}));
    await save(issue("s1"));
    await expect.poll(keys).toEqual(["s1"]);
    const last = dataOf(await send("POST", `${path}/${id}/rotate`, { overlap_hours: 0 }));
    await save(issue("s2"));
    await expect.poll(keys).toEqual(["s1", "s2"]);
    const [one, two] = receiver.received;
    const verifies = (given: string, received: Received | undefined) => {
      try {
        return new Webhook(given).verify(received?.text ?? "", received?.headers ?? {}) !== undefined;
      } catch {
        return false;
      }
    };
    const secrets = [secret, rotated.secret, last.secret];
    expect(secrets.map((given) => verifies(given, one))).toEqual([true, true, false]);
    expect(secrets.map((given) => verifies(given, two))).toEqual([false, false, true]);
    for (const given of secrets) expect(at.tenon.log.join("")).not.toContain(given);
    bad(await send("POST", `${path}/${id}/rotate`, { overlap_hours: 1000, x: 1 }), 422, "invalid_request");
  });

  it("delivers once more what is asked for, with the same ids", async () => {
    const { id } = await subscribe();
    await save(issue("t1"), issue("t2"), issue("t3"));
    await expect.poll(() => receiver.received.length).toBe(3);
    await stored(id);
    const ids = receiver.received.map(idOf);
    receiver.received.length = 0;
    const sorted = [...ids].sort();
    dataOf(await send("POST", `${path}/${id}/redeliver`, { from: sorted[1], to: sorted[1] }));
    await expect.poll(() => receiver.received.map(idOf)).toEqual([sorted[1]]);
    await expect.poll(async () => (await get(id)).redelivery).toBe(null);
    dataOf(await send("POST", `${path}/${id}/redeliver`, { from: sorted[1] }));
    await expect.poll(() => receiver.received.map(idOf).slice(1).sort()).toEqual(sorted.slice(1));
    await expect.poll(async () => (await get(id)).redelivery).toBe(null);
    const cursors = new Map(receiver.received.map((one) => [idOf(one), String(one.body.data["cursor"])]));
    receiver.received.length = 0;
    dataOf(await send("POST", `${path}/${id}/redeliver`, { from: cursors.get(sorted[1] ?? "") }));
    await expect.poll(() => receiver.received.map(idOf)).toEqual(sorted.slice(2));
    for (const from of ["evt_x_1_sub_y", "no cursor", cursors.get(sorted[1] ?? "")?.slice(4)])
      bad(await send("POST", `${path}/${id}/redeliver`, { from }), 422, "invalid_request");
  });

  it("reports changes that the log has lost", async () => {
    const { id } = await subscribe();
    await send("PATCH", `${path}/${id}`, { state: "paused" });
    const small = new SqliteStore({ dataDir, plans: plansOf(github), readers: 1, changeRetention: { time: 1e9, entries: 1 } });
    for (const name of ["u1", "u2", "u3"])
      await small.save(issues, { records: [issue(name)], checkpoint: { run: ++run, full: true, step: 0 } });
    await small.close();
    await send("PATCH", `${path}/${id}`, { state: "active" });
    await expect.poll(() => receiver.received.map(({ body }) => body.type)).toEqual(["changes.truncated"]);
    await save(issue("u4"));
    await expect.poll(() => receiver.received.slice(1).map(({ body }) => body.data.key["id"])).toEqual(["u4"]);
  });

  it("delivers only what its owner may read now, and stops with the owner", async () => {
    const narrow = await make({ rights: ["read"], entities: ["branches"] });
    await subscribe({}, narrow.headers);
    const other = await subscribeToo();
    await save(issue("v1"));
    await expect.poll(keys).toEqual(["v1"]);
    expect(receiver.received[0]?.body.data["subscription_id"]).toBe(other);
    const key = await make({ rights: ["read"] });
    const { id } = await subscribe({}, key.headers);
    bad(await send("GET", `${path}/${id}`, undefined, narrow.headers), 404, "unknown_subscription");
    await key.revoke();
    await save(issue("v2"));
    await expect.poll(async () => (await get(id)).state).toBe("paused");
    expect([(await get(id)).reason, keys()]).toEqual(["owner_revoked", ["v1"]]);
    bad(await send("POST", `${path}/${id}/rotate`, {}), 403, "forbidden");
    bad(
      await send("POST", path, { connector_id: "github", url: receiver.url, entity: "issues" }, narrow.headers),
      403,
      "forbidden",
    );
    const writer = await make({ rights: ["write"] });
    bad(await send("GET", path, undefined, writer.headers), 403, "forbidden");
  });

  /** Subscribes as the operator beside what there is. */
  async function subscribeToo(): Promise<string> {
    const reply = await send("POST", path, { connector_id: "github", url: receiver.url });
    return String(shaped<WebhookSubscription>(reply.body["data"]).id);
  }

  it("does not wait for another one whose receiver does not respond", async () => {
    const slow = await openReceiver();
    const hanging = Promise.withResolvers<number>();
    slow.respond(() => hanging.promise);
    await subscribe({ url: slow.url });
    await subscribeToo();
    await save(issue("w1"));
    await expect.poll(keys).toEqual(["w1"]);
    await save(issue("w2"));
    await expect.poll(keys).toEqual(["w1", "w2"]);
    hanging.resolve(200);
    await expect.poll(() => slow.received.length).toBe(2);
    await slow.close();
  });

  it("leaves out a record that makes a delivery too large", async () => {
    await subscribe({ entity: "issues", fields: ["title"] });
    await save(issue("large", { title: "x".repeat(300_000) }));
    await expect.poll(keys).toEqual(["large"]);
    expect(receiver.received[0]?.body.data).toMatchObject({ record_omitted: true, kind: "created" });
    expect(receiver.received[0]?.body.data["record"]).toBeUndefined();
  });

  it("exists for others with the right admin only where they may see all that it sends", async () => {
    const { id } = await subscribe({ entity: "issues" });
    const admin = { rights: ["read", "admin"] } as const;
    const visible = async (grant: Partial<Grant>) => {
      const { headers } = await make({ ...admin, ...grant });
      const listed = shaped<readonly WebhookSubscription[]>(good(await send("GET", path, undefined, headers))["data"]);
      const { status } = await send("GET", `${path}/${id}`, undefined, headers);
      return [listed.map((one) => one.id), status];
    };
    for (const grant of [{}, { instances: ["github"] }, { entities: ["issues"] }])
      expect(await visible(grant)).toEqual([[id], 200]);
    for (const grant of [{ instances: ["linear"] }, { entities: ["branches"] }, { organization: "acme" }])
      expect(await visible(grant)).toEqual([[], 404]);
    // One of all entities sends those too that this caller may not read.
    const all = await subscribe();
    expect(await visible({ entities: ["issues"] })).toEqual([[], 404]);
    await send("DELETE", `${path}/${all.id}`);
  });

  it("is managed on the operator's page", async () => {
    await subscribe();
    const { cookie } = await logIn(at.tenon);
    const form = {
      connector_id: "github",
      url: receiver.url,
      entity: "issues",
      filter: '{"eq":{"state":"open"}}',
      fields: '["title"]',
    };
    const wrong = await ask(at.tenon, cookie, "subscription.create", { ...form, filter: "{", url: "ftp://x" });
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("filter must be JSON")]);
    expect((await ask(at.tenon, cookie, "subscription.create", { ...form, entity: "isues" })).status).toBe(422);
    const made = await act(at.tenon, cookie, "subscription.create", form);
    const secret = /<pre class="secret"[^>]*>(whsec_[^<]+)<\/pre>/.exec(made.text)?.[1] ?? "";
    const id = /\((sub_\w+)\)/.exec(made.text)?.[1] ?? "";
    await save(issue("y1"), issue("y2", { state: "closed" }));
    const own = () => receiver.received.filter(({ body }) => body.data["subscription_id"] === id);
    await expect.poll(() => own().map(({ body }) => body.data.key["id"])).toEqual(["y1"]);
    await stored(id);
    const [first] = own();
    expect(new Webhook(secret).verify(first?.text ?? "", first?.headers ?? {})).toBeTruthy();
    await act(at.tenon, cookie, "subscription.redeliver", { id, from: first === undefined ? "" : idOf(first), to: "" });
    await expect.poll(() => own().length).toBe(2);
    expect((await act(at.tenon, cookie, "subscription.rotate", { id })).text).toContain("whsec_");
    await act(at.tenon, cookie, "subscription.update", { id, url: receiver.url, entity: "", filter: "", fields: "" });
    expect(await get(id)).not.toHaveProperty("filter");
    await act(at.tenon, cookie, "subscription.pause", { id });
    expect(await page(at.tenon, apiKey, "/admin/subscriptions")).toMatch(/paused \(by_owner\)[\s\S]*Resume/);
    await act(at.tenon, cookie, "subscription.resume", { id });
    receiver.respond(() => 410);
    await save(issue("y3"));
    await expect.poll(async () => (await get(id)).state).toBe("disabled");
    const broken = /id="broken"[\s\S]*?<\/section>/.exec(await page(at.tenon))?.[0];
    expect(broken).toMatch(new RegExp(`A webhook to a receiver has ended[\\s\\S]*${id}[\\s\\S]*receiver_gone`));
    await act(at.tenon, cookie, "subscription.delete", { id });
    bad(await send("GET", `${path}/${id}`), 404, "unknown_subscription");
    const audited = (await withAccounts(dataDir, (accounts) => accounts.lastAudited(50))).filter(({ target }) => target === id);
    expect(audited.map(({ action }) => action)).toEqual(
      ["delete", "stop", "resume", "pause", "update", "rotate", "redeliver", "create"].map((name) => `subscription.${name}`),
    );
    // A key that may only look sees the page without what it may not do.
    const other = await make({ rights: ["admin"] });
    const theirs = await page(at.tenon, other.headers.authorization.slice("Bearer ".length), "/admin/subscriptions");
    expect(theirs).not.toContain("subscription.create");
  });

  it("is managed with the client library and on the command line", async () => {
    await subscribe();
    const hosted = { TENON_URL: at.tenon.url, TENON_API_KEY: apiKey };
    const service = new WebhookSubscriptions({ baseUrl: at.tenon.url, apiKey });
    const made = await service.create("github", { url: receiver.url, entity: ["issues", "branches"] });
    expect(made.secret).toMatch(/^whsec_/);
    expect(await service.update(made.id, { entity: null, state: "paused" })).toMatchObject({ entity: null, reason: "by_owner" });
    expect((await service.rotate(made.id, 1)).secret).not.toBe(made.secret);
    await expect(service.redeliver(made.id, made.position)).rejects.toMatchObject({ code: "invalid_request" });
    expect(await service.remove(made.id)).toEqual({ id: made.id, deleted: true });
    await expect(service.get(made.id)).rejects.toMatchObject({ code: "unknown_subscription" });
    await withProcesses(async ({ start }) => {
      const run = async (...args: string[]) => {
        const { out, err, exit } = start(hosted, ["subscription", ...args]);
        expect([await exit, err()]).toEqual([0, ""]);
        return out();
      };
      const added = JSON.parse(
        await run("add", "github", "--url", receiver.url, "--entity", "issues", "--fields", "title,state"),
      );
      expect(added).toMatchObject({ state: "active", entity: ["issues"], fields: ["title", "state"] });
      const rows = (await run("list")).trim().split("\n");
      expect(rows.map((row) => JSON.parse(row).id)).toEqual([expect.any(String), added.id]);
      expect(JSON.parse(await run("pause", added.id))).toMatchObject({ state: "paused" });
      expect(JSON.parse(await run("update", added.id, "--fields", "title"))).toMatchObject({
        state: "paused",
        fields: ["title"],
      });
      expect(JSON.parse(await run("rotate", added.id)).secret).toMatch(/^whsec_/);
      await save(issue("x1"));
      await run("resume", added.id);
      await expect.poll(() => receiver.received.filter(({ body }) => body.data["subscription_id"] === added.id).length).toBe(1);
      expect(await run("redeliver", added.id, "0")).toContain(added.id);
      await run("remove", added.id);
    });
  });

  it("shows in the metrics how many there are and how far they are", async () => {
    await subscribe();
    const { text } = await send("GET", "/metrics");
    expect(text).toMatch(/tenon_subscription_deliveries_total\{connector="github",result="taken"\} \d/);
    expect(text).toContain('tenon_subscriptions{instance="github",state="active"} 1');
    expect(text).toContain('tenon_subscription_lag{instance="github"} 0');
  });

  it("reports all faults of a request together", async () => {
    const reply = await send("POST", path, { connector_id: "github", url: "ftp://x", entity: "isues", urll: 1 });
    const { errors } = shaped<{ errors: { pointer: string }[] }>(bad(reply, 422, "invalid_request"));
    expect(errors.map(({ pointer }) => pointer)).toEqual(["/urll", "/url", "/entity"]);
    bad(await send("POST", path, {}), 422, "invalid_request");
    // Two hundred of these would be a list that stops the service while it is made.
    const filter = { in: { title: Array.from({ length: 1_000 }, (_, at) => `${at} ${"x".repeat(40)}`) } };
    const large = { connector_id: "github", url: receiver.url, entity: "issues", filter };
    expect(bad(await send("POST", path, large), 422, "invalid_request")["detail"]).toContain("32 KiB");
    bad(await send("POST", path, { connector_id: "nothing", url: receiver.url }), 404, "unknown_connector");
    bad(await send("PATCH", `${path}/${(await subscribe()).id}`, { state: "off" }), 422, "invalid_request");
    expect((await send("PUT", path)).headers.get("allow")).toBe("GET, HEAD, POST");
  });
});
