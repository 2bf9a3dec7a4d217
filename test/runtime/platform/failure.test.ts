import { describe, expect, it } from "vitest";
import { github } from "../../../generated/github/index.ts";
import { redactor } from "../../../runtime/base/redact.ts";
import { FailureJudge } from "../../../runtime/platform/failure.ts";

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
