import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { agentKey } from "../../main/settings/settings-check.ts";

type Members = Readonly<Record<string, unknown>>;

/** How a client starts Tenon: a command of this machine, with variables that its user fills in. */
export interface LocalServer {
  readonly command: string;
  readonly args: readonly string[];
  /** Variables with the values that they have. */
  readonly env: Readonly<Record<string, string>>;
  /** Variables that hold secrets. */
  readonly secrets: readonly string[];
}

/** A program that uses tools of the Model Context Protocol. */
export interface McpClient {
  /** Its name for people. */
  readonly title: string;
  /** Where secrets come from: the environment of the client, a question to its user, or its file itself. */
  readonly secretsFrom: { readonly [form in "local" | "service"]: "environment" | "question" | "file" };
  readonly format: "json" | "toml";
  /** The file with its configuration, for this user or this folder. */
  file(environment: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string;
  /** Where in the file its servers are. */
  readonly servers: string;
  local(server: LocalServer): Members;
  /** The same for a service that runs. */
  service(url: string, server: LocalServer): Members;
  /** Values that the client asks its user for when it starts a server. */
  inputs?(secrets: readonly string[]): readonly { readonly id: string }[];
}

const mcpUrl = (url: string) => `${url.replace(/\/$/, "")}/mcp`;
const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` });

function stdio({ command, args, env, secrets }: LocalServer, secretValue: (name: string) => string) {
  return { command, args, env: { ...env, ...Object.fromEntries(secrets.map((name) => [name, secretValue(name)])) } };
}

/** A value of the environment in which the client runs; empty where it is not set. */
const claudeCodeVariable = (name: string) => `\${${name}:-}`;
const cursorVariable = (name: string) => `\${env:${name}}`;
const inputId = (name: string) => name.toLowerCase().replaceAll("_", "-");
const vscodeInput = (name: string) => `\${input:${inputId(name)}}`;

/** The clients for which there is a configuration, by the name that the command takes. */
export const mcpClients = {
  "claude-code": {
    title: "Claude Code",
    secretsFrom: { local: "environment", service: "environment" },
    format: "json",
    file: () => resolve(".mcp.json"),
    servers: "mcpServers",
    local: (server) => ({ type: "stdio", ...stdio(server, claudeCodeVariable) }),
    service: (url) => ({ type: "http", url: mcpUrl(url), headers: bearer(claudeCodeVariable(agentKey)) }),
  },
  "claude-desktop": {
    title: "Claude Desktop",
    secretsFrom: { local: "file", service: "file" },
    format: "json",
    file: ({ APPDATA }, platform) => {
      const own = {
        darwin: join(homedir(), "Library/Application Support"),
        win32: APPDATA ?? join(homedir(), "AppData/Roaming"),
      };
      const folder = platform === "darwin" || platform === "win32" ? own[platform] : join(homedir(), ".config");
      return join(folder, "Claude/claude_desktop_config.json");
    },
    servers: "mcpServers",
    local: (server) => stdio(server, () => ""),
    // Its file names commands only, so the command passes calls on to the service.
    service: (url, { command, args }) => stdio({ command, args, env: { TENON_URL: url }, secrets: ["TENON_API_KEY"] }, () => ""),
  },
  cursor: {
    title: "Cursor",
    secretsFrom: { local: "environment", service: "environment" },
    format: "json",
    file: () => join(homedir(), ".cursor/mcp.json"),
    servers: "mcpServers",
    local: (server) => stdio(server, cursorVariable),
    service: (url) => ({ url: mcpUrl(url), headers: bearer(cursorVariable(agentKey)) }),
  },
  vscode: {
    title: "VS Code",
    secretsFrom: { local: "question", service: "question" },
    format: "json",
    file: () => resolve(".vscode/mcp.json"),
    servers: "servers",
    local: (server) => ({ type: "stdio", ...stdio(server, vscodeInput) }),
    service: (url) => ({ type: "http", url: mcpUrl(url), headers: bearer(vscodeInput(agentKey)) }),
    inputs: (secrets) => secrets.map((name) => ({ id: inputId(name), type: "promptString", description: name, password: true })),
  },
  codex: {
    title: "Codex",
    secretsFrom: { local: "file", service: "environment" },
    format: "toml",
    file: ({ CODEX_HOME }) => join(CODEX_HOME || join(homedir(), ".codex"), "config.toml"),
    servers: "mcp_servers",
    local: (server) => stdio(server, () => ""),
    service: (url) => ({ url: mcpUrl(url), bearer_token_env_var: agentKey }),
  },
} as const satisfies Readonly<Record<string, McpClient>>;
