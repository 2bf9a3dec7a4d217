import { readFileSync } from "node:fs";

/** Files that the process needs besides its connections: database, log, threads, connections to platforms. */
const others = 256;

/**
 * How many connections the process can hold. When it may open no more files, the system closes new connections without a word; a
 * bound below that leaves files for everything else, and what is beyond it is logged.
 *
 * @param wanted what the settings allow
 * @param files how many files the process may open; undefined where that is not known
 */
export function connectionLimit(wanted: number, files: number | undefined = openFiles()): number {
  if (files === undefined) return wanted;
  return Math.max(1, Math.min(wanted, files - Math.min(others, Math.ceil(files / 2))));
}

/** The limit of the process, where the system tells it as Linux does. */
function openFiles(): number | undefined {
  try {
    const soft = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
