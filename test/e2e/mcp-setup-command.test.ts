import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it } from "vitest";
import { mcpClients } from "../../runtime/cli/mcp/mcp-clients.ts";
import { readTexts } from "../../runtime/site/sources.ts";
import { withTables } from "../../runtime/site/tables.ts";
import { useCommandHost } from "../support/command-host.ts";
import { openProcesses } from "./support/process.ts";

const program = join(import.meta.dirname, "../../runtime/cli/tenon.js");

/** Where each client has its file, in the home folder or in the folder of the project. */
const files = {
  "claude-code": ".mcp.json",
  "claude-desktop": { linux: ".config/Claude", darwin: "Library/Application Support/Claude" },
  cursor: ".cursor/mcp.json",
  vscode: ".vscode/mcp.json",
  codex: ".codex/config.toml",
} as const satisfies Readonly<Record<keyof typeof mcpClients, unknown>>;

function fileOf(client: keyof typeof files): string {
  const file = files[client];
  return typeof file === "string"
    ? file
    : join(file[process.platform === "darwin" ? "darwin" : "linux"], "claude_desktop_config.json");
}

const host = useCommandHost();

/** Runs `tenon mcp setup` in a folder that is the home of its user too. */
async function setup(
  args: readonly string[],
  before?: { readonly file: string; readonly text: string },
  env: Readonly<Record<string, string>> = {},
) {
  const { folder, close } = openProcesses();
  try {
    const home = folder();
    if (before !== undefined) {
      mkdirSync(dirname(join(home, before.file)), { recursive: true });
      writeFileSync(join(home, before.file), before.text);
    }
    const settings = { HOME: home, CODEX_HOME: "", TENON_DATA_DIR: join(home, ".tenon"), ...env };
    const run = () => host.run(["mcp", "setup", ...args], settings, home);
    const first = await run();
    const read = (file: string) => (existsSync(join(home, file)) ? readFileSync(join(home, file), "utf8") : undefined);
    const [client = ""] = args;
    const file = client in files ? fileOf(client as keyof typeof files) : "none";
    const once = read(file);
    const second = await run();
    const folderOf = dirname(join(home, file));
    const backups = existsSync(folderOf) ? readdirSync(folderOf).filter((name) => name.endsWith(".bak")) : [];
    const mode = once === undefined ? undefined : statSync(join(home, file)).mode & 0o777;
    return {
      home,
      first,
      second,
      once,
      twice: read(file),
      backups,
      mode,
      backup: backups[0] && readFileSync(join(folderOf, backups[0]), "utf8"),
    };
  } finally {
    await close();
  }
}

const quickstart = withTables(readTexts().get("quickstart-agent") ?? "", []);
const clients = Object.keys(mcpClients) as (keyof typeof mcpClients)[];

