import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { endsWithTests } from "./ends-with-tests.ts";

/** How a command has ended, and everything that it has written. */
export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command line with its whole environment, but for what finds programs. */
export interface Line {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly folder: string;
}

/**
 * Runs command lines of `tenon` one after the other in one process, which takes a tenth of the processor time that a process for each
 * takes: most of that is spent on loading the same modules again.
 *
 * Tests of what a process does with its output, its signals and its end start one of their own.
 */
export interface CommandHost {
  /** @param folder where it is run: a folder for temporary files, when absent */
  run(args: readonly string[], env?: Line["env"], folder?: string): Promise<Ended>;
}

/** The command lines of a test file. The process starts with the first of them, and ends with the tests. */
export function useCommandHost(): CommandHost {
  let host: ChildProcess | undefined;
  let last: Promise<unknown> = Promise.resolve();
  afterAll(async () => {
    if (host?.kill() === true) await once(host, "exit");
  });
  const send = (line: Line): Promise<Ended> => {
    host ??= endsWithTests(
      fork(join(import.meta.dirname, "command-host-child.ts"), { stdio: ["ignore", "inherit", "inherit", "ipc"] }),
    );
    const { promise, resolve, reject } = Promise.withResolvers<Ended>();
    const gone = (status: number | null) =>
      reject(new Error(`the process ended with ${status} at "tenon ${line.args.join(" ")}"`));
    host.once("message", resolve).once("exit", gone);
    host.send(line);
    return promise.finally(() => host?.off("message", resolve).off("exit", gone));
  };
  return {
    run: (args, env = {}, folder = tmpdir()) => {
      const ended = last.then(() => send({ args, env, folder }));
      last = ended.catch(() => undefined);
      return ended;
    },
  };
}
