import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { commands } from "../../runtime/cli/commands.ts";
import { runCommandLine } from "../../runtime/cli/program.ts";
import { CallError, type ClientOptions } from "../../runtime/client/index.ts";
import { type Connector, sqlAction, storeAction } from "../../runtime/contract/index.ts";
import { fitted, type Meta } from "../../runtime/mcp/budget.ts";
import { clean } from "../../runtime/mcp/clean.ts";

/** The triple that every way into Tenon takes. */
export interface Triple {
  readonly entity: string;
  readonly action: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** What a way gives for a triple: the answer, or the code of the error with the places of its faults. */
export type Outcome =
  | { readonly data: unknown; readonly meta: Readonly<Record<string, unknown>> }
  | { readonly code: unknown; readonly pointers: readonly string[] };

export interface Way {
  readonly name: string;
  run(triple: Triple): Promise<Outcome>;
  /** What this way does to an answer on purpose, done to the answer of another way. */
  readonly shaped?: (outcome: Outcome) => Outcome;
  /** Whether the way can be asked for the triple at all: a tool for reads has no way to ask for a write. */
  readonly takes?: (triple: Triple) => boolean;
}

function failure(code: unknown, faults: unknown): Outcome {
  const pointers = Array.isArray(faults) ? faults.map((fault: { pointer?: unknown }) => String(fault.pointer)) : [];
  return { code, pointers: pointers.sort() };
}

/** Lists have a total for models only. */
function withoutTotal({ total_count: _, ...meta }: Meta): Meta {
  return meta;
}

/** Plain HTTP. */
export function overHttp(url: string, key: string, connector: string): Way {
  return {
    name: "HTTP",
    run: async (triple) => {
      const response = await fetch(`${url}/api/v1/integrations/connectors/${connector}/execute`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify(triple),
      });
      const body = (await response.json()) as Record<string, unknown> & Extract<Outcome, { data: unknown }>;
      return response.ok ? { data: body.data, meta: body.meta } : failure(body["code"], body["errors"]);
    },
  };
}

/** The client library, in either mode. */
export function byLibrary(name: string, ClientClass: new (options: ClientOptions) => unknown, options: ClientOptions): Way {
  const client = new ClientClass(options) as {
    execute(entity: string, action: string, params: object): Promise<Extract<Outcome, { data: unknown }>>;
    sql(sql: string, options: object): Promise<Extract<Outcome, { data: unknown }>>;
  };
  return {
    name,
    run: ({ entity, action, params: { sql, ...params } }) =>
      (action === sqlAction ? client.sql(String(sql), params) : client.execute(entity, action, params)).catch(
        (thrown: unknown) => {
          if (!(thrown instanceof CallError)) throw thrown;
          return failure(thrown.code, thrown.faults);
        },
      ),
  };
}

/** The command line on a service. It runs in this process, because a process for each case would take minutes. */
export function byCommandLine(url: string, key: string, connector: string): Way {
  return {
    name: "the command line",
    run: async ({ entity, action, params }) => {
      const written = { out: "", err: "" };
      const { stdout, stderr } = process;
      const write = { out: stdout.write, err: stderr.write };
      const env = { TENON_URL: url, TENON_API_KEY: key };
      Object.assign(process.env, env);
      const into = (name: keyof typeof written) => (text: unknown) => {
        written[name] += String(text);
        return true;
      };
      stdout.write = into("out");
      stderr.write = into("err");
      try {
        const words =
          action === sqlAction
            ? ["sql", connector, String(params["sql"]), "--json", "--limit", String(params["limit"] ?? 1000)]
            : ["execute", connector, entity, action, "--params", JSON.stringify(params)];
        const status = await runCommandLine(commands, words);
        if (status === 0) return JSON.parse(written.out) as Outcome;
        const problem = JSON.parse(written.err) as Record<string, unknown>;
        return failure(problem["code"], problem["errors"]);
      } finally {
        stdout.write = write.out;
        stderr.write = write.err;
        for (const name of Object.keys(env)) delete process.env[name];
        for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.removeAllListeners(signal);
        stdout.removeAllListeners("error");
      }
    },
  };
}

/** The tools for models. */
export async function byTools(
  url: string,
  key: string,
  connector: Connector,
): Promise<Way & { readonly client: Client; close(): Promise<void> }> {
  const client = new Client({ name: "conformance", version: "1" });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  const isWrite = ({ entity, action }: Triple) =>
    Object.entries(connector.entities[entity]?.actions ?? {}).some(([name, { traits }]) => name === action && traits.writes);
  return {
    name: "MCP",
    run: async (triple) => {
      const { entity, action, params } = triple;
      const { query, ...search } = params as { query?: object };
      const [name, args] =
        action === storeAction
          ? ["search", { entity, ...search, ...query, format: "json" }]
          : action === sqlAction
            ? ["sql", { ...params, format: "json" }]
            : isWrite(triple)
              ? ["write", { entity, action, params, format: "json" }]
              : ["read", { entity, action, params, format: "json" }];
      const result = await client.callTool({ name, arguments: { connector: connector.name, ...args } });
      const [first] = result.content as { text: string }[];
      const answer = JSON.parse(first?.text ?? "") as { error?: { code: string; errors: unknown } } & Extract<
        Outcome,
        { data: unknown }
      >;
      if (answer.error !== undefined) return failure(answer.error.code, answer.error.errors);
      return { data: answer.data, meta: withoutTotal(answer.meta) };
    },
    shaped: (outcome) => {
      if (!("data" in outcome)) return outcome;
      const { response, left } = fitted({ data: clean(outcome.data), meta: clean(withoutTotal(outcome.meta)) as Meta });
      // A page that is cut has another cursor; walks over such pages have tests of their own.
      if (left > 0) throw new Error("the example has a page that is too long for a tool");
      return { data: response.data, meta: response.meta };
    },
    // A search has no params of its own there but those that its tool names; without any, the tool fills them in.
    takes: ({ action, params }) => action !== storeAction || "query" in params,
    client,
    close: () => client.close(),
  };
}
