import { vi } from "vitest";
import { out } from "../../runtime/cli/output/standard-output.ts";

const endSignals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What a command has written, and the status that it ends with. */
export interface CommandOutput {
  readonly status: number;
  /** The lines on standard output. */
  readonly lines: readonly string[];
  readonly text: string;
  readonly errors: string;
}

/** Runs a function of a command in this process, with a terminal or a program as its reader. */
export async function outputOf(isTTY: boolean, run: () => Promise<number>): Promise<CommandOutput> {
  const written: string[] = [];
  const errors: string[] = [];
  const into = (list: string[], end: string) => (part: unknown) => list.push(`${part}${end}`) > 0;
  const before = endSignals.map((signal) => process.listeners(signal));
  const spies = [
    vi.spyOn(out, "isTTY", "get").mockReturnValue(isTTY),
    vi.spyOn(out, "columns", "get").mockReturnValue(100),
    vi.spyOn(out, "write").mockImplementation(into(written, "")),
    vi.spyOn(console, "error").mockImplementation(into(errors, "\n")),
    vi.spyOn(process.stderr, "write").mockImplementation(into(errors, "")),
  ];
  try {
    const status = await run();
    const text = written.join("");
    return { status, lines: text.replace(/\n$/, "").split("\n"), text, errors: errors.join("") };
  } finally {
    for (const spy of spies) spy.mockRestore();
    // A command listens until its process ends, which is that of all tests here.
    for (const [at, signal] of endSignals.entries())
      for (const one of process.listeners(signal)) if (before[at]?.includes(one) === false) process.off(signal, one);
  }
}

export const onTerminal = (run: () => Promise<number>) => outputOf(true, run);
export const toProgram = (run: () => Promise<number>) => outputOf(false, run);
