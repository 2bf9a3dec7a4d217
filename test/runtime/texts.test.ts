import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { codePointLength, nearest, snakeCase } from "../../runtime/contract/index.ts";
import { errorCodes, invalidRequest, maxFaults } from "../../runtime/errors.ts";
import { redactor } from "../../runtime/redact.ts";
import { apiKeyPattern } from "../../runtime/server/api-key.ts";

describe("the redactor", () => {
  const redact = redactor([apiKeyPattern, ...github.platform.auth.secrets], ["a secret (with) [marks]"]);

  it("removes every shape of token, wherever it stands", () => {
    const body = fc.string({ unit: fc.constantFrom(..."abcXYZ0189"), minLength: 36, maxLength: 40 });
    const prefix = fc.constantFrom("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_");
    fc.assert(
      fc.property(prefix, body, fc.string(), fc.string(), (start, rest, before, after) => {
        expect(redact(`${before}"${start}${rest}"${after}`)).not.toContain(start + rest);
      }),
    );
  });

  it("removes bearer credentials and given secrets, and leaves the rest", () => {
    expect(redact("authorization: Bearer abcdefgh123")).toBe("authorization: Bearer [redacted]");
    expect(redact("x a secret (with) [marks] y")).toBe("x [redacted] y");
    expect(redact('{"level":30,"msg":"request"}')).toBe('{"level":30,"msg":"request"}');
  });
});

describe("the nearest spelling", () => {
  it.each([
    ["isues", "issues"],
    ["pull_request", "pull_requests"],
    ["onwer", "owner"],
    ["per-page", "per_page"],
    ["perPage", "per_page"],
  ])("of %s is %s", (name, expected) => {
    expect(nearest(name, ["issues", "owner", "per_page", "pull_requests"])).toBe(expected);
  });

  it("is nothing where nothing is near", () => {
    expect(nearest("zebra", ["issues", "owner"])).toBeUndefined();
  });
});

describe("lengths and names", () => {
  it("count code points as iteration does", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(codePointLength(text)).toBe([...text].length);
      }),
    );
  });

  it("have one snake_case per name", () => {
    expect(snakeCase("stateReason")).toBe("state_reason");
    expect(snakeCase("url")).toBe("url");
  });
});

describe("the table of errors", () => {
  it("is used by every rule of the connectors", () => {
    const { graphql, rest } = github.platform.errors;
    for (const rule of [...Object.values(graphql), ...Object.values(rest)]) expect(Object.keys(errorCodes)).toContain(rule.code);
  });

  it("says retryable only where the same request may succeed", () => {
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
