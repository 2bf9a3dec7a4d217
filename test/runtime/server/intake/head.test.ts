import { expect, it } from "vitest";
import { requestLimits } from "../../../../runtime/base/request-limits.ts";
import { announced } from "../../../../runtime/server/intake/head.ts";

const { body, growth, growthFrom } = requestLimits;

it.each([
  ["no body", {}, 0],
  ["no body, though it names a packing", { "content-encoding": "gzip" }, 0],
  ["a body", { "content-length": "100" }, 100],
  ["a body without a length", { "transfer-encoding": "chunked" }, body],
  ["a small packed body", { "content-length": "1", "content-encoding": "gzip" }, growthFrom],
  ["a packed body", { "content-length": String(growthFrom), "content-encoding": "gzip" }, Math.min(body, growthFrom * growth)],
  ["a body that is too long", { "content-length": String(body + 1) }, body],
])("a request with %s announces as many bytes as it may have unpacked", (_what, headers, bytes) => {
  expect(announced(headers)).toBe(bytes);
});
