import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { Connector } from "../../../runtime/contract/index.ts";
import { type Service, startService } from "../../../runtime/main/index.ts";
import { readSettings, type Settings } from "../../../runtime/main/settings/settings.ts";
import { ownerToken, tokens } from "../../../runtime/simulated/github/tokens.ts";
import type { Json } from "../../simulator/client.ts";
import { tokenCredential } from "../../support/credential.ts";
import { type Platform, startPlatform } from "../../support/github/start.ts";
import { faultsOf } from "../../support/openapi.ts";

/** Long enough for the redactor to know it as a secret, and found nowhere else. */
export const apiKey = "e2e-key-6f1d9c0b7a3e5824";
export const executePath = "/api/v1/integrations/connectors/github/execute";

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `{}` where the text is not JSON. */
  readonly body: Json;
}

export interface Options extends Partial<Settings> {
  /** Those of this repository, when absent. `platforms` then has a token for each that is to be real. */
  readonly connectors?: readonly Connector[];
  readonly token?: string;
  /** Replaces the addresses of the simulated platform. */
  readonly rest?: string;
  readonly graphql?: string;
}

export interface Call {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A running service and what a test does with it. */
export interface Tenon {
  readonly url: string;
  readonly dataDir: string;
  readonly service: Service;
  /** Every line that the service has logged. */
  readonly log: readonly string[];
  run(entity: string, action: string, params?: object, call?: Call): Promise<Reply>;
  /** A bare request; the body is sent as it is. */
  send(
    method: string,
    path: string,
    body: string | Uint8Array | undefined,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
}

const { platforms: _, dataDir: __, ...usual } = readSettings({}, []).settings;

/** The defaults of the service, but for what a test should not wait for or share. */
export const defaultSettings: Omit<Settings, "platforms" | "dataDir"> = {
  ...usual,
  port: 0,
  apiKey,
  databaseConnections: 4,
  logLevel: "trace",
  timeoutMs: 20_000,
  shutdownMs: 1000,
};

export const authorized = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };

/** Starts the service on a platform. Its log is kept, not printed. */
export async function startTenon(platform: Pick<Platform, "url" | "graphqlUrl">, options: Options = {}): Promise<Tenon> {
  const { token = ownerToken, rest = platform.url, graphql = platform.graphqlUrl, connectors, ...settings } = options;
  const log: string[] = [];
  const platforms = { github: { credential: tokenCredential(token), rest, graphql } };
  const dataDir = mkdtempSync(join(tmpdir(), "tenon-e2e-"));
  const sink = { write: (line: string) => void log.push(line) };
  const started = await startService(
    { dataDir, platforms, ...defaultSettings, ...settings },
    {
      sink,
      ...(connectors === undefined ? {} : { connectors }),
    },
  );
  const close = async () => {
    const clean = await started.close();
    rmSync(dataDir, { recursive: true, force: true });
    return clean;
  };
  const service = { ...started, close };
  await service.ready;
  return {
    url: service.url,
    dataDir: settings.dataDir ?? dataDir,
    service,
    log,
    send: sendTo(service.url),
    run: (entity, action, params, { headers = {}, signal } = {}) =>
      request(`${service.url}${executePath}`, {
        method: "POST",
        headers: { ...authorized, ...headers },
        body: JSON.stringify({ entity, action, ...(params === undefined ? {} : { params }) }),
        ...(signal === undefined ? {} : { signal }),
      }),
  };
}

/** Sends bare requests to the service at an address. */
export function sendTo(url: string): Tenon["send"] {
  return (method, path, body, headers = authorized) =>
    request(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body: copy(body) }) });
}

/** `fetch` takes bytes over a plain ArrayBuffer only. */
function copy(body: string | Uint8Array): string | Uint8Array<ArrayBuffer> {
  return typeof body === "string" ? body : Uint8Array.from(body);
}

async function request(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, init);
  const text = await response.text();
  expectNoSecret(text);
  expectDescribed(url, init, response, text);
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

