import { describe, expect, it } from "vitest";
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
