import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { growingRedactor, masked, maskedBytes, maskOf, redactor } from "../../../runtime/base/redact.ts";
import { apiKeyPattern } from "../../../runtime/server/callers/api-key.ts";
import { anyCharacter } from "../../support/any-character.ts";

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

describe("a secret that another one begins with", () => {
  const both = ["secret-of-the-test", "secret-of-the-test-of-redaction", "secret-of-the-test-of"];

  it.each([[both], [both.toReversed()], [[...both.slice(1), ...both.slice(0, 1)]]])("is removed whole: %j", (secrets) => {
    const mask = maskOf(secrets);
    if (mask === undefined) throw new Error("there is no mask");
    for (const remove of [redactor([], secrets), (text: string) => masked(text, mask)])
      expect(both.map((secret) => remove(`(${secret})`))).toEqual(["([redacted])", "([redacted])", "([redacted])"]);
  });
});

describe("a redactor that learns secrets while it runs", () => {
  const secret = (name: string) => `${name}-secret-of-the-test-of-redaction`;
  const left = (redact: (text: string) => string, names: readonly string[]) =>
    names.filter((name) => redact(`the ${secret(name)} of`).includes(secret(name)));

  it("removes what is added to it, and what it had before", () => {
    const { redact, add } = growingRedactor([], [secret("first")]);
    expect(left(redact, ["first", "second", "third"])).toEqual(["second", "third"]);
    add(secret("second"));
    add(secret("first"));
    add(secret("third"));
    expect(left(redact, ["first", "second", "third"])).toEqual([]);
  });

  it("removes the secrets that an owner has now and the last four before them, and forgets older ones", () => {
    const { redact, add, hold } = growingRedactor([], []);
    add(secret("fixed"));
    hold("other", [secret("of another")]);
    const names = ["one", "two", "three", "four", "five", "six", "seven"];
    for (const [at, name] of names.entries()) {
      hold("owner", [secret(name)]);
      // What is held already pushes nothing out.
      hold("owner", [secret(name)]);
      expect(left(redact, names.slice(0, at + 1)), name).toEqual(names.slice(0, Math.max(0, at - 4)));
    }
    expect(left(redact, ["fixed", "of another"])).toEqual([]);
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
    const text = fc.string({ unit: anyCharacter, maxLength: 20 });
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

describe("a mask for the secrets of a platform", () => {
  const secret = `a/b+c=d<e&f'gh_token`;
  const mask = maskOf([secret]);
  const escapes = (text: string) => text.replace(/[/+=<&']/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

  it.each([
    ["plain", secret],
    ["in JSON with escaped slashes", secret.replaceAll("/", "\\/")],
    ["in JSON with escaped signs", escapes(secret)],
    ["in JSON with escaped signs in capitals", escapes(secret).replace(/u00../g, (one) => `u${one.slice(1).toUpperCase()}`)],
    ["percent-encoded", encodeURIComponent(secret)],
  ])("removes them %s", (_form, text) => {
    if (mask === undefined) throw new Error("there is no mask");
    expect(masked(`{"x":"${text}"}`, mask)).toBe('{"x":"[redacted]"}');
    expect(maskedBytes(Buffer.from(`é ${text}`), mask).toString()).toBe("é [redacted]");
  });

  it("leaves other bytes as they are, also what looks like a token", () => {
    if (mask === undefined) throw new Error("there is no mask");
    const bytes = Buffer.from(`Bearer abcdefgh123 ghp_${"x".repeat(36)} gh_token \xff`, "latin1");
    expect(maskedBytes(bytes, mask)).toBe(bytes);
    expect(masked("Bearer abcdefgh123", mask)).toBe("Bearer abcdefgh123");
  });

  const short = maskOf(["foot-ball"]);

  it.each([
    ['"foot-ball"', '"[redacted]"'],
    [String.raw`"a\nfoot-ball\u00e9"`, String.raw`"a\n[redacted]\u00e9"`],
    ["?key=foot-ball&x=%20foot-ball", "?key=[redacted]&x=%20[redacted]"],
    [`Basic ${btoa("me:foot-ball")}`, `Basic ${btoa("me:")}[redacted]`],
    ['"foot-balls are 1foot-ball"', '"foot-balls are 1foot-ball"'],
  ])("removes a short one where it is a word of its own, or in base64: %s", (given, left) => {
    if (short === undefined) throw new Error("there is no mask");
    expect(masked(given, short)).toBe(left);
  });

  it.each([
    ["of 12 characters in a longer word too", "football-one", "(football-one) my1football-ones", "([redacted]) my1[redacted]s"],
    ["of 11 characters as a word only", "football-on", "(football-on) my1football-ons", "([redacted]) my1football-ons"],
    ["of 8 characters as a word only", "football", "(football) footballs", "([redacted]) footballs"],
    ["without a letter or digit", "++++----++++", "a ++++----++++ b", "a [redacted] b"],
  ])("removes one %s", (_which, given, text, left) => {
    const one = maskOf([given]);
    if (one === undefined) throw new Error("there is no mask");
    expect(masked(text, one)).toBe(left);
  });

  it("is not made for secrets that texts have by chance", () => {
    expect(maskOf(["soccer", "footbal"])).toBeUndefined();
  });
});
