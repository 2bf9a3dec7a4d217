import { describe, expect, it } from "vitest";
import { invalidRequest, TenonError } from "../../../runtime/base/errors.ts";
import { writeAnswer } from "../../../runtime/cli/answer.ts";
import { CommandError } from "../../../runtime/cli/command-error.ts";
import { reportProblem } from "../../../runtime/cli/problem.ts";
import { SettingsError } from "../../../runtime/main/settings.ts";

const meta = { has_next_page: false, end_cursor: null };
const form = { json: false, ndjson: false };

function written(data: unknown, more: Partial<typeof form> = {}, terminal = true): string {
  let all = "";
  writeAnswer({ isTTY: terminal, columns: 60, write: (text) => (all += text) }, { data, meta }, { ...form, ...more });
  return all;
}

const issues = [
  { number: 1, title: "First", body: "x".repeat(200), author: { login: "a" }, locked: false },
  { number: 22, title: "Second\u001b[31m\nline", body: "y", author: null, locked: true },
];

describe("an answer", () => {
  it("is JSON for programs, and with --json on a terminal too", () => {
    expect(JSON.parse(written(issues, {}, false))).toEqual({ data: issues, meta });
    expect(written(issues, { json: true })).toBe(written(issues, {}, false));
  });

  it("is a record per line with --ndjson", () => {
    expect(
      written(issues, { ndjson: true })
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(issues);
    expect(written(issues[0], { ndjson: true }).trim().split("\n")).toHaveLength(1);
  });

  it("is a table on a terminal, of the short columns, without characters that act on the terminal", () => {
    expect(written(issues)).toBe(
      [
        "number  title             locked",
        "1       First             false",
        "22      Second?[31m line  true",
        "",
        "Not shown for want of space: body, author (--json shows all, --fields chooses).",
        "",
      ].join("\n"),
    );
    expect(written([])).toBe("Nothing was found.\n");
  });

  it("of one record has a line per field", () => {
    expect(written({ number: 1, author: { login: "a" }, body: null })).toBe('number  1\nauthor  {"login":"a"}\nbody    -\n');
  });
});

describe("a problem", () => {
  const report = (error: unknown, isTTY: boolean) => {
    let all = "";
    const status = reportProblem(error, { isTTY, write: (text) => (all += text) });
    return { status, all };
  };

  it("is JSON for programs, and a text with advice on a terminal", () => {
    const error = invalidRequest([{ pointer: "/params/repo", code: "missing_param", message: "repo is required." }]);
    const { status, all } = report(error, false);
    expect([status, JSON.parse(all)]).toMatchObject([65, { code: "invalid_request", errors: [{ pointer: "/params/repo" }] }]);
    expect(report(new TenonError("rate_limited", "Wait."), true).all).toBe("tenon: Wait.\nWait as long as `Retry-After` says.\n");
  });

  it("is JSON for programs too where the command line or the configuration is wrong", () => {
    const { status, all } = report(new CommandError("unknown option '--x'", 64), false);
    expect([status, JSON.parse(all)]).toMatchObject([
      64,
      { code: "invalid_command", message: "unknown option '--x'", retryable: false },
    ]);
    expect(report(new CommandError("unknown option '--x'", 64), true).all).toBe("tenon: unknown option '--x'\n");
    expect(JSON.parse(report(new SettingsError("PORT: must be a number"), false).all)).toMatchObject({
      code: "invalid_configuration",
    });
    expect(report(new Error("a fault of the program"), false).status).toBe(70);
  });
});
