import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ownerToken } from "../../runtime/simulated/github/tokens.ts";
import { type ChaosPlace, makeChaosPlace } from "../e2e/support/chaos.ts";
import { endsWithTests } from "../support/ends-with-tests.ts";
import { type Platform, startPlatform } from "../support/github/start.ts";
import type { Line } from "./history.ts";

// The processes of histories: two services and three workers over one PostgreSQL server, which they reach through a proxy that breaks.

const apiKey = "key-of-the-histories-6f1d9c0b7a3e5824";
const executePath = "/api/v1/integrations/connectors/github/execute";
const command = join(import.meta.dirname, "../../runtime/cli/tenon.js");

/** A process that may be killed, suspended and started again. */
export interface Process {
  child: ChildProcess;
  /** Starts it again after it has ended. */
  again(): void;
}

export interface Service extends Process {
  /** Sends a write with an idempotency key. @returns status and body; undefined where no response came */
  create(key: string): Promise<{ readonly status: number; readonly text: string } | undefined>;
  ready(): Promise<void>;
}

export interface Fleet {
  readonly place: ChaosPlace;
  readonly platform: Platform;
  readonly services: readonly Service[];
  /** Starts a worker. @param told takes each line of the history that it prints */
  startWorker(name: string, instance: string, keys: number, told: (line: Line) => void): Process;
  close(): Promise<void>;
}

export async function startFleet(): Promise<Fleet> {
  const place = await makeChaosPlace(false);
  const platform = await startPlatform();
  const folder = mkdtempSync(join(tmpdir(), "tenon-histories-"));
  const children = new Set<ChildProcess>();
  const start = (args: readonly string[], env: Readonly<Record<string, string>>) => {
    const child = endsWithTests(
      spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "ignore"] }),
    );
    children.add(child);
    child.once("exit", () => children.delete(child));
    return child;
  };
  const env = {
    ...{ GITHUB_TOKEN: ownerToken, GITHUB_API_URL: platform.url, GITHUB_GRAPHQL_URL: platform.graphqlUrl, PORT: "0" },
    ...{ TENON_API_KEY: apiKey, TENON_SECRET_KEY: "secret-key-of-the-histories-of-tenon", TENON_DATABASE_URL: place.url },
  };
  const services = ["one", "two"].map((name) =>
    serviceOf(() => start([command, "serve"], { ...env, TENON_DATA_DIR: join(folder, name) })),
  );
  await Promise.all(services.map((service) => service.ready()));
  return {
    place,
    platform,
    services,
    startWorker: (name, instance, keys, told) => {
      let starts = 0;
      const begin = () => {
        const args = [place.url, `${name}.${++starts}`, instance, String(keys)];
        const child = start([join(import.meta.dirname, "worker.ts"), ...args], {});
        createInterface({ input: child.stdout }).on("line", (line) => told(JSON.parse(line) as Line));
        return child;
      };
      const worker: Process = {
        child: begin(),
        again: () => {
          worker.child = begin();
        },
      };
      return worker;
    },
    close: async () => {
      await Promise.all([...children].map(ended));
      await platform.close();
      await place.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Kills a process. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
}

function serviceOf(start: () => ChildProcess): Service {
  let url: Promise<string> = Promise.resolve("");
  const begin = () => {
    const child = start();
    url = new Promise((resolve) => {
      if (child.stdout === null) return;
      // Where it ends, requests fail instead of waiting for its address.
      child.once("exit", () => resolve(""));
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line.includes('"listening"')) resolve((JSON.parse(line) as { url: string }).url);
      });
    });
    return child;
  };
  const send = async (path: string, init: RequestInit = {}) => {
    const response = await fetch((await url) + path, { ...init, signal: AbortSignal.timeout(15_000) });
    return { status: response.status, text: await response.text() };
  };
  const service: Service = {
    child: begin(),
    again: () => {
      service.child = begin();
    },
    create: (key) => {
      const params = { owner: "octocat", repo: "hello-world", title: key };
      const body = JSON.stringify({ entity: "issues", action: "create", params });
      const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json", "idempotency-key": key };
      return send(executePath, { method: "POST", headers, body }).catch(() => undefined);
    },
    ready: async () => {
      while ((await send("/readyz").catch(() => undefined))?.status !== 200) {
        // A service that finds no database when it starts ends. Whoever runs one starts it again.
        if (service.child.exitCode !== null || service.child.signalCode !== null) service.again();
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    },
  };
  return service;
}
