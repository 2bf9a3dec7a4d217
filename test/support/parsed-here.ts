import { vi } from "vitest";

/** @returns the characters of the longest text that this thread has parsed as JSON while something ran */
export async function longestParsed(work: () => Promise<unknown>): Promise<number> {
  return (await jsonWork(work)).parsed;
}

/** @returns the characters of the longest texts that this thread has parsed as JSON, and made as JSON, while something ran */
export async function jsonWork(work: () => Promise<unknown>): Promise<{ readonly parsed: number; readonly made: number }> {
  const parse = vi.spyOn(JSON, "parse");
  const stringify = vi.spyOn(JSON, "stringify");
  try {
    await work();
    return {
      parsed: Math.max(0, ...parse.mock.calls.map(([text]) => String(text).length)),
      made: Math.max(0, ...stringify.mock.results.map(({ value }) => String(value).length)),
    };
  } finally {
    parse.mockRestore();
    stringify.mockRestore();
  }
}
