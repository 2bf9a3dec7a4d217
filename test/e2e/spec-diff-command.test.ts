import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { changesText } from "../../runtime/cli/spec/changes.ts";
import { command } from "../support/command.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "tenon-spec-diff-"));
const labels = join(folder, "spec/github/labels.yaml");

function tenon(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  cpSync(join(root, "spec"), join(folder, "spec"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, ".gitignore"), "node_modules\n.cache\n");
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.com", ...args], { cwd: folder });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message", "first");
  const text = readFileSync(labels, "utf8");
  writeFileSync(labels, text.replace("entity: labels", "entity: labels\nnothing: true"));
  git("commit", "--quiet", "--all", "--message", "wrong");
  git("tag", "wrong");
  git("reset", "--quiet", "--hard", "HEAD~1");
  const without = text.replace(/\n {2}get:\n( {4}.*\n)+/, "\n");
  expect(without).not.toBe(text);
  writeFileSync(labels, without);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("tenon spec diff", () => {
  it("compares a revision of git with the folder as it is, and fails with --check when something breaks", () => {
    const { status, stdout, stderr } = tenon("spec", "diff", "HEAD");
    expect(stderr).toBe("");
    const changes = JSON.parse(stdout);
    expect(changes).toContainEqual({ kind: "breaking", path: "github labels.get", message: "action removed" });
    expect(changesText(changes)).toContain("breaking (1)\n  github labels.get: action removed");
    expect(status).toBe(0);
    expect(tenon("spec", "diff", "HEAD", "--check").status).toBe(1);
  });

  it("finds no difference between a revision and itself", () => {
    expect(tenon("spec", "diff", "HEAD", "HEAD")).toEqual({ status: 0, stdout: "[]\n", stderr: "" });
    expect(changesText([])).toBe("no difference");
  });

  it("names the file of a revision that has a problem as git does", () => {
    const { status, stderr } = tenon("spec", "diff", "wrong");
    expect(JSON.parse(stderr)).toMatchObject({ file: "wrong:spec/github/labels.yaml", message: 'unknown key "nothing"' });
    expect(status).toBe(1);
  });

  it.each(["no-such-revision", "--output=x", "HEAD:spec"])("refuses %s, which is neither a folder nor a revision", (version) => {
    const { status, stdout, stderr } = tenon("spec", "diff", "--", version);
    expect(stdout).toBe("");
    expect(stderr).toContain("neither a folder with specs nor a revision of git");
    expect(status).toBe(64);
  });
});
