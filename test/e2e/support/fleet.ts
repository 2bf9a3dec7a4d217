import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { parse } from "yaml";
import { ownerToken } from "../../../runtime/simulated/github/tokens.ts";
import type { Platform } from "../../support/github/start.ts";
import { openProcesses, type Running } from "./process.ts";
import { apiKey, sendTo, type Tenon } from "./service.ts";

/** A service as a process of its own. */
export interface FleetService extends Pick<Tenon, "url" | "send"> {
  readonly running: Running;
}

export interface Fleet {
  readonly services: readonly FleetService[];
  /** The workers that were started at first. */
  readonly workers: readonly Running[];
  /** Starts one more worker. @param more settings of its own */
  startWorker(more?: Readonly<Record<string, string>>): Running;
  /** Everything that the processes have written. */
  written(): string;
  close(): Promise<void>;
}

export interface FleetOptions {
  readonly services: number;
  readonly workers: number;
  readonly databaseUrl: string;
  readonly secretKey: string;
  /** Further settings of all processes. */
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the services and workers of `compose.yaml` as often as asked for, over one database and one platform. */
export async function startFleet(platform: Platform, options: FleetOptions): Promise<Fleet> {
  const { start, folder, close } = openProcesses();
  const operator = {
    ...{ POSTGRES_PASSWORD: "password", TENON_API_KEY: apiKey, TENON_SECRET_KEY: options.secretKey, GITHUB_TOKEN: ownerToken },
    ...options.env,
  };
  const env = {
    ...environmentOf(operator, options.databaseUrl),
    ...{ GITHUB_API_URL: platform.url, GITHUB_GRAPHQL_URL: platform.graphqlUrl },
    // All tests share one server, which allows a hundred connections.
    TENON_DATABASE_CONNECTIONS: "3",
    ...options.env,
  };
  const all: Running[] = [];
  const run = ({ command: [node, file, ...args] }: ComposeService, more: Readonly<Record<string, string>> = {}) => {
    expect([node, file]).toEqual(["node", "runtime/cli/tenon.js"]);
    const running = start({ ...env, TENON_DATA_DIR: folder(), ...more }, args);
    all.push(running);
    return running;
  };
  const { one, worker } = compose.services;
  const startWorker: Fleet["startWorker"] = (more) => run(worker, more);
  const started = Array.from({ length: options.services }, () => run(one));
  const workers = Array.from({ length: options.workers }, () => startWorker());
  const services = started.map(async (running) => {
    const url = await running.url();
    await running.told("Tenon is ready");
    return { url, send: sendTo(url), running };
  });
  const written = () => all.map(({ out, err }) => out() + err()).join("");
  return { services: await Promise.all(services), workers, startWorker, written, close };
}

interface ComposeService {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const compose: { readonly services: Readonly<Record<"one" | "two" | "worker", ComposeService>> } = parse(
  readFileSync(new URL("../../../compose.yaml", import.meta.url), "utf8"),
  { merge: true },
);

/** What the containers of `compose.yaml` get from an operator's environment, but the server of the database is another one. */
function environmentOf(operator: Readonly<Record<string, string>>, databaseUrl: string): Record<string, string> {
  const { one, two, worker } = compose.services;
  expect([two.environment, worker.environment]).toEqual([one.environment, one.environment]);
  const given = Object.entries(one.environment).map(([name, value]) => [
    name,
    value.replace(/\$\{(\w+):([-?])[^}]*\}/g, (_, variable: string, kind: string) => {
      const text = operator[variable];
      if (text === undefined && kind === "?") throw new Error(`compose.yaml needs ${variable}`);
      return text ?? "";
    }),
  ]);
  const env: Record<string, string> = Object.fromEntries(given);
  const url = new URL(databaseUrl);
  url.search = new URL(env["TENON_DATABASE_URL"] ?? "").search;
  return { ...env, TENON_DATABASE_URL: url.href };
}