describe("tenon mcp setup", () => {
  it.concurrent.each(clients)("prints the configuration of %s with absolute paths, and changes nothing", async (client) => {
    const { home, first, once } = await setup([client]);
    expect([first.code, once]).toEqual([0, undefined]);
    // The cache has to be filled where the client will look for it.
    expect(first.err).toBe(
      `The cache in ${join(home, ".tenon")} is empty. Fill it before you ask the agent: TENON_DATA_DIR=${join(home, ".tenon")} node ${program} sync figma --scope team=1001\n`,
    );
    expect(first.out).toContain(join(home, fileOf(client)));
    expect(first.out).toContain(process.execPath);
    expect(first.out).toContain(program);
    expect(first.out).toContain(join(home, ".tenon"));
    for (const text of [
      "GITHUB_TOKEN",
      "http://127.0.0.1:8787",
      client === "claude-desktop" ? "TENON_API_KEY" : "TENON_AGENT_KEY",
    ])
      expect(first.out).toContain(text);
    expect(first.out).not.toMatch(/npx|npm/);
  });

  it.concurrent.each(clients)("prints for %s what the quickstart shows, with the paths of this machine", async (client) => {
    const { home, first } = await setup([client, "--connector", "github"]);
    const shown = new RegExp(`\`\`\`\\w+ tab ${client}\\n([\\s\\S]*?)\`\`\``).exec(quickstart)?.[1] ?? "none";
    const printed = first.out
      .replaceAll(process.execPath, "/path/to/node")
      .replaceAll(join(import.meta.dirname, "../.."), "/path/to/tenon")
      .replaceAll(home, "/path/to/tenon");
    expect(printed).toContain(shown);
  });

  it.concurrent.each(clients)("writes it for %s with --apply, once", async (client) => {
    const { first, second, once, twice, backups, mode } = await setup([client, "--apply"]);
    expect([first.code, second.code, twice, backups, mode]).toEqual([0, 0, once, [], 0o600]);
    expect(once).toContain(process.execPath);
    expect(second.err).toContain("already");
  });

  it("keeps a copy of the file that it changes", async () => {
    const text = '{"mcpServers":{"other":{"command":"x"}}}';
    const { first, once, backup, backups } = await setup(["cursor", "--apply", "--write", "--connector", "github"], {
      file: ".cursor/mcp.json",
      text,
    });
    expect([first.code, backup, backups.length]).toEqual([0, text, 1]);
    const { mcpServers } = JSON.parse(once ?? "");
    expect(mcpServers).toMatchObject({
      other: { command: "x" },
      tenon: { args: [expect.any(String), "mcp", "--write", "--connector", "github"] },
    });
    expect(Object.keys(mcpServers.tenon.env)).toEqual(["TENON_DATA_DIR", "GITHUB_TOKEN"]);
  });

  it("changes nothing that it cannot read, and says what to add", async () => {
    const text = '// mine\n{"servers":{}}';
    const { first, once, backups } = await setup(["vscode", "--apply"], { file: ".vscode/mcp.json", text });
    expect([first.code, once, backups]).toEqual([78, text, []]);
    expect(JSON.parse(first.err).message).toContain(process.execPath);
  });

  it("names the service that --url names", async () => {
    const { once } = await setup(["claude-code", "--apply", "--url", "https://tenon.example/"]);
    expect(JSON.parse(once ?? "").mcpServers.tenon).toEqual({
      type: "http",
      url: "https://tenon.example/mcp",
      headers: { Authorization: `Bearer \${TENON_AGENT_KEY:-}` },
    });
  });

  it.concurrent.each([
    [
      "claude-code",
      "from a shell in which GITHUB_TOKEN is set (not set in this shell: GITHUB_TOKEN). Without it, GitHub is simulated",
    ],
    ["vscode", "Restart VS Code, and enter GITHUB_TOKEN when it asks."],
    ["codex", "config.toml, where it stays as plain text, and restart Codex."],
  ] as const)("says for %s where the token goes, and what comes without it", async (client, advice) => {
    const { first } = await setup([client, "--connector", "github", "--apply"]);
    expect(first.err).toContain(advice);
  });

  it("passes on what narrows the agent or names its data, because a client passes on nothing else", async () => {
    const settings = {
      TENON_POLICY: "policy.yaml",
      TENON_SIMULATE: "github",
      TENON_CONNECTORS: join(import.meta.dirname, "../../generated/index.ts"),
      GITHUB_API_URL: "https://github.example/api",
      GITHUB_GRAPHQL_URL: "https://github.example/graphql",
      TENON_DATABASE_URL: "postgres://tenon:password@db.example/tenon",
    };
    const { first, once, home } = await setup(["cursor", "--connector", "github", "--apply"], undefined, settings);
    expect(first.code, first.err).toBe(0);
    expect(JSON.parse(once ?? "").mcpServers.tenon.env).toEqual({
      TENON_DATA_DIR: join(home, ".tenon"),
      TENON_POLICY: join(home, "policy.yaml"),
      TENON_SIMULATE: "github",
      TENON_CONNECTORS: settings.TENON_CONNECTORS,
      GITHUB_API_URL: "https://github.example/api",
      GITHUB_GRAPHQL_URL: "https://github.example/graphql",
      GITHUB_TOKEN: `\${env:GITHUB_TOKEN}`,
      TENON_DATABASE_URL: `\${env:TENON_DATABASE_URL}`,
    });
  });

  it("warns where the policy requires approvals, which only a service has", async () => {
    const policy = { file: "policy.yaml", text: "rules: [{ entity: issues, effect: require_approval }]\n" };
    const { first } = await setup(["cursor", "--connector", "github", "--write"], policy, { TENON_POLICY: "policy.yaml" });
    expect(first.err).toContain("only a service has them");
  });

  it("takes the data folder beside the program where neither the settings nor this folder have one", async () => {
    const { start, folder, close } = openProcesses();
    try {
      const clone = folder();
      symlinkSync(join(import.meta.dirname, "../../runtime"), join(clone, "runtime"));
      mkdirSync(join(clone, ".tenon"));
      const project = folder();
      const own = spawnSync(process.execPath, [join(clone, "runtime/cli/tenon.js"), "mcp", "setup", "claude-code"], {
        cwd: project,
        env: {},
        encoding: "utf8",
      });
      expect([own.status, own.stderr]).toEqual([0, ""]);
      expect(own.stdout).toContain(`"TENON_DATA_DIR": "${join(clone, ".tenon")}"`);
      mkdirSync(join(project, ".tenon"));
      const here = start({}, ["mcp", "setup", "claude-code"], project);
      await here.exit;
      expect(here.out()).toContain(`"TENON_DATA_DIR": "${join(project, ".tenon")}"`);
      const both = spawnSync(process.execPath, [join(clone, "runtime/cli/tenon.js"), "mcp", "setup", "claude-code"], {
        cwd: project,
        env: {},
        encoding: "utf8",
      });
      expect(both.stderr).toBe(
        `There are two caches: the agent uses ${join(project, ".tenon")}, and not ${join(clone, ".tenon")}. To use that one, set TENON_DATA_DIR=${join(clone, ".tenon")}.\n`,
      );
    } finally {
      await close();
    }
  });

  it("refuses flags that a client which calls a service itself would lose", async () => {
    const url = ["--url", "https://tenon.example", "--write", "--connector", "github"];
    const [refused, passed] = await Promise.all([setup(["claude-code", ...url]), setup(["claude-desktop", ...url, "--apply"])]);
    expect([refused.first.code, refused.once]).toEqual([64, undefined]);
    expect(JSON.parse(refused.first.err).message).toBe(
      '--write and --connector cannot be combined with --url, because Claude Code calls the service itself. The key of the agent decides: tenon key create agent --right read --right write --instance github. The service offers the tool "write" with TENON_MCP_WRITES=true.',
    );
    expect(JSON.parse(passed.once ?? "").mcpServers.tenon.args).toEqual([program, "mcp", "--write", "--connector", "github"]);
    expect(passed.first.err).toContain("Fill in TENON_API_KEY");
  });

  it.concurrent.each([
    ["--connector", "githb", 'There is no connector "githb"; did you mean "github"?'],
    ["--connector", "zzzzzz", 'There is no connector "zzzzzz"; there is figma, github,'],
    ["--url", "foo", "--url must be an http or https address without user, query and fragment"],
    ["--url", "https://tenon.example/?key=1", "--url must be an http or https address without user, query and fragment"],
  ])("changes nothing for %s %s", async (flag, value, message) => {
    const { first, once } = await setup(["cursor", flag, value, "--apply"]);
    expect([first.code === 0, once]).toEqual([false, undefined]);
    expect(JSON.parse(first.err).message).toContain(message);
  });

  it("starts no server for a connector that there is not", async () => {
    const { code, err } = await host.run(["mcp", "--connector", "githb"], { TENON_DATA_DIR: "/nowhere" });
    expect([code, JSON.parse(err).message]).toEqual([66, 'There is no connector "githb"; did you mean "github"?']);
  });

  it("names the clients that there are for another one", async () => {
    const { first } = await setup(["emacs"]);
    expect([first.code, JSON.parse(first.err).message]).toEqual([
      64,
      'there is no configuration for "emacs"; there is claude-code, claude-desktop, cursor, vscode, codex',
    ]);
  });

  it("gives a configuration with which a client has the tools", async () => {
    const { once, home } = await setup(["claude-desktop", "--apply"]);
    const { command, args, env } = JSON.parse(once ?? "").mcpServers.tenon;
    const client = new Client({ name: "test", version: "1" });
    mkdirSync(home, { recursive: true });
    // What a client passes on that does not replace the placeholder of another client's file.
    const given = { ...env, GITHUB_TOKEN: `\${GITHUB_TOKEN:-}` };
    await client.connect(new StdioClientTransport({ command, args, env: given, cwd: home, stderr: "ignore" }));
    expect(client.getInstructions()).toMatch(
      /SIMULATED: figma, github, gitlab, jira, linear, notion, slack, stripe\..*Tell the user: Not set: GITHUB_TOKEN\./,
    );
    const { tools } = await client.listTools();
    await client.close();
    rmSync(home, { recursive: true });
    expect(tools.map(({ name }) => name)).toContain("search");
  });
});
