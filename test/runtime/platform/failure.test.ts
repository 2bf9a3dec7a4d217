import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { slack } from "../../../generated/slack/index.ts";
import { redactor } from "../../../runtime/base/redact.ts";
import type { PlatformPlan } from "../../../runtime/contract/index.ts";
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

it("content that GitHub refuses because it came too quickly may be sent again later", () => {
  const judge = new FailureJudge(github.platform, (text) => text);
  const judged = (message: string) => {
    const error = { resource: "IssueComment", code: "unprocessable", field: "data", message };
    return judge.status(422, new Headers(), { message: "Validation Failed", errors: [error] }, 0).kind;
  };
  expect([judged("was submitted too quickly"), judged('"was submitted too quickly" is not a label')]).toEqual([
    "limited",
    "final",
  ]);
});

describe("a status that says that there is nothing", () => {
  const codeOf = (plan: PlatformPlan, status: number) => {
    const verdict = new FailureJudge(plan, (text) => text).status(status, new Headers(), {}, 0);
    return verdict.kind === "final" ? verdict.error.code : verdict.kind;
  };
  const bare = { ...github.platform, errors: { graphql: {}, rest: {} } };

  it.each([404, 410])("means so without a rule of the spec: %i", (status) => {
    expect(codeOf(bare, status)).toBe("not_found");
    expect(codeOf({ ...bare, errors: { ...bare.errors, rest: { "422": { code: "platform_rejected" } } } }, status)).toBe(
      "not_found",
    );
  });

  it.each([404, 410])("is refused content where the spec says what else means so: %i", (status) => {
    expect(codeOf(slack.platform, status)).toBe("platform_rejected");
  });

  it("may come from a wrong address where the platform has GraphQL alone", () => {
    const { rest: _, ...graphqlOnly } = bare;
    expect(codeOf(graphqlOnly, 404)).toBe("platform_rejected");
  });

  it.each([400, 409, 422])("is not reported for the status %i", (status) => {
    expect(codeOf(bare, status)).toBe("platform_rejected");
  });
});

it("a response that was not received says nothing of the credential", () => {
  const judge = new FailureJudge(github.platform, (text) => text);
  expect(isCredentialRefused({ kind: "lost", cause: new Error("cut off"), unsent: false }, judge)).toBe(false);
});
