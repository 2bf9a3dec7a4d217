import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { HintStore } from "../../../runtime/accounts/index.ts";
import type { AddedWebhook, AddedWebhooks } from "../../../runtime/webhooks/index.ts";
import { Redelivery } from "../../../runtime/webhooks/redelivery.ts";
import { fakeInstance, type Seen } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

type Options = ConstructorParameters<typeof Redelivery>[0];

const scope = "repository=o/r";
const webhook: AddedWebhook = { scope, id: 7, url: "https://example.com/", at: 0, lookedAt: 0, secrets: [] };
const list = "/repos/o/r/hooks/7/deliveries";
const failed = (id: number, guid = `guid ${id}`) => ({ id, guid, status_code: 502 });

/**
 * Has a platform looked at once.
 *
 * @param answer what the platform responds
 * @param known names of deliveries that came all the same
 */
async function look(
  answer: (seen: Seen) => Response,
  { known = [], ...more }: Partial<Options> & { readonly known?: string[] } = {},
) {
  const { instance, seen } = fakeInstance(answer);
  const lines: Record<string, unknown>[] = [];
  const received: unknown[] = [];
  const options = {
    added: standIn<AddedWebhooks>({ of: async () => [webhook], claim: async () => [webhook] }),
    hints: standIn<HintStore>({ knownDeliveries: async () => known }),
    inbox: standIn<Options["inbox"]>({ receive: async ({ hints }) => received.push(...hints) > 0 }),
    instances: async () => ["github"],
    find: async () => instance,
    log: pino({}, { write: (line) => void (/deliver/.test(line) && lines.push(JSON.parse(line))) }),
    ...more,
  };
  const redelivery = new Redelivery(options);
  redelivery.start();
  await vi.advanceTimersByTimeAsync(1);
  // What the look does meanwhile takes no time of these clocks.
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), { timeout: 20_000 });
  await redelivery.stop();
  return { calls: seen.map(({ method, url }) => `${method} ${url.pathname}${url.search}`), lines, received };
}

/** A platform with these pages of deliveries. */
const pages =
  (...all: readonly (readonly object[])[]) =>
  ({ method, url }: Seen) => {
    if (method === "POST") return Response.json({}, { status: 202 });
    const nth = Number(url.searchParams.get("cursor") ?? 0);
    const next = new URL(url);
    next.searchParams.set("cursor", String(nth + 1));
    const headers: Record<string, string> = nth + 1 < all.length ? { link: `<${next.href}>; rel="next"` } : {};
    return Response.json(all[nth], { headers });
  };

describe("what a platform could not deliver", () => {
  it("is requested again, each once, from all pages of its list", async () => {
    const answer = pages([failed(1), failed(2)], [failed(3), failed(4, "guid 1"), { ...failed(5), status_code: 202 }]);
    const { calls, lines } = await look(answer, { known: ["guid 2"] });
    expect(calls).toEqual([
      `GET ${list}?status=failure&per_page=100`,
      `GET ${list}?status=failure&per_page=100&cursor=1`,
      `POST ${list}/1/attempts`,
      `POST ${list}/3/attempts`,
    ]);
    const msg = "webhooks that were not delivered are requested again";
    expect(lines).toMatchObject([{ connector: "github", scope, requested: 2, msg }]);
  });

  it("is looked for in five pages at most", async () => {
    const all = Array.from({ length: 7 }, (_, nth) => [failed(nth + 1)]);
    expect((await look(pages(...all))).calls.filter((one) => one.startsWith("GET"))).toHaveLength(5);
  });

  it("is read by a sync of the whole scope where it is more than 50 deliveries", async () => {
    const some = (count: number) => Array.from({ length: count }, (_, nth) => failed(nth + 1));
    const few = await look(pages(some(50)));
    expect([few.calls.length, few.received]).toEqual([51, []]);
    const many = await look(pages(some(51)));
    expect(many.calls).toHaveLength(1);
    expect(many.received).toEqual([{ instance: "github", scope, entity: "", kind: "scope", key: "", params: "{}" }]);
    const msg = "many webhooks were not delivered; all of the scope is synced";
    expect(many.lines).toMatchObject([{ connector: "github", scope, missing: 51, msg }]);
  });

  it("is left alone after three tries", async () => {
    const tries = (count: number, guid: string) => Array.from({ length: count }, (_, nth) => failed(nth + 10 * count, guid));
    const { calls } = await look(pages([...tries(4, "four"), ...tries(3, "three")]));
    expect(calls.slice(1)).toEqual([`POST ${list}/30/attempts`]);
  });

  it("and is not known is logged, whether the platform or the store of webhooks fails", async () => {
    const refused = await look(() => Response.json({ message: "No." }, { status: 403 }));
    const msg = "webhooks that were not delivered could not be requested again";
    expect(refused.lines).toMatchObject([{ level: 40, connector: "github", scope, err: { code: "platform_forbidden" }, msg }]);
    const away = await look(pages([]), { instances: () => Promise.reject(new Error("the store is away")) });
    expect(away.lines).toMatchObject([{ level: 40, msg: "what platforms could not deliver could not be looked up" }]);
    expect(away.lines[0]).toHaveProperty("err");
  });
});