/** Every answer that a test sees is one that the OpenAPI documents describe. */
function expectDescribed(url: string, { method = "GET", body }: RequestInit, { status, headers }: Response, text: string): void {
  const type = headers.get("content-type") ?? "";
  const asked = typeof body === "string" ? parse(body) : {};
  const faults = faultsOf({
    method,
    path: new URL(url).pathname,
    body: asked,
    status,
    type,
    text: method === "HEAD" ? "" : text,
  });
  if (faults.length > 0)
    expect(faults, `${method} ${url} ${String(body).slice(0, 500)} -> ${status} ${text.slice(0, 500)}`).toEqual([]);
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

const secrets = [apiKey, ...tokens.map((one) => one.token)];

/** Fails if a text contains the service's key or a token of the platform. One search is cheaper than an assertion for each secret. */
export function expectNoSecret(text: string): void {
  const found = secrets.find((secret) => text.includes(secret));
  if (found !== undefined) expect(text).not.toContain(found);
}

/** One platform and one service for all tests of a file. */
export function useTenon(options: Options = {}): { readonly platform: Platform; readonly tenon: Tenon } {
  let running: { platform: Platform; tenon: Tenon } | undefined;
  beforeAll(async () => {
    const platform = await startPlatform();
    running = { platform, tenon: await startTenon(platform, options) };
  });
  afterAll(async () => {
    await running?.tenon.service.close();
    await running?.platform.close();
    expectNoSecret(running?.tenon.log.join("") ?? "");
  });
  const get = () => {
    if (running === undefined) throw new Error("nothing runs outside of a test");
    return running;
  };
  return {
    get platform() {
      return get().platform;
    },
    get tenon() {
      return get().tenon;
    },
  };
}

/**
 * One platform for all tests of a file, as seeded before each. `start` gives a service that ends with the test, so that a pause that the
 * service made in one test does not reach the next. `shared` gives one service to all tests that make no pauses, which is faster: one for
 * each token of the platform.
 *
 * @param each options of every service
 */
export function usePlatform(each: Options = {}): {
  readonly platform: Platform;
  start(options?: Options): Promise<Tenon>;
  shared(token?: string): Promise<Tenon>;
} {
  let platform: Platform | undefined;
  let started: Tenon[] = [];
  const shared = new Map<string, Promise<Tenon>>();
  beforeAll(async () => {
    platform = await startPlatform();
  });
  afterEach(async () => {
    await Promise.all(started.map((one) => one.service.close()));
    const logged = started.flatMap((one) => one.log);
    started = [];
    platform?.reset();
    expectNoSecret(logged.join(""));
  });
  afterAll(async () => {
    const all = await Promise.all(shared.values());
    await Promise.all(all.map((tenon) => tenon.service.close()));
    await platform?.close();
    for (const { log } of all) expectNoSecret(log.join(""));
  });
  const get = () => {
    if (platform === undefined) throw new Error("nothing runs outside of a test");
    return platform;
  };
  return {
    get platform() {
      return get();
    },
    async start(options) {
      const tenon = await startTenon(get(), { ...each, ...options });
      started.push(tenon);
      return tenon;
    },
    shared(token = ownerToken) {
      const tenon = shared.get(token) ?? startTenon(get(), { ...each, token });
      shared.set(token, tenon);
      return tenon;
    },
  };
}

/** A platform and a service for one test alone, so that tests that wait may run beside each other. */
export async function alone(
  options: Options,
  test: (running: { readonly platform: Platform; readonly tenon: Tenon }) => Promise<void>,
): Promise<void> {
  const platform = await startPlatform();
  const tenon = await startTenon(platform, options);
  try {
    await test({ platform, tenon });
  } finally {
    await tenon.service.close();
    await platform.close();
  }
  expectNoSecret(tenon.log.join(""));
}

/** Waits until something is so, for so many milliseconds at the longest. */
export async function until(holds: () => boolean, longest = 100_000): Promise<void> {
  const end = performance.now() + longest;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`it did not come so: ${holds}`);
    await pause(10);
  }
}

export const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** The elements of a list in JSON. */
export const list = (value: Json | undefined): Json[] => Object.values(value ?? {});

/** An answer that must be 200; gives its body. */
export function good(reply: Reply): Json {
  expect(reply.status, reply.text.slice(0, 2000)).toBe(200);
  expect(reply.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(Object.keys(reply.body)).toEqual(["data", "meta"]);
  return reply.body;
}

/** An answer that must be a problem with this code. */
export function bad(reply: Reply, status: number, code: string): Json {
  expect([reply.status, reply.body["code"]], reply.text.slice(0, 2000)).toEqual([status, code]);
  expect(reply.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  return reply.body;
}
