import { afterEach, expect, it, vi } from "vitest";
import type { Logger } from "../../../runtime/base/logger.ts";
import type { Proposal } from "../../../runtime/contract/index.ts";
import { webhookNotifier } from "../../../runtime/policy/index.ts";
import { standIn } from "../../support/shaped.ts";

const url = "https://hook.example/approvals";
const proposal = standIn<Proposal>({ id: "prop_1", entity: "issues", hash: "secret", idempotency_key: "secret" });

afterEach(() => void vi.restoreAllMocks());

/** A notifier whose network is a function, and the warnings that it logs. */
function notifierOf(fetch: typeof globalThis.fetch) {
  const warn = vi.fn();
  const log = standIn<Logger>({ warn });
  vi.stubGlobal("fetch", fetch);
  const notify = webhookNotifier(url, true);
  vi.unstubAllGlobals();
  return { warn, notify: (one: Proposal = proposal) => notify(one, log) };
}

it("a notification has the names of a proposal, follows no redirect, and takes five seconds at most", async () => {
  const patience = vi.spyOn(AbortSignal, "timeout");
  const body = new ReadableStream();
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(body));
  const cancelled = vi.spyOn(body, "cancel");
  const { notify, warn } = notifierOf(fetch);
  notify();
  await expect.poll(() => cancelled.mock.calls.length).toBe(1);
  const [[to, init] = []] = fetch.mock.calls;
  const signal = patience.mock.results[patience.mock.calls.findIndex(([time]) => time === 5_000)]?.value;
  expect(signal).toBeInstanceOf(AbortSignal);
  expect([to, init]).toEqual([
    url,
    {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ event: "proposal.pending", proposal: { id: "prop_1", entity: "issues" } }),
      redirect: "error",
      signal,
    },
  ]);
  expect(warn).not.toHaveBeenCalled();
});

it("what was not delivered is logged with its reason", async () => {
  const fetch = vi.fn<typeof globalThis.fetch>();
  const { notify, warn } = notifierOf(fetch);
  fetch.mockResolvedValueOnce(new Response(null, { status: 404 }));
  fetch.mockRejectedValueOnce(new TypeError("no network, and the address is not for a log"));
  notify();
  notify();
  await expect.poll(() => warn.mock.calls.length).toBe(2);
  expect(warn.mock.calls).toEqual(
    expect.arrayContaining([
      [{ proposal: "prop_1", status: 404 }, "the webhook for approvals refused a notification"],
      [{ proposal: "prop_1", reason: "TypeError" }, "the webhook for approvals was not notified"],
    ]),
  );
});

it("at most 20 notifications are under way, and others follow when these have ended", async () => {
  const ends: ((response: Response) => void)[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>(() => new Promise((resolve) => void ends.push(resolve)));
  const { notify, warn } = notifierOf(fetch);
  for (let nth = 1; nth <= 20; nth++) notify();
  expect([ends.length, warn.mock.calls.length]).toEqual([20, 0]);
  notify();
  expect(ends).toHaveLength(20);
  expect(warn.mock.calls).toEqual([
    [{ proposal: "prop_1", reason: "too many notifications are under way" }, "the webhook for approvals was not notified"],
  ]);
  ends[0]?.(new Response());
  const more = expect.poll(() => {
    notify();
    return ends.length;
  });
  await more.toBe(21);
  for (const end of ends) end(new Response());
});
