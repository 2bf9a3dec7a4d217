import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { fetchFor } from "../../../runtime/platform/address-rules.ts";
import { post } from "../../../runtime/subscriptions/send.ts";
import { isSecret, newSecret, rotated, signed } from "../../../runtime/subscriptions/signature.ts";
import { openReceiver } from "../../support/receiver.ts";

let receiver: Awaited<ReturnType<typeof openReceiver>>;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());

const signal = new AbortController().signal;
const publicOnly = fetchFor([], false);

describe("a delivery", () => {
  it("goes to no address of a private network, whatever its name", async () => {
    const local = receiver.url.replace("127.0.0.1", "localhost");
    for (const url of [receiver.url, local, local.replace("http:", "https:")])
      expect(await post(publicOnly, url, {}, "{}", signal)).toMatchObject({ kind: "failed", outcome: "private_address" });
    expect(receiver.received).toEqual([]);
  });

  it("follows no redirect, and takes 410 for the end", async () => {
    receiver.respond(() => ({ status: 307, headers: { location: receiver.url }, body: "x".repeat(1_000_000) }));
    expect(await post(fetch, receiver.url, {}, "{}", signal)).toMatchObject({ kind: "failed", outcome: "307" });
    expect(receiver.received).toHaveLength(1);
    receiver.respond(() => 410);
    expect(await post(fetch, receiver.url, {}, "{}", signal)).toMatchObject({ kind: "refused", outcome: "410" });
    expect(await post(fetch, "http://127.0.0.1:1/", {}, "{}", signal)).toMatchObject({ kind: "failed", outcome: "unreachable" });
  });
});

it.each([
  [200, "taken"],
  [410, "refused"],
  [500, "failed"],
])("what the status of a response says holds although its body cannot be read: %i", async (status, kind) => {
  receiver.respond(() => ({ status, headers: { "content-encoding": "gzip" }, body: "no gzip" }));
  expect(await post(fetch, receiver.url, {}, "{}", signal)).toEqual({ kind, outcome: String(status), text: "" });
});

describe("a signed delivery", () => {
  const secret = newSecret();
  const body = '{"type":"record.created"}';
  const verifier = new Webhook(secret);
  const at = (time: number, id = "evt_1") => signed([{ secret, until: null }], id, body, time);
  const minutes = 60_000;

  it("is accepted by an independent verifier up to five minutes after it was signed", () => {
    const now = Date.now();
    for (const time of [now, now - 4.9 * minutes, now + 4.9 * minutes])
      expect(verifier.verify(body, at(time))).toEqual({ type: "record.created" });
    expect(() => verifier.verify(body, at(now - 5.1 * minutes))).toThrow("too old");
    expect(() => verifier.verify(body, at(now + 5.1 * minutes))).toThrow("too new");
  });

  it("that somebody replays is refused later, under another id or time, and has the same id before", () => {
    const sent = at(Date.now());
    const seen = new Set<string>();
    /** Takes a delivery as the documentation says. */
    const take = (headers: Record<string, string>) => {
      verifier.verify(body, headers);
      const id = String(headers["webhook-id"]);
      const isNew = !seen.has(id);
      seen.add(id);
      return isNew ? "new" : "repeated";
    };
    expect([take(sent), take({ ...sent })]).toEqual(["new", "repeated"]);
    expect(() => take({ ...sent, "webhook-id": "evt_2" })).toThrow("No matching signature");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 5.1 * minutes });
    try {
      expect(() => take(sent)).toThrow("too old");
      const fresh = String(Math.floor(Date.now() / 1000));
      expect(() => take({ ...sent, "webhook-timestamp": fresh })).toThrow("No matching signature");
    } finally {
      vi.useRealTimers();
    }
  });

  it("is signed by no secret that has ended", () => {
    const now = Date.now();
    const former = newSecret();
    const both = (until: number) =>
      signed(
        [
          { secret, until: null },
          { secret: former, until },
        ],
        "evt_1",
        body,
        now,
      );
    for (const one of [secret, former]) expect(new Webhook(one).verify(body, both(now + 1))).toBeDefined();
    expect(new Webhook(secret).verify(body, both(now))).toBeDefined();
    expect(() => new Webhook(former).verify(body, both(now))).toThrow("No matching signature");
  });
});

describe("a secret", () => {
  it("has the form of Standard Webhooks", () => {
    expect(isSecret(newSecret())).toBe(true);
    for (const text of ["", "whsec_", "whsec_c2hvcnQ=", newSecret().slice(6), `${newSecret()}!`, `whsec_${"A".repeat(100)}`])
      expect(isSecret(text)).toBe(false);
  });

  it("that was replaced ends with its time, and not later than it would have", () => {
    const first = rotated("b", [{ secret: "a", until: null }], 1_000, 0);
    expect(first).toEqual([
      { secret: "b", until: null },
      { secret: "a", until: 1_000 },
    ]);
    expect(rotated("c", first, 5_000, 500)).toEqual([
      { secret: "c", until: null },
      { secret: "b", until: 5_500 },
      { secret: "a", until: 1_000 },
    ]);
    expect(rotated("c", first, 5_000, 1_000).map(({ secret }) => secret)).toEqual(["c", "b"]);
    expect(rotated("c", first, 0, 500)).toEqual([{ secret: "c", until: null }]);
  });
});
