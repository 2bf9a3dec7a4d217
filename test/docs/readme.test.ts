import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { github } from "../../generated/github/index.ts";
import { Generator } from "../../generator/generate.ts";
import { commands } from "../../runtime/cli/commands.ts";
import { operatorDocs } from "../../runtime/contract/index.ts";
import { startService } from "../../runtime/main/index.ts";
import { readSettings } from "../../runtime/main/settings/settings.ts";
import { startPlatform } from "../../spec/github/simulator/start.ts";
import { ownerToken } from "../../spec/github/simulator/tokens.ts";
import { githubFolder } from "../support/specs.ts";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const makefile = readFileSync(join(root, "Makefile"), "utf8");

function block(language: string, place = 0): string {
  const found = [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))][place]?.[1];
  if (found === undefined) throw new Error(`the README has no ${language} block`);
  return found;
}

/** What differs from run to run. */
function withoutTimes(answer: string): string {
  return answer.trim().replace(/"took_ms":[\d.]+,"synced_at":"[^"]*"/, "");
}

describe("the README", () => {
  it("has an example spec of about ten lines that is a whole entity", async () => {
    const example = block("yaml");
    expect(example.trim().split("\n").length).toBeLessThanOrEqual(11);
    const { diagnostics, files } = await new Generator().generate([githubFolder({ "gists.yaml": example })]);
    expect(diagnostics).toEqual([]);
    expect(files.get("github/documents/gists.list.graphql")).toContain("gists(first: $first, after: $after)");
    expect(files.get("github/index.ts")).toContain("gists");
  });

  it("shows requests that get the answers shown, the cached one after the sync shown", async () => {
    const platform = await startPlatform();
    const apiKey = "key-of-the-readme-test";
    const dataDir = mkdtempSync(join(tmpdir(), "tenon-readme-"));
    const environment = { TENON_DATA_DIR: dataDir, GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url };
    const { settings } = readSettings({ PORT: "0", TENON_API_KEY: apiKey, TENON_LOG_LEVEL: "silent", ...environment }, [github]);
    const sync = /node runtime\/cli\/tenon\.js (sync .*)/.exec(readme)?.[1]?.split(" ") ?? [];
    await promisify(execFile)("node", ["runtime/cli/tenon.js", ...sync], { cwd: root, env: { ...process.env, ...environment } });
    const service = await startService(settings, { connectors: [github] });
    try {
      await service.ready;
      for (const place of [0, 1]) {
        const command = block("sh", place).replaceAll("http://127.0.0.1:8787", service.url);
        const env = { ...process.env, TENON_API_KEY: apiKey };
        const { stdout } = await promisify(execFile)("bash", ["-c", command], { env });
        expect(withoutTimes(stdout)).toBe(withoutTimes(block("json", place)));
      }
    } finally {
      await service.close();
      await platform.close();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it("says of every operator what the table of operators says", () => {
    const table = operatorDocs.map(({ name, doc }) => `| \`${name}\` | ${doc} |\n`).join("");
    expect(readme).toContain(`| operator | true when |\n| --- | --- |\n${table}\n`);
  });

  it("names only targets of make that exist", () => {
    const named = [...readme.matchAll(/make ([a-z-]+)/g)].map((match) => match[1] ?? "");
    const targets = [...makefile.matchAll(/^([a-z-]+):/gm)].map((match) => match[1]);
    expect(named.filter((name) => !targets.includes(name))).toEqual([]);
  });

  it("names only commands and flags of the command line that exist", () => {
    const named = [...readme.matchAll(/node runtime\/cli\/tenon\.js ([^`\n]*)/g)].map(([, line = ""]) => line);
    expect(named.length).toBeGreaterThan(0);
    // The command of a connector is run as it is shown, in test/package.
    for (const rest of named.filter((line) => !line.startsWith(`${github.name} `))) {
      const row = commands.findLast(({ name }) => rest === name || rest.startsWith(`${name} `));
      expect(row?.name, rest).toBeDefined();
      for (const [, flag = ""] of rest.matchAll(/--([a-z-]+)/g)) expect(Object.keys(row?.flags ?? {})).toContain(flag);
    }
  });

  it("links only to files that exist", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map((match) => match[1] ?? "");
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(readFileSync(join(root, link), "utf8").length).toBeGreaterThan(0);
  });
});
