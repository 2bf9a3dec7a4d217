import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { changesText } from "../../runtime/cli/spec/changes.ts";
import { useCommandHost } from "../support/command-host.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "tenon-spec-diff-"));
const labels = join(folder, "spec/github/labels.yaml");

const host = useCommandHost();
const tenon = (...args: readonly string[]) => host.run(args, {}, folder);

beforeAll(() => {
  // One that changes and one that does not.
  for (const name of ["github", "notion"]) cpSync(join(root, "spec", name), join(folder, "spec", name), { recursive: true });
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
  it("compares a revision of git with the folder as it is, and fails with --check when something breaks", async () => {
    const { code, out, err } = await tenon("spec", "diff", "HEAD");
    expect(err).toBe("");
    const changes = JSON.parse(out);
    expect(changes).toContainEqual({ kind: "breaking", path: "github labels.get", message: "action removed" });
    expect(out).not.toContain("notion");
    expect(changesText(changes)).toContain("breaking (1)\n  github labels.get: action removed");
    expect(code).toBe(0);
    expect((await tenon("spec", "diff", "HEAD", "--check")).code).toBe(1);
  });

  it("finds no difference between a revision and itself", async () => {
    expect(await tenon("spec", "diff", "HEAD", "HEAD")).toEqual({ code: 0, out: "[]\n", err: "" });
    expect(changesText([])).toBe("no difference");
  });

  it("takes the folder of the specs by its whole path or from a folder below, as long as it is in the repository", async () => {
    const below = join(folder, "below");
    mkdirSync(below);
    const link = `${folder}-link`;
    symlinkSync(folder, link);
    onTestFinished(() => rmSync(link));
    for (const running of [
      tenon("spec", "diff", "HEAD", "--spec", join(link, "spec")),
      host.run(["spec", "diff", "HEAD", "--spec", "../spec"], {}, below),
    ]) {
      const { code, out, err } = await running;
      expect([code, err]).toEqual([0, ""]);
      expect(JSON.parse(out)).toEqual([{ kind: "breaking", path: "github labels.get", message: "action removed" }]);
    }
    const outside = join(root, "spec");
    const { code, err } = await tenon("spec", "diff", "HEAD", "--spec", outside);
    expect([code, JSON.parse(err).message]).toEqual([
      64,
      `the folder "${outside}" of --spec is outside of the repository ${realpathSync(folder)}, so no revision has it; compare two folders instead`,
    ]);
  });

  it("names the file of a revision that has a problem as git does", async () => {
    const { code, err } = await tenon("spec", "diff", "wrong");
    expect(JSON.parse(err)).toMatchObject({ file: "wrong:spec/github/labels.yaml", message: 'unknown key "nothing"' });
    expect(code).toBe(1);
  });

  it.each(["no-such-revision", "--output=x", "HEAD:spec"])(
    "refuses %s, which is neither a folder nor a revision",
    async (version) => {
      const { code, out, err } = await tenon("spec", "diff", "--", version);
      expect([code, out]).toEqual([64, ""]);
      expect(err).toContain("neither a folder with specs nor a revision of git");
    },
  );
});
