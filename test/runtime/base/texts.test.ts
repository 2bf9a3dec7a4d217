import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { errorCodes, invalidRequest, maxFaults } from "../../../runtime/base/errors.ts";
import { redactor } from "../../../runtime/base/redact.ts";
import { codePointLength, nearest, snakeCase } from "../../../runtime/base/text.ts";
import { apiKeyPattern } from "../../../runtime/server/api-key.ts";

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

describe("a secret in another form", () => {
  const secret = `a"b\\c/d+e?f>g~h${"'"}(é) *%`;
  const redact = redactor([], [secret]);
  const percent = encodeURIComponent(secret);

  it.each([
    ["percent-encoded", percent],
    ["percent-encoded with small letters", percent.replace(/%[0-9A-F]{2}/g, (one) => one.toLowerCase())],
    ["in a query", new URLSearchParams({ x: secret }).toString().slice(2)],
    ["in JSON", JSON.stringify(secret).slice(1, -1)],
    ["in JSON within JSON", JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ])("is removed %s", (_form, text) => {
    expect(redact(`x ${text} y`)).toBe("x [redacted] y");
  });

  it("leaves no run of its own in base64 and base64url, whatever stands around it", () => {
    const text = fc.string({ unit: "binary", maxLength: 20 });
    // Visible ASCII, as tokens are; 8 characters is the shortest that is known.
    const token = fc.string({
      unit: fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 8,
    });
    fc.assert(
      fc.property(token, text, text, fc.constantFrom("base64" as const, "base64url" as const), (one, before, after, encoding) => {
        const encoded = Buffer.from(`${before}${one}${after}`).toString(encoding);
        const left = redactor([], [one])(encoded);
        expect(left).toContain("[redacted]");
        // At each end at most one character holds bits of a neighbour and of the secret.
        const kept = Buffer.from(left.replace("[redacted]", ""), encoding).length;
        expect(kept).toBeLessThanOrEqual(Buffer.byteLength(before + after) + 2);
      }),
    );
  });

  it("is removed wherever it stands in one text", () => {
    const line = JSON.stringify({
      url: `http://x/?t=${percent}`,
      basic: Buffer.from(`user:${secret}`).toString("base64"),
      secret,
    });
    const left = redact(line);
    expect(left.match(/\[redacted\]/g)?.length).toBe(3);
    expect(Object.keys(JSON.parse(left))).toEqual(["url", "basic", "secret"]);
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

  it("is undefined when no candidate is near", () => {
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
