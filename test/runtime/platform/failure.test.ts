import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { redactor } from "../../../runtime/base/redact.ts";
import { FailureJudge } from "../../../runtime/platform/failure.ts";
import { isCredentialRefused } from "../../../runtime/platform/verdict.ts";

describe("a message of the platform", () => {
  it("is only looked at in its beginning, however long it is", () => {
    const seen: number[] = [];
    const judge = new FailureJudge(github.platform, (text) => {
      seen.push(text.length);
      return text;
    });
    expect(judge.text("word ".repeat(1_000_000)).length).toBe(500);
    expect(Math.max(...seen)).toBeLessThanOrEqual(16 * 1024);
  });

  it("is shown on one line and without tokens", () => {
    const judge = new FailureJudge(github.platform, redactor(["ghp_[a-z]+"]));
    expect(judge.text(" no\n\taccess\u202E for \u0000gh\u200Bp_secret ")).toBe("no access for [redacted]");
  });
});

it.each([
  ["Thu, 01 Jan 2026 00:00:30 GMT", 20_000],
  ["Thu, 01 Jan 2026 00:00:10 GMT", 0],
  ["Thu, 01 Jan 2026 00:00:00 GMT", 0],
])("a time to wait for, %s, is one of the platform's clock", (after, wait) => {
  const judge = new FailureJudge(github.platform, (text) => text);
  const headers = new Headers({ "retry-after": after, date: "Thu, 01 Jan 2026 00:00:10 GMT" });
  expect(judge.wait(headers, Date.parse("2026-01-01T03:00:00Z"))).toBe(wait);
});

it("a GraphQL response with neither data nor errors is a failure that may pass", () => {
  const judge = new FailureJudge(github.platform, (text) => text);
  expect(judge.faults([], new Headers(), 0)).toEqual({ kind: "transient", message: "GitHub sent a response without data." });
});

it("a response that was not received says nothing of the credential", () => {
  const judge = new FailureJudge(github.platform, (text) => text);
  expect(isCredentialRefused({ kind: "lost", cause: new Error("cut off"), unsent: false }, judge)).toBe(false);
});
