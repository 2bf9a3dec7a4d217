import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connectors } from "../../generated/index.ts";
import { Generator } from "../../generator/generate.ts";
import { commands } from "../../runtime/cli/commands.ts";
import { overviewFile, overviewSvg } from "../../runtime/site/overview.ts";
import { readTexts } from "../../runtime/site/sources.ts";
import { githubFolder } from "../support/specs.ts";
import { followPages } from "./follow.ts";

const root = join(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const makefile = readFileSync(join(root, "Makefile"), "utf8");

function block(language: string, place = 0): string {
  const found = [...readme.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))][place]?.[1];
  if (found === undefined) throw new Error(`the README has no ${language} block`);
  return found;
}

describe("the README", () => {
  it("has an example spec of about ten lines that is a whole entity", async () => {
    const example = block("yaml");
    expect(example.trim().split("\n").length).toBeLessThanOrEqual(11);
    const { diagnostics, files } = await new Generator().generate([githubFolder({ "followers.yaml": example })]);
    expect(diagnostics).toEqual([]);
    expect(files.get("github/documents/followers.list.graphql")).toContain("followers(first: $first, after: $after)");
    expect(files.get("github/index.ts")).toContain("followers");
  });

  it("works from its top to its bottom, with the service of its first command", async () => {
    const folder = mkdtempSync(join(tmpdir(), "tenon-readme-"));
    symlinkSync(join(root, "runtime"), join(folder, "runtime"));
    const started = join(folder, "start.md");
    writeFileSync(started, "```sh serve\nmake run\n```\n\n```sh paste\nexport TENON_API_KEY=…\n```\n");
    try {
      await followPages([started, join(root, "README.md")], { folder, env: {}, root });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("has at most 130 lines, and shows two commands and a response before anything else", () => {
    const lines = readme.split("\n");
    expect(lines.length).toBeLessThanOrEqual(130);
    const first = lines.slice(0, 35).join("\n");
    for (const text of ["make run", "make test", '{"data":']) expect(first).toContain(text);
  });

  it("has a picture that follows from the spec; node runtime/site/overview.ts writes it anew", () => {
    expect(readme.match(/!\[/g)).toHaveLength(1);
    expect(readFileSync(overviewFile, "utf8")).toBe(overviewSvg());
  });

  it("counts the entities of every connector", () => {
    for (const { name, title, entities } of connectors)
      expect(readme).toContain(`| [${title}](generated/${name}/reference/index.md) | ${Object.keys(entities).length} |`);
  });

  it("names only targets of make that exist", () => {
    const named = [...readme.matchAll(/make ([a-z-]+)/g)].map((match) => match[1] ?? "");
    const targets = [...makefile.matchAll(/^([a-z-]+):/gm)].map((match) => match[1]);
    expect(named.filter((name) => !targets.includes(name))).toEqual([]);
  });

  it("imports from the package that the quickstart installs, and so do the pages of the site", () => {
    const pages = [readme, ...[...readTexts()].filter(([name]) => name !== "tutorial").map(([, text]) => text)];
    const imported = pages.flatMap((page) =>
      [...page.matchAll(/^import .* from "(tenon[^"]*)";$/gm)].map(([, from = ""]) => from),
    );
    expect(imported.length).toBeGreaterThan(5);
    expect([...new Set(imported.map((from) => from.split("/")[0]))]).toEqual(["tenon-client"]);
  });

  it("names only commands and flags of the command line that exist, and so do the pages of the site", () => {
    const pages = [readme, ...readTexts().values()];
    const named = pages.flatMap((page) =>
      [...page.matchAll(/node (?:\$TENON\/)?runtime\/cli\/tenon\.js ([^`\n]*)/g)].map(([, line = ""]) => line),
    );
    expect(named.length).toBeGreaterThan(20);
    // The command of a connector is run as it is shown.
    const own = connectors.map(({ name }) => name);
    for (const rest of named.filter((line) => /^[a-z]/.test(line) && !own.includes(line.split(" ")[0] ?? ""))) {
      const row = commands.findLast(({ name }) => rest === name || rest.startsWith(`${name} `));
      expect(row?.name, rest).toBeDefined();
      for (const [, flag = ""] of rest.matchAll(/ --([a-z-]+)/g)) expect(Object.keys(row?.flags ?? {}), rest).toContain(flag);
    }
  });

  it("links only to files that exist", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)/g)].map((match) => match[1] ?? "");
    expect(links.length).toBeGreaterThan(0);
    for (const link of links) expect(readFileSync(join(root, link), "utf8").length).toBeGreaterThan(0);
  });
});
