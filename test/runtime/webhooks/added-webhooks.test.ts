import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { deriveKeys, type TokenStore } from "../../../runtime/accounts/index.ts";
import { AddedWebhooks } from "../../../runtime/webhooks/added-webhooks.ts";
import { standIn } from "../../support/shaped.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const webhook = { scope: "repository=o/r", id: 7, url: "https://example.com/", at: 0, lookedAt: 0, secrets: [] };

/** Adds a webhook while another process changes what is stored for so many tries. @returns what became of it, and the tries */
async function add(busyFor: number) {
  let tries = 0;
  let saved: string | null | undefined;
  const store = standIn<TokenStore>({
    leaseTokens: async () => ({ leased: tries++ >= busyFor, tokens: undefined }),
    saveTokens: async (_holder, _owner, tokens) => {
      saved = tokens;
      return true;
    },
    tokens: async () => saved ?? undefined,
  });
  const added = new AddedWebhooks(store, deriveKeys(["secret-key-of-the-tests-of-webhooks"]));
  const began = Date.now();
  const changed = added
    .change("github", (now) => [...now, webhook])
    .then(
      () => "changed",
      (thrown: { readonly code: string }) => thrown.code,
    );
  const ended = changed.then((outcome) => ({ outcome, tries, after: Date.now() - began }));
  await vi.advanceTimersByTimeAsync(10_000);
  return { ...(await ended), stored: await added.of("github") };
}

it("a change waits for another process, and looks every 50 ms", async () => {
  expect(await add(0)).toEqual({ outcome: "changed", tries: 1, after: 0, stored: [webhook] });
  expect(await add(3)).toEqual({ outcome: "changed", tries: 4, after: 150, stored: [webhook] });
});

it("a change is refused where another process does not end within five seconds", async () => {
  expect(await add(1_000)).toEqual({ outcome: "accounts_unusable", tries: 102, after: 5_050, stored: [] });
});
