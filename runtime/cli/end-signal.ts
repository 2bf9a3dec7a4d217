import { outputGone } from "./output/standard-output.ts";

/** Aborts on SIGINT, SIGTERM or SIGHUP, or when nobody reads the output any longer. Call it once, where a command begins. */
export function endSignal(): AbortSignal {
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => end.abort());
  return AbortSignal.any([end.signal, outputGone]);
}
