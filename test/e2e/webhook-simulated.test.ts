import { beforeAll, describe, expect, it } from "vitest";
import type { Json } from "../simulator/client.ts";
import { shaped } from "../support/shaped.ts";
import { removeIssue } from "./support/change.ts";
import { useTenon } from "./support/service.ts";
import { found, hello } from "./support/world.ts";

// The simulated GitHub calls the service, as the real one would.

const secret = "webhook-secret-9b2e6a41";
const scope = "repository=octocat/hello-world";
const place = { owner: "octocat", repo: "hello-world" };
const running = useTenon({ webhookSecrets: [`github=${secret}`], syncScopes: [`github:${scope}`] });

// The seeded webhook of the repository is in the way.
beforeAll(() => {
  running.platform.world.hooks = [];
});

const hookUrl = () => `${running.tenon.url}/api/v1/integrations/connectors/github/webhook`;

async function added(): Promise<number> {
  const params = { ...place, url: hookUrl(), secret };
  const { status, text, body } = await running.tenon.run("webhooks", "create", params);
  expect([status, text.includes(secret)]).toEqual([200, false]);
  return Number((body["data"] as Json)["id"]);
}

async function deliveries(hook: number, more: object = {}) {
  await running.platform.world.hookSender.idle();
  const { body } = await running.tenon.run("webhook_deliveries", "list", { ...place, hook_id: hook, ...more });
  return shaped<{
    readonly data: readonly { readonly id: number; readonly event: string; readonly guid: string; readonly statusCode: number }[];
    readonly meta: { readonly end_cursor: string | null };
  }>(body);
}

async function titles(number: number): Promise<readonly string[]> {
  const query = { filter: { eq: { number } } };
  const { body } = await running.tenon.run("issues", "context_store_search", { query, fields: ["title"] });
  return shaped<readonly { readonly title: string }[]>(body["data"]).map(({ title }) => title);
}

/** Has the platform notice what a test has changed behind its API. */
const tell = () => running.platform.world.hookSender.tell(running.platform.world.hooks);

describe("a webhook of the simulated GitHub", () => {
  it("brings what was written on the platform into the cache", async () => {
    await running.tenon.service.caughtUp();
    const hook = await added();
    const made = await running.tenon.run("issues", "create", { ...place, title: "Told at once" });
    const number = Number((made.body["data"] as Json)["number"]);
    await expect.poll(() => titles(number), { timeout: 15_000 }).toEqual(["Told at once"]);
    const { data } = await deliveries(hook);
    expect(data.map(({ event, statusCode }) => [event, statusCode])).toEqual([
      ["issues", 202],
      ["ping", 202],
    ]);
  });

  it("that was lost is among the failed ones, and comes when it is asked for again", async () => {
    const { world } = running.platform;
    const alone = hello(world).issues.filter(({ comments }) => comments.length === 0);
    const [issue, removed] = [found(alone[0]), found(alone[1])];
    world.hookSender.trouble = { late: 0, twice: 0, lost: 1 };
    issue.title = "Lost on the way";
    removeIssue(hello(world), removed);
    tell();
    const hook = found(world.hooks[0]).id;
    const first = await deliveries(hook, { status: "failure", per_page: 1 });
    const next = await deliveries(hook, { status: "failure", per_page: 1, after: first.meta.end_cursor });
    const lost = [...first.data, ...next.data];
    expect(lost.map(({ event, statusCode }) => [event, statusCode])).toEqual([
      ["issues", 0],
      ["issues", 0],
    ]);
    expect(next.meta.end_cursor).toBeNull();
    expect(await titles(removed.number)).toEqual([removed.title]);
    for (const { id } of lost) {
      const params = { ...place, hook_id: hook, delivery_id: id };
      expect((await running.tenon.run("webhook_deliveries", "redeliver", params)).status).toBe(200);
    }
    await expect.poll(() => titles(issue.number), { timeout: 15_000 }).toEqual(["Lost on the way"]);
    await expect.poll(() => titles(removed.number), { timeout: 15_000 }).toEqual([]);
  });

  it("that is late and comes twice changes the same", async () => {
    const { world } = running.platform;
    const hook = found(world.hooks[0]).id;
    world.hookSender.trouble = { late: 30, twice: 1, lost: 0 };
    const issues = hello(world).issues.slice(10, 15);
    for (const one of issues) one.title = `Late ${one.number}`;
    tell();
    const { data } = await deliveries(hook);
    const guids = data.slice(0, 10).map(({ guid }) => guid);
    expect([guids.length, new Set(guids).size]).toEqual([10, 5]);
    for (const { number } of issues) await expect.poll(() => titles(number), { timeout: 15_000 }).toEqual([`Late ${number}`]);
  });

  it("is never called on another machine, and is refused where one leads already", async () => {
    const params = { ...place, url: "https://example.com/hook" };
    const far = await running.tenon.run("webhooks", "create", params);
    expect(far.status).toBe(200);
    const [{ id, statusCode } = { id: 0, statusCode: 200 }] = (await deliveries(Number((far.body["data"] as Json)["id"]))).data;
    expect([id > 0, statusCode]).toEqual([true, 0]);
    running.platform.world.hooks.pop();
    expect((await running.tenon.run("webhooks", "create", { ...params, url: hookUrl() })).status).toBe(422);
  });

  it("can be changed, pinged and removed", async () => {
    const hook = found(running.platform.world.hooks[0]).id;
    const params = { ...place, hook_id: hook };
    const changed = await running.tenon.run("webhooks", "update", { ...params, events: ["push"], active: false });
    expect(changed.body["data"]).toMatchObject({ id: hook, events: ["push"], active: false, url: hookUrl() });
    expect((await running.tenon.run("webhooks", "ping", params)).body["data"]).toBeNull();
    expect((await deliveries(hook)).data[0]?.event).toBe("ping");
    const removed = await running.tenon.run("webhooks", "delete", params);
    expect([removed.status, (await running.tenon.run("webhooks", "get", params)).status]).toEqual([200, 404]);
  });
});
