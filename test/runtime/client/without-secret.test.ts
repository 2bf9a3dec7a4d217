import { expect, it } from "vitest";
import { without } from "../../../runtime/client/errors.ts";

it.each([
  ["as it is", "token abc-123 was refused", "abc-123", "token [redacted] was refused"],
  ["each time", "abc and abc", "abc", "[redacted] and [redacted]"],
  ["as JSON has it", String.raw`{"got":"a\"b\\c"}`, String.raw`a"b\c`, '{"got":"[redacted]"}'],
  ["nowhere, where there is none", "nothing here", "", "nothing here"],
])("an error has no secret in it: %s", (_how, text, secret, expected) => {
  expect(without(text, secret)).toBe(expected);
});
