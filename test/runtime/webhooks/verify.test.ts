import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { figma } from "../../../generated/figma/index.ts";
import { github } from "../../../generated/github/index.ts";
import { linear } from "../../../generated/linear/index.ts";
import type { WebhookPlan } from "../../../runtime/contract/index.ts";
import { Verification } from "../../../runtime/webhooks/index.ts";

const secret = "a-secret-of-the-tests";
const body = '{"a":"ä"}';
const now = Date.parse("2026-01-01T00:00:00Z");
const hmac = (text: string, key = secret, encoding: "hex" | "base64" = "hex") =>
  createHmac("sha256", key).update(text).digest(encoding);

interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly text?: string;
  readonly payload?: unknown;
}

function isGood(plan: WebhookPlan | undefined, { headers = {}, secrets = [secret], text = body, payload = {} }: Given): boolean {
  if (plan === undefined) throw new Error("the connector has no webhooks");
  const check = new Verification(plan, secrets, headers);
  if (check.isUnsigned) return false;
  // The bytes may come in any pieces.
  for (const byte of Buffer.from(text)) check.take(Buffer.of(byte));
  return check.hasCode() && check.isGood(payload, now);
}

describe("a delivery of GitHub", () => {
  const signed = (code: string) => ({ headers: { "x-hub-signature-256": code } });

  // The secret, payload and signature of the test that GitHub publishes.
  it("is good with the code that GitHub gives for its own test", () => {
    const code = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
    expect(isGood(github.webhooks, { ...signed(code), secrets: ["It's a Secret to Everybody"], text: "Hello, World!" })).toBe(
      true,
    );
  });

  it("is good with any of the secrets, so that one can be replaced", () => {
    const given = signed(`sha256=${hmac(body)}`);
    expect(isGood(github.webhooks, { ...given, secrets: ["another-secret-here", secret] })).toBe(true);
    expect(isGood(github.webhooks, { ...given, secrets: [secret, "another-secret-here"] })).toBe(true);
  });

  it.each([
    ["without a code", {}],
    ["with an empty code", signed("")],
    ["with the bare prefix", signed("sha256=")],
    ["without the prefix", signed(hmac(body))],
    ["with the code of another secret", signed(`sha256=${hmac(body, "another-secret-here")}`)],
    ["with the code of another body", signed(`sha256=${hmac("{}")}`)],
    ["with a part of the code", signed(`sha256=${hmac(body).slice(0, 32)}`)],
    ["where there is no secret", { ...signed(`sha256=${hmac(body)}`), secrets: [] }],
  ])("is refused %s", (_, given: Given) => expect(isGood(github.webhooks, given)).toBe(false));
});

describe("a delivery of Linear", () => {
  const given = (at: unknown) => ({ headers: { "linear-signature": hmac(body) }, payload: { webhookTimestamp: at } });

  it("is good within a minute", () => {
    for (const at of [now, now - 60_000, now + 60_000]) expect(isGood(linear.webhooks, given(at))).toBe(true);
  });

  it("is refused when it is older, from the future, or without its time", () => {
    for (const at of [now - 60_001, now + 60_001, undefined, "", "soon", {}])
      expect(isGood(linear.webhooks, given(at))).toBe(false);
  });
});

describe("a delivery of Figma", () => {
  it("is good with the passcode in its body, and with no other", () => {
    expect(isGood(figma.webhooks, { payload: { passcode: secret } })).toBe(true);
    for (const payload of [{}, { passcode: "" }, { passcode: `${secret}x` }, { passcode: [secret] }, null])
      expect(isGood(figma.webhooks, { payload })).toBe(false);
  });
});

describe("a signed text with more than the body", () => {
  const plan: WebhookPlan = {
    event: { path: "type" },
    signature: { header: "Signature", algorithm: "sha256", encoding: "base64", prefix: "v1,", content: "{Id}.{Time}.{body}" },
    timestamp: { header: "Time", as: "seconds", tolerance: 300 },
    setup: { where: "Settings" },
    scopes: {},
    events: {},
  };
  const time = String(now / 1000);
  const code = `v1,${hmac(`7.${time}.${body}`, secret, "base64")}`;

  it("has the headers that it names", () => {
    const headers = { id: "7", time, signature: code };
    expect(isGood(plan, { headers })).toBe(true);
    expect(isGood(plan, { headers: { ...headers, signature: `v1,other ${code}` } })).toBe(true);
    expect(isGood(plan, { headers: { ...headers, id: "8" } })).toBe(false);
    expect(isGood(plan, { headers: { ...headers, time: String(now / 1000 - 301) } })).toBe(false);
  });
});
