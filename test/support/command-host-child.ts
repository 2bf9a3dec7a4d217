// Runs the command lines that come as messages. The answer to each is what it has written, and its exit status.
import type { Worker } from "node:worker_threads";
import { commands } from "../../runtime/cli/commands.ts";
import { reportProblem } from "../../runtime/cli/problem.ts";
import { runCommandLine } from "../../runtime/cli/program.ts";
import type { Ended, Line } from "./command-host.ts";

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const kept = Object.entries(process.env).filter(([name]) => /^(PATH|NODE_.*)$/.test(name));
const threads = new Set<Worker>();
process.on("worker", (thread) => {
  threads.add(thread);
  thread.once("exit", () => threads.delete(thread));
});

process.on("message", (line: Line) => {
  void run(line).then((ended) => process.send?.(ended));
});

async function run({ args, env, folder }: Line): Promise<Ended> {
  const before = process.cwd();
  const written = { stdout: "", stderr: "" };
  const write = { stdout: process.stdout.write, stderr: process.stderr.write };
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, Object.fromEntries(kept), env);
  process.chdir(folder);
  for (const name of ["stdout", "stderr"] as const)
    process[name].write = (part: string | Uint8Array, ...more: unknown[]) => {
      written[name] += Buffer.from(part).toString();
      const done = more.at(-1);
      if (typeof done === "function") setImmediate(() => done());
      return true;
    };
  try {
    const code = await runCommandLine(commands, args).catch((thrown: unknown) => reportProblem(thrown));
    return { code, out: written.stdout, err: written.stderr };
  } finally {
    // What the process of a command leaves behind at its end.
    await Promise.all([...threads].map((thread) => thread.terminate()));
    for (const signal of signals) process.removeAllListeners(signal);
    for (const name of ["stdout", "stderr"] as const) process[name].write = write[name];
    process.chdir(before);
  }
}
