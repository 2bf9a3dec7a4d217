import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import type { Call } from "./task.ts";

/** What an agent wrote and got. */
export interface Exchange {
  readonly ok: boolean;
  readonly sent: string;
  readonly received: string;
}

/** An interface through which agents call. */
export interface Surface {
  readonly name: "HTTP" | "MCP" | "command line";
  call(call: Call): Promise<Exchange>;
  /** Several reads as one call; undefined where each is a call of its own. */
  readonly several?: (calls: readonly Call[]) => Promise<Exchange>;
  close(): Promise<unknown>;
}

interface Access {
  readonly url: string;
  readonly key: string;
}

/** What one exchange costs a model, in tokens of o200k_base. */
export function tokensOf({ sent, received }: Exchange): number {
  return countTokens(sent) + countTokens(received);
}

/** The request that `execute` takes for a call. */
function requestOf({ kind, entity, action, params }: Call): object {
  if (kind === "read" || kind === "write") return { entity, action, params };
  const { filter, sort, prompt, field, ...rest } = params;
  const asked = kind === "search" ? { query: { filter, sort } } : { semantic: { field, prompt, filter } };
  return { entity, action: "context_store_search", params: { ...asked, ...rest } };
}

export function overHttp({ url, key }: Access): Surface {
  return {
    name: "HTTP",
    close: async () => undefined,
    call: async (call) => {
      const sent = JSON.stringify(requestOf(call));
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const path = `/api/v1/integrations/connectors/${call.connector}/execute`;
      const response = await fetch(`${url}${path}`, { method: "POST", headers, body: sent });
      return { ok: response.ok, sent: `POST ${path} ${sent}`, received: await response.text() };
    },
  };
}

/** The text of a result of a tool. */
export function textOf({ content }: Readonly<Record<string, unknown>>): string {
  const [only] = Array.isArray(content) ? (content as readonly { readonly type?: string; readonly text?: string }[]) : [];
  return only?.type === "text" && only.text !== undefined ? only.text : JSON.stringify(content);
}

export async function overMcp({ url, key }: Access): Promise<Surface & { readonly definitions: string }> {
  const client = new Client({ name: "bench", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const { tools } = await client.listTools();
  const callTool = async (name: string, args: Record<string, unknown>): Promise<Exchange> => {
    const result = (await client.callTool({ name, arguments: args })) as CallToolResult;
    return { ok: result.isError !== true, sent: `${name} ${JSON.stringify(args)}`, received: textOf(result) };
  };
  const argumentsOf = ({ kind, connector, entity, action, params }: Call): Record<string, unknown> => {
    const { field: _only, ...search } = params;
    return kind === "read" || kind === "write" ? { connector, entity, action, params } : { connector, entity, ...search };
  };
  return {
    name: "MCP",
    definitions: JSON.stringify(tools),
    close: () => client.close(),
    call: (call) => callTool(call.kind === "semantic" ? "semantic_search" : call.kind, argumentsOf(call)),
    several: (calls) => callTool("read", { reads: calls.map(argumentsOf) }),
  };
}

const command = fileURLToPath(new URL("../../../runtime/cli/tenon.js", import.meta.url));

/** The command line, as an agent has it in a shell: each call is a process of its own. */
export function onCommandLine({ url, key }: Access): Surface {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    TENON_URL: url,
    TENON_API_KEY: key,
  };
  const cwd = mkdtempSync(join(tmpdir(), "tenon-agents-"));
  return {
    name: "command line",
    close: async () => undefined,
    call: (call) => {
      const args = argumentsOf(call);
      const sent = ["tenon", ...args.map((arg) => (/^[\w./:@=-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`))].join(
        " ",
      );
      return new Promise((resolve) => {
        execFile(process.execPath, [command, ...args], { cwd, env, maxBuffer: 2 ** 26 }, (failed, out, err) => {
          resolve({ ok: failed === null, sent, received: failed === null ? out : err });
        });
      });
    },
  };
}

function argumentsOf({ kind, connector, entity, action, params }: Call): string[] {
  const flag = (name: string) => `--${name.replaceAll("_", "-").replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  if (kind === "read" || kind === "write") {
    const flags = Object.entries(params).flatMap(([name, value]) =>
      Array.isArray(value) ? value.flatMap((one) => [flag(name), text(one)]) : [flag(name), text(value)],
    );
    return [connector, entity, action ?? "", ...flags];
  }
  const { prompt, field, sort, count, ...rest } = params;
  const sorted = Array.isArray(sort)
    ? sort.flatMap((one) => Object.entries(one as object).map(([name, order]) => `${name}:${order}`))
    : [];
  return [
    "search",
    connector,
    entity,
    ...(prompt === undefined ? [] : ["--semantic", text(prompt), "--semantic-field", text(field)]),
    ...sorted.flatMap((one) => ["--sort", one]),
    ...(count === true ? ["--count"] : []),
    ...Object.entries(rest).flatMap(([name, value]) => [flag(name), Array.isArray(value) ? value.join(",") : text(value)]),
  ];
}
