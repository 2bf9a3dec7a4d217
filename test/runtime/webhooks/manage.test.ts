import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AddedWebhook, type AddedWebhooks, rotateWebhook, secretsAge } from "../../../runtime/webhooks/index.ts";
import { addWebhook, removeWebhook, testWebhook, type WebhookPlace } from "../../../runtime/webhooks/manage.ts";
import { fakeInstance, type Seen } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const scope = "repository=o/r";

const webhookOf = (of: string): AddedWebhook => ({
  ...{ scope: of, id: 7, url: "https://example.com/", at: 0, lookedAt: 0, secrets: [{ text: "former", until: null }] },
});

/** Does something with the webhooks of a platform. @param answer what the platform responds */
async function manage<Result>(
  action: (place: WebhookPlace) => Promise<Result>,
  answer: (seen: Seen) => Response,
  before: readonly AddedWebhook[] = [webhookOf(scope)],
) {
  const { instance, seen } = fakeInstance(answer);
  let kept = before;
  const added = standIn<AddedWebhooks>({
    of: async () => kept,
    change: async (_instance, change) => {
      kept = change(kept);
    },
  });
  const signal = new AbortController().signal;
  const context = () => ({ timeout: 5_000, signal, log: pino({ level: "silent" }), requestId: "test" });
  const managed = action({ added, instance, context }).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(20 * secretsAge);
  return { outcome: await managed, calls: seen.map(({ method, url }) => `${method} ${url.pathname}`), kept };
}
const refused = (status: number) => () => Response.json({ message: "No." }, { status });

/** Gives a new secret to a webhook of a platform that refuses it with a status. */
async function rotate(status: number) {
  const { outcome, calls, kept } = await manage((place) => rotateWebhook(place, scope), refused(status));
  return { outcome, calls: calls.length, secrets: kept[0]?.secrets ?? [] };
}

it.each([403, 404])("a new secret that the credential may not set (%i) is entered by a person, and good", async (status) => {
  const { outcome, calls, secrets } = await rotate(status);
  expect(outcome).toMatchObject({
    scope,
    status: "enter",
    enter: { secret: secrets[0]?.text, reason: expect.stringMatching(/./) },
  });
  expect([calls, secrets.length]).toEqual([1, 2]);
});

it("a new secret that the platform refuses for another reason is an error, and both secrets stay good", async () => {
  const { outcome, calls, secrets } = await rotate(422);
  expect(outcome).toMatchObject({ code: expect.stringMatching(/^platform_/) });
  expect([calls, secrets.length]).toEqual([1, 2]);
});

const hooks = "/repos/o/r/hooks";

describe("a webhook that the platform does not add", () => {
  const others = [webhookOf("repository=o/other")];
  const add = (status: number) => manage((place) => addWebhook(place, scope, "https://example.com/in"), refused(status), others);

  it("for a reason that another try does not change is not kept, and those of other scopes are", async () => {
    const { outcome, calls, kept } = await add(422);
    expect([outcome, calls, kept]).toEqual([expect.objectContaining({ code: "platform_rejected" }), [`POST ${hooks}`], others]);
  });

  it.each([403, 404])("because the credential may not (%i) is entered by a person", async (status) => {
    const { outcome, kept } = await add(status);
    const url = `https://example.com/in?scope=${encodeURIComponent(scope)}`;
    const [, { secrets = [] } = {}] = kept;
    expect(outcome).toMatchObject({ status: "enter", enter: { url, secret: secrets[0]?.text } });
    expect(kept.map((one) => [one.scope, one.id])).toEqual([
      ["repository=o/other", 7],
      [scope, null],
    ]);
  });
});

describe("a webhook that is removed", () => {
  const remove = (answer: () => Response) => manage((place) => removeWebhook(place, scope), answer);

  it("is gone from the platform and from here", async () => {
    const { outcome, calls, kept } = await remove(() => new Response(null, { status: 204 }));
    expect([outcome, calls, kept]).toEqual([{ scope, status: "done", enter: null }, [`DELETE ${hooks}/7`], []]);
  });

  it("and that a person entered is gone from here, and for that person to remove there", async () => {
    const entered = { ...webhookOf(scope), id: null };
    const { outcome, calls, kept } = await manage((place) => removeWebhook(place, scope), refused(500), [entered]);
    expect(outcome).toMatchObject({ status: "enter", enter: { reason: "it was entered by hand; remove it there" } });
    expect([calls, kept]).toEqual([[], []]);
  });

  it.each([403, 404])(
    "is gone from here where the credential may not remove it (%i), and a person removes it there",
    async (status) => {
      const { outcome, kept } = await remove(refused(status));
      expect(outcome).toMatchObject({
        status: "enter",
        enter: { secret: null, reason: expect.stringMatching(/; remove it there$/) },
      });
      expect(kept).toEqual([]);
    },
  );

  it("stays where the platform fails", async () => {
    const { outcome, kept } = await remove(refused(422));
    expect([outcome, kept]).toEqual([expect.objectContaining({ code: "platform_rejected" }), [webhookOf(scope)]]);
  });
});

describe("a test of a webhook", () => {
  const sent = (id: number, status: number) => ({ id, guid: `guid ${id}`, status_code: status });
  /** Tests a webhook whose platform has sent something at so many looks after the ping. */
  const test = (looks: number, status: number) => {
    let looked = 0;
    return manage(
      (place) => testWebhook(place, scope),
      ({ method }) => {
        if (method === "POST") return new Response(null, { status: 204 });
        return Response.json([...(looked++ > looks ? [sent(2, status)] : []), sent(1, 500)]);
      },
    );
  };

  it.each([
    [200, "accepted"],
    [299, "accepted"],
    [300, "refused"],
    [0, "refused"],
  ])("says what the platform got: %i, which is %s", async (status, outcome) => {
    const tested = await test(3, status);
    expect(tested.outcome).toEqual({ scope, outcome, http_status: status });
    const list = `GET ${hooks}/7/deliveries`;
    expect(tested.calls).toEqual([list, `POST ${hooks}/7/pings`, list, list, list, list]);
  });

  it("says that it is not known where the platform lists nothing new for ten seconds", async () => {
    const { outcome, calls } = await test(100, 200);
    expect(outcome).toEqual({ scope, outcome: "unknown", http_status: null });
    expect(calls).toHaveLength(2 + 10);
  });
});
