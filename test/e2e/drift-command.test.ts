import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../runtime/accounts/index.ts";
import { openSqliteAccounts } from "../../runtime/accounts/sqlite/sqlite-account-store.ts";
import { changesText } from "../../runtime/cli/spec/changes.ts";
import { run } from "../../runtime/cli/spec/drift.ts";
import { command } from "../support/command.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "tenon-drift-"));
const newer = join(folder, "newer.graphql");

function drift(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, "drift", ...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, TENON_DATA_DIR: folder, ...env },
  });
  return { status, stdout, stderr };
}

beforeAll(async () => {
  const sdl = readFileSync(join(root, "spec/linear/schema.graphql"), "utf8");
  writeFileSync(newer, sdl.replace("\n  branchName: String!", ""));
  const day = 86_400_000;
  const entry = (caller: string, action: string, days: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
    at: Date.now() - days * day,
    caller,
    action,
    target: "linear",
    outcome: "done",
    requestId: null,
    intent: null,
    times: 1,
    ...more,
  });
  const store = openSqliteAccounts(folder);
  await store.audit([
    entry("long-ago", "issues.get", 40),
    entry("nightly", "issues.get", 3),
    entry("nightly", "issues.list", 2, { times: 4 }),
    entry("agent", "issues.get", 1),
    entry("agent", "issues.create", 1, { outcome: "begun" }),
    entry("other-connector", "issues.get", 1, { target: "github" }),
    entry("other-entity", "teams.list", 1),
  ]);
  await store.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("tenon drift", () => {
  it("names the line, the actions and their callers of the last 30 days, and ends with 1 when something breaks", () => {
    const { status, stdout, stderr } = drift({ TENON_AUDIT_READS: "false" }, "linear", "--against", newer);
    expect(stderr).toContain("--from");
    expect(stderr).toContain("TENON_AUDIT_READS");
    const changes = JSON.parse(stdout);
    expect(changes).toEqual([
      {
        kind: "breaking",
        path: "linear Issue.branchName",
        message: 'Issue has no field "branchName" on the platform',
        at: expect.stringMatching(/^spec\/linear\/issues\.yaml:\d+:\d+$/),
        actions: expect.arrayContaining(["issues.get", "issues.list"]),
        callers: [
          { caller: "nightly", calls: 5, last: expect.any(String) },
          { caller: "agent", calls: 1, last: expect.any(String) },
        ],
      },
    ]);
    expect(status).toBe(1);
    expect(changesText(changes)).toMatch(
      /^breaking \(1\)\n {2}linear Issue\.branchName: .*\n {4}spec\/linear\/issues\.yaml:.*\n {4}used by .*issues\.get.*\n {4}called by nightly: 5 times, last at /,
    );
  });

  it("ends with 0 when nothing breaks", () => {
    expect(drift({}, "linear", "--against", "spec/linear/schema.graphql")).toMatchObject({ status: 0, stdout: "[]\n" });
  });

  it.each([
    ["nothing", newer, "there is no folder", 64],
    ["linear", undefined, "--against names the description", 64],
    ["linear", "nowhere", 'cannot read "nowhere"', 69],
    ["linear", join(root, "spec/figma/description.json"), "of a REST API, and the connector uses none", 64],
  ])("refuses %s against %s", async (name, against, message, exit) => {
    const flags = { against, from: undefined, spec: join(root, "spec"), json: true, config: undefined };
    await expect(run([name], flags)).rejects.toMatchObject({ message: expect.stringContaining(message), exit });
  });
});
