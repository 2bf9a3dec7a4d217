import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Release, releaseFaults } from "../../generator/release-faults.ts";

const ready: Release = {
  packageFile: { name: "tenon", version: "1.0.0", repository: "https://example.com/tenon" },
  changelog: "# Changelog\n\n## [1.0.0] - 2026-12-01\n\nThe first release.\n",
  branch: "main",
  changed: [],
  user: "ada",
  registry: [
    { name: "tenon", owners: undefined, hasVersion: false },
    { name: "tenon-client", owners: ["ada", "bob"], hasVersion: false },
  ],
};

describe("what keeps the packages from being published", () => {
  it("is nothing when all is ready", () => {
    expect(releaseFaults(ready)).toEqual([]);
  });

  it.each<[string, Partial<Release>, string]>([
    ["private", { packageFile: { ...ready.packageFile, private: true } }, 'remove "private": true'],
    ["no repository", { packageFile: { name: "tenon", version: "1.0.0" } }, 'set "repository"'],
    ["no changelog", { changelog: "# Changelog\n\n## [Unreleased]\n" }, 'rename "[Unreleased]" to "[1.0.0]"'],
    ["another branch", { branch: "draft" }, "switch to main (now on draft)"],
    ["changed files", { changed: [" M README.md"] }, "commit or remove 1 changed file."],
    ["nobody", { user: undefined }, "`npm login`"],
    ["a foreign name", { registry: [{ name: "tenon", owners: ["eve"], hasVersion: false }] }, "tenon belongs to eve"],
    ["a version twice", { registry: [{ name: "tenon", owners: ["ada"], hasVersion: true }] }, "tenon@1.0.0 is published already"],
  ])("is %s", (_name, change, fault) => {
    expect(releaseFaults({ ...ready, ...change })).toEqual([expect.stringContaining(fault)]);
  });
});

describe("make publish", () => {
  const own = mkdtempSync(join(tmpdir(), "tenon-publish-"));
  afterAll(() => rmSync(own, { recursive: true }));
  const command = (name: string, text: string) => writeFileSync(join(own, "bin", name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const published = (packageFile: object, ...args: string[]) => {
    writeFileSync(join(own, "package.json"), JSON.stringify({ ...packageFile, type: "module" }));
    const env = { ...process.env, PATH: `${join(own, "bin")}:${process.env["PATH"]}` };
    const run = spawnSync(process.execPath, [join(own, "generator/publish.ts"), ...args], { encoding: "utf8", env });
    return { status: run.status, lines: run.stdout.trim().split("\n"), stderr: run.stderr };
  };
  for (const folder of ["bin", "generator", "dist/client-package"]) mkdirSync(join(own, folder), { recursive: true });
  for (const file of ["publish.ts", "release-faults.ts"])
    cpSync(join(import.meta.dirname, "../../generator", file), join(own, "generator", file));
  writeFileSync(join(own, "CHANGELOG.md"), ready.changelog);
  command("git", 'if [ "$1" = rev-parse ]; then echo main; fi');
  command("make", 'echo "make $*"');
  command("npm", 'case $1 in whoami) echo ada ;; view) exit 1 ;; *) echo "$(basename "$PWD"): npm $*" ;; esac');
  const name = own.split("/").at(-1);

  it.each([
    [[], " --dry-run", "All checks passed. `make publish YES=1` publishes."],
    [["--yes"], "", "Published tenon and tenon-client 1.0.0."],
  ])("with %j shows what it runs, for both packages", (args, dry, end) => {
    expect(published(ready.packageFile, ...args)).toEqual({
      status: 0,
      lines: [
        "make test",
        "make build docs",
        `${name}: npm publish --ignore-scripts${dry}`,
        `client-package: npm publish --ignore-scripts${dry}`,
        end,
      ],
      stderr: "",
    });
  });

  it("runs nothing when something is wrong", () => {
    expect(published({ ...ready.packageFile, private: true }, "--yes")).toEqual({
      status: 1,
      lines: [""],
      stderr: expect.stringContaining("1 problem; nothing was published"),
    });
  });
});
