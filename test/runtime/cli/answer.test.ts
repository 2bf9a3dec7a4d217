import { describe, expect, it } from "vitest";
import { invalidRequest, TenonError } from "../../../runtime/base/errors.ts";
import { CommandError } from "../../../runtime/cli/command-error.ts";
import { type Form, writeAnswer } from "../../../runtime/cli/output/answer.ts";
import { reportProblem } from "../../../runtime/cli/problem.ts";
import { SettingsError } from "../../../runtime/main/settings/settings.ts";

const meta = { has_next_page: false, end_cursor: null };
const form: Form = { json: false, ndjson: false, fields: [] };

function written(data: unknown, more: Partial<Form> = {}, terminal = true, columns = 60): string {
  let all = "";
  writeAnswer({ isTTY: terminal, columns, write: (text) => (all += text) }, { data, meta }, { ...form, ...more });
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

  it("is a table on a terminal, of the most informative fields that have room, without characters that act on the terminal", () => {
    expect(written(issues, {}, true, 40)).toBe(
      [
        "number  title            author  locked",
        "1       First            a       false",
        "22      Second[31m line  -       true",
        "",
        "Not shown for want of space: body (--json shows all, --fields chooses).",
        "",
      ].join("\n"),
    );
    expect(written([])).toBe("Nothing was found.\n");
  });

  it("begins with what a record is known by, and ends with ids, addresses and what is empty, whatever the order of its fields", () => {
    const record = {
      id: "I_1",
      url: "https://x",
      closedAt: null,
      body: "b",
      updatedAt: "2026",
      labels: [],
      state: "open",
      title: "t",
    };
    expect(written([record], {}, true, 200).split("\n")[0]?.split(/ +/)).toEqual([
      ...["title", "state", "updatedAt", "body", "id", "url", "closedAt", "labels"],
    ]);
    expect(written([{ id: "C_1", author: { login: "a" }, body: "b" }], {}, true, 200).split("\n")[0]).toBe("body  author  id");
  });

  it("is a table of any number of records", () => {
    const lines = written(Array.from({ length: 200_000 }, (_, number) => ({ number }))).split("\n");
    expect([lines.length, lines[0], lines.at(-2)]).toEqual([200_002, "number", "199999"]);
  });

  it("shows a title of any length, cut", () => {
    const [heading, first] = written([{ number: 1, title: "x".repeat(300), state: "open" }], {}, true, 40).split("\n");
    expect([heading?.slice(0, 13), first]).toEqual(["number  title", `1       ${"x".repeat(24)}…  open`]);
  });

  it("shows every field that was asked for, in this order, and cuts what has no room", () => {
    expect(written(issues, { fields: ["body"] })).toBe(`body\n${"x".repeat(59)}…\ny\n`);
    expect(written(issues, { fields: ["locked", "author.login", "title"] })).toBe(
      ["locked  author.login  title", "false   a             First", "true    -             Second[31m line", ""].join("\n"),
    );
    const many = written(issues, { fields: ["body", "title", "locked", "number", "author.login"] }, true, 10).split("\n")[1];
    expect(many?.split(/ +/)).toEqual(["xxxxx…", "First", "false", "1", "a"]);
  });

  it("finds fields in lists, in both spellings, and shows objects by their names", () => {
    const record = {
      createdAt: "2026",
      labels: [
        { name: "bug", color: "f00" },
        { name: "ui", color: "0f0" },
      ],
      milestone: { number: 3, title: "v1" },
    };
    expect(written([record], { fields: ["created_at", "labels.color", "labels", "milestone"] })).toBe(
      ["created_at  labels.color  labels   milestone", "2026        f00, 0f0      bug, ui  v1", ""].join("\n"),
    );
  });

  it("shows hits of a search by meaning: how near each is, its record, and the passage", () => {
    const hits = [
      { entity: { id: "9", number: "7", title: "It hangs" }, metadata: { score: 0.81234, context: "the worker\nhangs" } },
    ];
    expect(written(hits)).toBe("score  number  title     context           id\n0.812  7       It hangs  the worker hangs  9\n");
    expect(written(hits, { fields: ["title"] })).toBe("score  title     context\n0.812  It hangs  the worker hangs\n");
  });

  it("of one record has a line per field", () => {
    expect(written({ number: 1, author: { login: "a" }, body: null })).toBe("number  1\nauthor  a\nbody    -\n");
    expect(written({ number: 1, author: { login: "a" } }, { fields: ["author.login", "number"] })).toBe(
      "author.login  a\nnumber        1\n",
    );
  });
});

describe("a problem", () => {
  const report = (error: unknown, isTTY: boolean) => {
    let all = "";
    const status = reportProblem(error, { isTTY, write: (text) => (all += text) });
    return { status, all };
  };

  it("has no invisible characters on a terminal", () => {
    expect(report(new TenonError("platform_failed", "GitHub says:\u202E\u009b no"), true).all).toContain("GitHub says: no\n");
  });

  it("is JSON for programs, and a text with advice on a terminal", () => {
    const error = invalidRequest([{ pointer: "/params/repo", code: "missing_param", message: "repo is required." }]);
    const { status, all } = report(error, false);
    expect([status, JSON.parse(all)]).toMatchObject([65, { code: "invalid_request", errors: [{ pointer: "/params/repo" }] }]);
    expect(report(new TenonError("rate_limited", "Wait."), true).all).toBe(
      "tenon: Wait.\nWait a moment, and send the request again.\n",
    );
  });

  it.each([
    [new TenonError("rate_limited", "Too many.", { retryAfter: 30 }), "Wait 30 s, and send the request again."],
    [
      invalidRequest([{ pointer: "", code: "missing_param", message: "repo is required." }]),
      "Correct this, and send the request again.",
    ],
    [
      new TenonError("forbidden_transition", "Not from here."),
      "Send one of the values listed above: those that the requested state allows.",
    ],
    [
      new TenonError("unauthorized", "The token is missing or wrong."),
      "Set TENON_API_KEY, or TENON_CLIENT_ID and TENON_CLIENT_SECRET, to what the service accepts.",
    ],
  ])("advises what can be done on a command line, and names no header and no member: %s", (error, advice) => {
    expect(report(error, true).all.trimEnd().split("\n").at(-1)).toBe(advice);
  });

  it("of a key tells programs which settings to change", () => {
    expect(JSON.parse(report(new TenonError("unauthorized", "Wrong."), false).all).what_to_do).toMatch(/^Set TENON_API_KEY, /);
  });

  it("of several faults has a line for each, with what is allowed there and what was meant", () => {
    const unknown = {
      pointer: "/params/state",
      code: "wrong_value",
      message: "state is not known.",
      allowed: ["OPEN", "CLOSED"],
    };
    const missing = { pointer: "/params/repo", code: "missing_param", message: "repo is required." };
    const shown = (...faults: Parameters<typeof invalidRequest>[0]) => report(invalidRequest(faults), true).all.split("\n");
    expect(shown(unknown, { ...missing, suggestion: "repository" })).toEqual([
      "tenon: /params/state: state is not known. (and 1 more)",
      "  state is not known.",
      "  Allowed: OPEN, CLOSED.",
      "  repo is required.",
      '  Did you mean "repository"?',
      expect.any(String),
      "",
    ]);
    // One fault, and what was meant in its place, are in the first line already.
    expect(shown({ ...unknown, suggestion: "OPEN" })).toEqual([
      'tenon: /params/state: state is not known. Did you mean "OPEN"?',
      "  Allowed: OPEN, CLOSED.",
      expect.any(String),
      "",
    ]);
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
