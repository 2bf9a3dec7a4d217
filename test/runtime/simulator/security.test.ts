import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { hasSignature, isSigned } from "../../../runtime/simulator/described/security.ts";

const key = { components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "Authorization" } } } };
const request = (authorization: string) => ({
  method: "GET",
  path: "/notes",
  headers: { authorization },
  text: "",
  body: undefined,
  at: 0,
});

it.each([
  ["secret", true],
  ["Token token=secret", true],
  ["Key secret", true],
  ["Token token=secrets", false],
  ["secret other", false],
  ["", false],
])("a key in the header Authorization: %j is %s", (given, isAccepted) => {
  expect(isSigned(key, request(given), "secret")).toBe(isAccepted);
});

const hour = 3600;
const file = {
  token: "secret",
  web: "https://notes.example",
  viewer: {},
  errors: {
    unauthorized: { status: 401, body: {} },
    missing: { status: 404, body: {} },
    invalid: { status: 400, body: {} },
    limited: { status: 429, body: {} },
  },
  records: {},
  signature: {
    header: "X-Sign",
    timestamp: "X-Time",
    of: "{timestamp}:{method}:{path}:{body}",
    algorithm: "sha256",
    encoding: "hex",
  },
} as const;

it.each([
  ["now", String(hour), true],
  ["five minutes old", String(hour - 300), true],
  ["too old", String(hour - 301), false],
  ["from the future", String(hour + 301), false],
  ["no number", "1e3", false],
])("a signature whose time is %s", (_title, timestamp, isAccepted) => {
  const sign = createHmac("sha256", "secret").update(`${timestamp}:POST:/notes:{}`).digest("hex");
  const signed = { method: "POST", path: "/notes", text: "{}", body: {}, at: hour * 1000 };
  expect(hasSignature(file, { ...signed, headers: { "x-sign": sign, "x-time": timestamp } })).toBe(isAccepted);
  expect(hasSignature(file, { ...signed, headers: { "x-sign": `${sign.slice(1)}0`, "x-time": timestamp } })).toBe(false);
});
