import { fstatSync, writeSync } from "node:fs";
import { visibleText } from "../../base/visible-text.ts";
import { OutputError } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";

const gone = new AbortController();
let problem: NodeJS.ErrnoException | undefined;
let isFile: boolean | undefined;

/** Aborts when standard output takes nothing any longer: its reader has left, or its disk is full. Whatever reads on for long ends then. */
export const outputGone: AbortSignal = gone.signal;

/**
 * Standard output of a command. Every command writes here, so that what cannot be written is noticed, and that a terminal gets nothing of a
 * record that would move its cursor or hide text. It is opened by its first use only: the service writes its log to the same file by other
 * means.
 */
export const out = {
  get isTTY(): boolean {
    watchOutput();
    return process.stdout.isTTY;
  },
  /** Width of the terminal, in columns. One that does not know its width says 0. */
  get columns(): number {
    return process.stdout.columns || 100;
  },
  /** @returns false when the reader should get time to read before more is written: see {@link outputRead} */
  write(text: string): boolean {
    watchOutput();
    if (isFile === true) return writeWhole(text);
    return process.stdout.write(process.stdout.isTTY ? visibleText(text) : text);
  },
  line(text: string): boolean {
    return out.write(`${text}\n`);
  },
};

/** Resolves when everything that was written so far has left this process, or cannot leave it. */
export function outputRead(): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write("", () => resolve());
  });
}

/**
 * Waits until everything is written.
 *
 * @returns the exit status of the command; 141, as a shell gives for a program that SIGPIPE has ended, where the reader has left
 * @throws OutputError when something cannot be written
 */
export async function outputStatus(status: number): Promise<number> {
  if (isFile === undefined) return status;
  await outputRead();
  if (problem === undefined) return status;
  if (problem.code === "EPIPE") return status === 0 ? exitStatus.readerLeft : status;
  const text = `standard output cannot be written (${problem.code ?? problem.message})`;
  throw new OutputError(text, exitStatus.cannotWrite, problem);
}

/** Notes when something cannot be written, also for a library that writes to standard output itself. */
export function watchOutput(): void {
  if (isFile !== undefined) return;
  const stats = fstatSync(1);
  isFile = stats.isFile() || (stats.isCharacterDevice() && !process.stdout.isTTY);
  process.stdout.on("error", failed);
}

function failed(thrown: unknown): void {
  problem ??= thrown instanceof Error ? thrown : new Error(String(thrown));
  gone.abort();
}

/** Node writes a text to a file by one call, and does not notice when a full disk has taken only its beginning. */
function writeWhole(text: string): boolean {
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length && problem === undefined; ) at += writeSync(1, bytes, at);
  } catch (thrown) {
    failed(thrown);
  }
  return true;
}
