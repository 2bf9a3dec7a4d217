import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { Generator } from "../../generator/generate.ts";
import { connectors, startService } from "../../runtime/main.ts";
import { readSettings } from "../../runtime/settings.ts";
import { startPlatform } from "../platform/platform.ts";
import { ownerToken } from "../platform/tokens.ts";
import { githubFolder } from "../support/specs.ts";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const makefile = readFileSync(join(root, "Makefile"), "utf8");

function block(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (found === undefined) throw new Error(`the README has no ${language} block`);
  return found;
}

describe("the README", () => {
  it("has an example spec of about ten lines that is a whole entity", () => {
    const example = block("yaml");
    expect(example.trim().split("\n").length).toBeLessThanOrEqual(11);
    const { diagnostics, files } = new Generator().generate([githubFolder({ "gists.yaml": example })]);
    expect(diagnostics).toEqual([]);
    expect(files.get("github/documents/gists.list.graphql")).toContain("gists(first: $first, after: $after)");
    expect(files.get("github/index.ts")).toContain("gists");
  });

  it("shows a request that gets the answer shown", async () => {
    const platform = await startPlatform();
    const apiKey = "key-of-the-readme-test";
    const { settings } = readSettings(
      { PORT: "0", TENON_API_KEY: apiKey, TENON_LOG_LEVEL: "silent", GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url },
      connectors,
    );
    const service = await startService(settings, []);
    try {
      const command = block("sh").replaceAll("http://127.0.0.1:8787", service.url);
      const { stdout } = await promisify(execFile)("bash", ["-c", command], { env: { ...process.env, TENON_API_KEY: apiKey } });
      expect(stdout.trim()).toBe(block("json").trim());
    } finally {
      await service.close();
      await platform.close();
    }
  });

  it("names only targets of make that exist", () => {
    const named = [...readme.matchAll(/make ([a-z-]+)/g)].map((match) => match[1] ?? "");
    const targets = [...makefile.matchAll(/^([a-z-]+):/gm)].map((match) => match[1]);
    expect(named.filter((name) => !targets.includes(name))).toEqual([]);
  });

  it("links only to files that exist", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map((match) => match[1] ?? "");
    for (const link of links) expect(readFileSync(join(root, link), "utf8").length).toBeGreaterThan(0);
  });
});
