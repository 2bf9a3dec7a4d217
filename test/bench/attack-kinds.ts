import { Agent, request } from "node:http";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";

/** A key with the right `read` alone, and one with `metrics` alone, each with the usual limits. */
export interface AttackKeys {
  readonly reader: string;
  readonly metrics: string;
}

/** What is attacked, and the keys that the attacker has. */
export interface Target extends AttackKeys {
  readonly url: string;
}

export interface Attack {
  readonly name: string;
  /** Begins it. @returns a function that ends it */
  start(target: Target): () => void;
}

const execute = "/api/v1/integrations/connectors/github/execute";

interface Flood {
  readonly connections: number;
  readonly path: string;
  readonly key?: string;
  readonly body?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the same request again and again on many connections, as fast as it is answered. Without a body it is a GET. */
function flood({ url }: Target, { connections, path, key, body, headers = {} }: Flood): () => void {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  let running = true;
  const again = () => {
    if (running) setImmediate(send);
  };
  const send = () => {
    const sent = request(`${url}${path}`, {
      agent,
      method: body === undefined ? "GET" : "POST",
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        accept: "application/json, text/event-stream",
        ...(body === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
        ...headers,
      },
    });
    sent.on("response", (response) => response.resume().once("close", again));
    sent.on("error", again);
    sent.end(body);
  };
  for (let one = 0; one < connections; one++) send();
  return () => {
    running = false;
    agent.destroy();
  };
}

const names = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, index) => [`someUnknownName${index}`, 1]));
const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
const search = (filter: unknown) =>
  JSON.stringify({ entity: "issues", action: "context_store_search", params: { query: { filter }, limit: 1 } });

const listEntities = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "list_entities", arguments: {} },
});
const bomb = gzipSync(nested(500_000));
const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: names(60_000) } });
const unknown = search(names(60_000));
const deep = search(nested(500_000)).replaceAll('"[', "[").replaceAll(']"', "]");
/** As large as a valid request may be. */
const values = Array.from({ length: 1000 }, (_, index) => `a value of some length ${index}`);
const largest = search({ or: Array.from({ length: 18 }, () => ({ in: { title: values } })) });

/** Each that is measured. A new one needs an entry here and nothing else. */
export const attacks: readonly Attack[] = [
  {
    name: "gzip of 500,000 lists, right metrics",
    start: (target) =>
      flood(target, {
        connections: 90,
        path: execute,
        key: target.metrics,
        body: bomb,
        headers: { "content-encoding": "gzip" },
      }),
  },
  {
    name: "gzip of 500,000 lists, right read",
    start: (target) =>
      flood(target, { connections: 90, path: execute, key: target.reader, body: bomb, headers: { "content-encoding": "gzip" } }),
  },
  {
    name: "60,000 members in _meta",
    start: (target) => flood(target, { connections: 10, path: "/mcp", key: target.reader, body: message }),
  },
  {
    name: "60,000 unknown names in a filter",
    start: (target) => flood(target, { connections: 10, path: execute, key: target.reader, body: unknown }),
  },
  {
    name: "1 MB of nested lists",
    start: (target) => flood(target, { connections: 10, path: execute, key: target.reader, body: deep }),
  },
  {
    name: "the largest valid filter",
    start: (target) => flood(target, { connections: 10, path: execute, key: target.reader, body: largest }),
  },
  {
    name: "describe",
    start: (target) => flood(target, { connections: 32, path: execute.replace("/execute", ""), key: target.reader }),
  },
  {
    name: "list_entities",
    start: (target) => flood(target, { connections: 32, path: "/mcp", key: target.reader, body: listEntities }),
  },
  { name: "openapi", start: (target) => flood(target, { connections: 32, path: "/openapi/github.json" }) },
  { name: "3,000 requests ahead on 50 connections", start: pipelined },
];

/** Sends many requests ahead without a token, on connections that are opened again every half second. */
function pipelined({ url }: Target): () => void {
  const { hostname, port } = new URL(url);
  const text = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3_000);
  const burst = () => {
    for (let one = 0; one < 50; one++) {
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket.on("error", () => undefined).resume();
    }
  };
  burst();
  const timer = setInterval(burst, 500);
  return () => clearInterval(timer);
}
