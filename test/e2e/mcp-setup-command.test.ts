import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it } from "vitest";
import { mcpClients } from "../../runtime/cli/mcp/mcp-clients.ts";
import { readTexts } from "../../runtime/site/sources.ts";
import { withTables } from "../../runtime/site/tables.ts";
import { openProcesses } from "./support/process.ts";

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

/** Runs `tenon mcp setup` in a folder that is the home of its user too. */
async function setup(args: readonly string[], before?: { readonly file: string; readonly text: string }) {
  const { start, folder, close } = openProcesses();
  try {
    const home = folder();
    if (before !== undefined) {
      mkdirSync(dirname(join(home, before.file)), { recursive: true });
      writeFileSync(join(home, before.file), before.text);
    }
    const run = async () => {
      const running = start({ HOME: home, CODEX_HOME: "" }, ["mcp", "setup", ...args], home);
      return { code: await running.exit, out: running.out(), err: running.err() };
    };
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
    expect([first.code, first.err, once]).toEqual([0, "", undefined]);
    expect(first.out).toContain(join(home, fileOf(client)));
    expect(first.out).toContain(process.execPath);
    expect(first.out).toContain(join(import.meta.dirname, "../../runtime/cli/tenon.js"));
    expect(first.out).toContain(join(home, ".tenon"));
    for (const text of ["GITHUB_TOKEN", "http://127.0.0.1:8787", "TENON_API_KEY"]) expect(first.out).toContain(text);
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
      headers: { Authorization: `Bearer \${TENON_API_KEY:-}` },
    });
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
    await client.connect(new StdioClientTransport({ command, args, env, cwd: home, stderr: "ignore" }));
    const { tools } = await client.listTools();
    await client.close();
    rmSync(home, { recursive: true });
    expect(tools.map(({ name }) => name)).toContain("search");
  });
});
