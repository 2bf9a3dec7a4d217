import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { errorCodes } from "../../../runtime/base/error-codes.ts";
import { invalidRequest, maxFaults } from "../../../runtime/base/errors.ts";

describe("the table of errors", () => {
  it("is used by every rule of the connectors", () => {
    const { graphql, rest } = github.platform.errors;
    for (const rule of [...Object.values(graphql), ...Object.values(rest)]) expect(Object.keys(errorCodes)).toContain(rule.code);
  });

  it("says retryable only when the same request may succeed later", () => {
    for (const { status, retryable } of Object.values(errorCodes))
      if (retryable) expect([408, 409, 429, 502, 503, 504]).toContain(status);
  });

  it("bounds the faults of one request", () => {
    const fault = { pointer: "/params/x", code: "wrong_type", message: "x must be a string." };
    const many = invalidRequest(Array.from({ length: 100 }, () => fault));
    expect(many.faults.length).toBe(maxFaults);
    expect(many.message).toBe("/params/x: x must be a string. (and at least 19 more)");
    expect(invalidRequest([fault, fault]).message).toBe("/params/x: x must be a string. (and 1 more)");
  });
});
