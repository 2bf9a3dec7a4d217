import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "../../simulator/client.ts";
import { command } from "../../support/command.ts";
import { endsWithTests } from "../../support/ends-with-tests.ts";
import { type Platform, startPlatform } from "../../support/github/start.ts";

export interface Running {
  readonly child: ChildProcess;
  /** What was written so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Lines of the log as JSON. */
  readonly log: () => Json[];
  /** Address, once the service listens. */
  readonly url: () => Promise<string>;
  /** Resolves when standard error holds the text. */
  readonly told: (text: string) => Promise<string>;
  readonly exit: Promise<number | null>;
}

type Environment = Readonly<Record<string, string>>;

/** The environment of the tests without what configures the service. */
function cleanEnvironment(): Record<string, string | undefined> {
  const kept = Object.entries(process.env).filter(([name]) => !/^(TENON_|GITHUB_|PORT$|HOST$|NODE_V8_COVERAGE)/.test(name));
  return Object.fromEntries(kept);
}

export interface Processes {
  /** A platform of this test's own. */
  readonly platform: Platform;
  start(env: Environment, args?: readonly string[], cwd?: string): Running;
  /** A folder of this test's own. */
  folder(): string;
}

/** Lets the tests of a file start `tenon` as a process. All that they have started ends with `close`, and their folders are gone then. */
export function openProcesses(): Omit<Processes, "platform"> & { close(): Promise<void> } {
  const children: ChildProcess[] = [];
  const folders: string[] = [];
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "tenon-e2e-"));
    folders.push(made);
    return made;
  };
  const start: Processes["start"] = (env, args = ["serve"], cwd = folder()) => {
    const child = endsWithTests(
      spawn(process.execPath, [command, ...args], {
        cwd,
        env: { ...cleanEnvironment(), PORT: "0", ...env },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
    children.push(child);
    const written = { out: "", err: "" };
    child.stdout.on("data", (chunk) => (written.out += String(chunk)));
    child.stderr.on("data", (chunk) => (written.err += String(chunk)));
    const exit = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
    const until = async (found: () => string | undefined): Promise<string> => {
      for (;;) {
        const value = found();
        if (value !== undefined) return value;
        const ended = await Promise.race([exit.then(() => true), new Promise((resolve) => setTimeout(resolve, 20, false))]);
        if (ended === true && found() === undefined) throw new Error(`tenon ended:\n${written.out}\n${written.err}`);
      }
    };
    const log = () =>
      written.out
        .split("\n")
        .filter((line) => line !== "")
        .map((line): Json => JSON.parse(line));
    return {
      child,
      exit,
      out: () => written.out,
      err: () => written.err,
      log,
      url: () =>
        until(() => {
          const line = written.out.split("\n").find((one) => one.includes('"listening"') && one.endsWith("}"));
          return line === undefined ? undefined : String(JSON.parse(line).url);
        }),
      told: (text) => until(() => (written.err.includes(text) ? written.err : undefined)),
    };
  };
  const close = async () => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  };
  return { start, folder, close };
}

/** Lets a test start `tenon` as a process, in a folder of its own that it may write into. Afterwards both are gone. */
export async function withProcesses(test: (processes: Processes) => Promise<void>): Promise<void> {
  const { close, ...processes } = openProcesses();
  const platform = await startPlatform();
  try {
    await test({ platform, ...processes });
  } finally {
    await close();
    await platform.close();
  }
}

/** Runs a command line with bash, as a person would who pasted it. */
export async function bash(line: string, env: Environment = {}): Promise<{ code: number | null; out: string; err: string }> {
  const child = endsWithTests(
    spawn("bash", ["-euo", "pipefail", "-c", line], {
      env: { ...cleanEnvironment(), ...env },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  const written = { out: "", err: "" };
  child.stdout.on("data", (chunk) => (written.out += String(chunk)));
  child.stderr.on("data", (chunk) => (written.err += String(chunk)));
  const [code] = await once(child, "close");
  return { code: typeof code === "number" ? code : null, ...written };
}
