import { expect, it } from "vitest";
import { isSigned } from "../../../runtime/simulator/described/security.ts";

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
