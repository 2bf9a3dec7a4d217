import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { shaped } from "../support/shaped.ts";
import { page } from "./support/admin.ts";
import { removeIssue } from "./support/change.ts";
import { apiKey, authorized, startTenon, type Tenon, useTenon } from "./support/service.ts";
import { found, hello } from "./support/world.ts";

// A webhook of GitHub on its whole way: from its signature to the record that a search finds.

const secret = "webhook-secret-5d1c7e90";
const path = "/api/v1/integrations/connectors/github/webhook";
const scope = "repository=octocat/hello-world";
const repository = { full_name: "octocat/hello-world", name: "hello-world", owner: { login: "octocat" } };

const running = useTenon({
  webhookSecrets: [`github=${secret}`, "linear=another-secret-here", "figma=a-passcode-for-figma"],
  syncScopes: [`github:${scope}`],
  simulate: ["figma"],
  admin: true,
});
let deliveries = 0;

interface Sent {
  readonly event?: string;
  readonly id?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function deliver(
  { tenon }: { readonly tenon: Tenon },
  payload: object | string,
  { event = "issues", id, key = secret, headers }: Sent = {},
) {
  const body = typeof payload === "string" ? payload : JSON.stringify(payload);
  const signature = `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
  return tenon.send("POST", path, body, {
    "content-type": "application/json",
    "x-github-event": event,
    "x-github-delivery": id ?? `delivery-${++deliveries}`,
    "x-hub-signature-256": signature,
    ...headers,
  });
}

async function titles({ tenon }: { readonly tenon: Tenon }, number: number): Promise<readonly string[] | undefined> {
  const query = { filter: { eq: { number } } };
  const { body } = await tenon.run("issues", "context_store_search", { query, fields: ["title"] });
  return (body["data"] as readonly { readonly title: string }[] | undefined)?.map(({ title }) => title);
}

describe("a webhook", () => {
  it("that is not signed with the secret is refused, whatever is wrong", async () => {
    const refused = [
      await deliver(running, {}, { key: "another-secret-here" }),
      await deliver(running, {}, { headers: { "x-hub-signature-256": "sha256=" } }),
      await running.tenon.send("POST", path, "{}", { "content-type": "application/json" }),
      await running.tenon.send("POST", path, "{}", authorized),
      ...(await Promise.all(
        ["nobody", "notion", "linear"].map((id) =>
          running.tenon.send("POST", path.replace("github", id), "{}", { "content-type": "application/json" }),
        ),
      )),
    ];
    expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 401));
    // Nothing tells a connector that is there from one that is not.
    expect(new Set(refused.map(({ body }) => JSON.stringify({ ...body, instance: "", request_id: "" })))).toHaveProperty(
      "size",
      1,
    );
  });

  it("is taken once, and ignored where its event is of nothing that is cached", async () => {
    const first = await deliver(running, { zen: "x" }, { event: "ping", id: "same" });
    expect([first.status, first.body["data"]]).toEqual([202, { status: "ignored" }]);
    const again = await deliver(running, { zen: "x" }, { event: "ping", id: "same" });
    expect([again.status, again.body["data"]]).toEqual([202, { status: "duplicate" }]);
  });

  it("that carries its secret in the body has the limit of other bodies, because its sender is not known before", async () => {
    const path = "/api/v1/integrations/connectors/figma/webhook";
    const deliver = (values: number) =>
      running.tenon.send("POST", path, `[${"{},".repeat(values)}{}]`, { "content-type": "application/json" });
    const refused = [await deliver(10), await deliver(400_000)];
    expect(refused.map(({ status, body }) => [status, body["code"]])).toEqual([
      [401, "unauthorized"],
      [413, "body_too_large"],
    ]);
  });

  it("that is signed but no JSON says so", async () => {
    expect((await deliver(running, "{")).body).toMatchObject({ code: "invalid_json" });
    const form = await deliver(running, "payload=1", { headers: { "content-type": "application/x-www-form-urlencoded" } });
    expect(form.status).toBe(415);
  });

  it("brings a change into the cache, and a removal that the platform confirms", async () => {
    await running.tenon.service.caughtUp();
    const { issues } = hello(running.platform.world);
    const [changed, removed, untouched] = issues;
    const { id, number } = found(changed);
    found(changed).title = "Changed behind a webhook";
    const issue = { node_id: id, number };
    expect((await deliver(running, { action: "edited", issue, repository })).body["data"]).toEqual({ status: "accepted" });
    await expect.poll(() => titles(running, number), { timeout: 15_000 }).toEqual(["Changed behind a webhook"]);

    const gone = found(removed);
    removeIssue(hello(running.platform.world), gone);
    // A forged payload names an issue that is still there, with the number of one that is not.
    const forged = { node_id: found(untouched).id, number: gone.number };
    await deliver(running, { action: "deleted", issue: forged, repository });
    await deliver(running, { action: "deleted", issue: { node_id: gone.id, number: gone.number }, repository });
    await expect.poll(() => titles(running, gone.number), { timeout: 15_000 }).toEqual([]);
    expect(await titles(running, found(untouched).number)).toEqual([found(untouched).title]);
  });

  it("shows of a scope that webhooks keep it up to date, and when they have stopped", async () => {
    const shown = async (tenon: Tenon) => {
      const { body } = await tenon.send("GET", path.replace("webhook", "sync"), undefined);
      const { webhooks } = shaped<{ webhooks: { scopes: { scope: string; kept_by: string }[] } }>(body["meta"]);
      const { text } = await tenon.send("GET", "/metrics", undefined);
      const gauges = ["webhooks", "schedule"].map(
        (by) => new RegExp(`^tenon_webhook_scopes\\{instance="github",kept_by="${by}"\\} (\\d+)$`, "m").exec(text)?.[1],
      );
      const admin = await page(tenon, apiKey, "/admin/instances/github");
      return [webhooks.scopes.map((one) => [one.scope, one.kept_by]), gauges, /Webhooks (keep it|have stopped)/.exec(admin)?.[0]];
    };
    expect(await shown(running.tenon)).toEqual([[[scope, "webhooks"]], ["1", "0"], "Webhooks keep it"]);
    // Another process of the same service, for which webhooks of just now are old.
    const { dataDir } = running.tenon;
    const later = await startTenon(running.platform, {
      dataDir,
      webhookSecrets: [`github=${secret}`],
      webhookSyncMinutes: 0,
      admin: true,
    });
    expect(await shown(later)).toEqual([[[scope, "schedule"]], ["0", "1"], "Webhooks have stopped"]);
    await later.service.close();
  });

  it("is counted", async () => {
    const { text } = await running.tenon.send("GET", "/metrics", undefined);
    expect(text).toMatch(/tenon_webhook_deliveries_total\{connector="github",outcome="duplicate"\} 1/);
    expect(text).toMatch(/tenon_webhook_deliveries_total\{connector="github",outcome="refused"\} \d/);
  });

  it("leaves no secret in the log", () => expect(running.tenon.log.join("")).not.toContain(secret));
});
