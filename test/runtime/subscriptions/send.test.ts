import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fetchFor } from "../../../runtime/platform/address-rules.ts";
import { post } from "../../../runtime/subscriptions/send.ts";
import { isSecret, newSecret, rotated } from "../../../runtime/subscriptions/signature.ts";
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
