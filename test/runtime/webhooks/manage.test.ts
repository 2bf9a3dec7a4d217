import { pino } from "pino";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type AddedWebhook, type AddedWebhooks, rotateWebhook, secretsAge } from "../../../runtime/webhooks/index.ts";
import { fakeInstance } from "../../support/fake-instance.ts";
import { standIn } from "../../support/shaped.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

const scope = "repository=o/r";

/** Gives a new secret to a webhook of a platform that refuses it with a status. */
async function rotate(status: number) {
  const { instance, seen } = fakeInstance(() => Response.json({ message: "No." }, { status }));
  let kept: readonly AddedWebhook[] = [
    { scope, id: 7, url: "https://example.com/", at: 0, lookedAt: 0, secrets: [{ text: "former", until: null }] },
  ];
  const added = standIn<AddedWebhooks>({
    of: async () => kept,
    change: async (_instance, change) => {
      kept = change(kept);
    },
  });
  const signal = new AbortController().signal;
  const context = () => ({ timeout: 5_000, signal, log: pino({ level: "silent" }), requestId: "test" });
  const rotated = rotateWebhook({ added, instance, context }, scope).catch((thrown: unknown) => thrown);
  await vi.advanceTimersByTimeAsync(secretsAge);
  const outcome = await rotated;
  return { outcome, calls: seen.length, secrets: kept[0]?.secrets ?? [] };
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
