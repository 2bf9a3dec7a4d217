import { closeSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { TenonError } from "../../../base/errors.ts";
import { unusable } from "./store-error.ts";

/** The file with the records of a data directory. */
export function storeFile(dataDir: string): string {
  return join(dataDir, "context-store.sqlite");
}

/** The facts by which a replaced or truncated file is recognised. */
export interface FileState {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

/**
 * Makes the folder and an empty file when they are missing. Only the user of this process may read the file, even where the folder
 * allows more. The engine gives its other files the same mode.
 *
 * @throws TenonError `store_unusable`
 */
export function makeFile(folder: string, file: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    refuseOther(file);
    closeSync(openSync(file, "a", 0o600));
  } catch (thrown) {
    if (thrown instanceof TenonError) throw thrown;
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    throw new TenonError("store_unusable", `The data directory cannot be used (${code}).`, { cause: thrown });
  }
}

/** Opening a pipe would wait for its other end, and hold up the whole process, signals included. */
function refuseOther(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw unusable("is not a regular file");
}

/** The state of a file; undefined when there is none. */
export async function fileState(file: string): Promise<FileState | undefined> {
  return stat(file).catch(() => undefined);
}

export function isSameState(one: FileState | undefined, other: FileState | undefined): boolean {
  return one?.dev === other?.dev && one?.ino === other?.ino && one?.size === other?.size && one?.mtimeMs === other?.mtimeMs;
}

/**
 * Notices when a file is no longer the one that was opened. The engine does not notice: it continues with a deleted file, and may answer
 * from the pages of a truncated file that it still has in its memory.
 */
export class FileGuard {
  readonly #file: string;
  readonly #opened: FileState | undefined;
  /** The largest size seen. The file only grows while it is in use. */
  #size: number;

  /** Must be created while the file is open. */
  constructor(file: string) {
    this.#file = file;
    this.#opened = statSync(file, { throwIfNoEntry: false });
    this.#size = this.#opened?.size ?? 0;
  }

  /** @throws TenonError `store_unusable` when the file was deleted, replaced or truncated */
  check(): void {
    const fault = this.fault(statSync(this.#file, { throwIfNoEntry: false }));
    if (fault !== undefined) throw fault;
  }

  /** Whether a state is that of the file that was opened. */
  isOpened(state: FileState | undefined): boolean {
    return state !== undefined && state.ino === this.#opened?.ino && state.dev === this.#opened.dev;
  }

  /** The error that a state of the file means; undefined when nothing is wrong. */
  fault(state: FileState | undefined): TenonError | undefined {
    if (state === undefined) return unusable("was deleted while it was in use");
    if (!this.isOpened(state)) return unusable("was replaced by another file while it was in use");
    if (state.size < this.#size)
      return unusable("was truncated while it was in use; move it away, and the next sync makes a new one");
    this.#size = state.size;
    return undefined;
  }
}

/** Endings of the files that the engine keeps beside the file: changes that are not in the file yet, and an index of them. */
const companions = ["-wal", "-shm"] as const;

/**
 * Refuses an empty file that has a log. An empty file without a log is new, but one with a log was truncated while another process has it
 * open, and preparing it would wait until that process ends.
 *
 * @throws TenonError `store_unusable`
 */
export function refuseTruncated(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return;
  if (companions.some((name) => statSync(file + name, { throwIfNoEntry: false }) !== undefined))
    throw unusable("is empty, but its log is not: it was truncated; move both files away, and the next sync makes a new one");
}

/**
 * Notes the companions of a file that was deleted or replaced.
 *
 * @returns a function that removes the companions unless they have been replaced. The engine would apply them to the new file of this name
 */
export function abandonedCompanions(file: string): () => void {
  const noted = companions.map((name) => [file + name, statSync(file + name, { throwIfNoEntry: false })?.ino] as const);
  return () => {
    for (const [path, ino] of noted)
      if (ino !== undefined && statSync(path, { throwIfNoEntry: false })?.ino === ino) rmSync(path, { force: true });
  };
}
