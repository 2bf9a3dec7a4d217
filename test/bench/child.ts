import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** Starts a program of a benchmark in a process of its own. @returns it, and the first thing that it sends: its address, mostly */
export async function started(
  file: string,
  args: readonly string[],
  execArgv: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const options = { env: { ...process.env, ...env, NODE_ENV: "production" }, execArgv: [...process.execArgv, ...execArgv] };
  const child = fork(new URL(file, import.meta.url), args, options);
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${file} ended before it was ready`)));
  ended.catch(() => undefined);
  const [url] = (await Promise.race([once(child, "message"), ended])) as [string];
  return { child, url };
}

export interface Memory {
  readonly rss: number;
  readonly heapUsed: number;
}

/** MiB of the service after everything that is not needed is gone. */
export async function memoryOf(child: ChildProcess): Promise<Memory> {
  child.send("memory");
  const [{ rss, heapUsed }] = (await once(child, "message")) as [NodeJS.MemoryUsage];
  return { rss: rss / 2 ** 20, heapUsed: heapUsed / 2 ** 20 };
}
