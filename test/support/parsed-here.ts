import { vi } from "vitest";

/** @returns the characters of the longest text that this thread has parsed as JSON while something ran */
export async function longestParsed(work: () => Promise<unknown>): Promise<number> {
  const parse = vi.spyOn(JSON, "parse");
  try {
    await work();
    return Math.max(0, ...parse.mock.calls.map(([text]) => String(text).length));
  } finally {
    parse.mockRestore();
  }
}
