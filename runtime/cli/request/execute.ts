import { runRequest } from "./request.ts";
import type { RequestFlags } from "./request-flags.ts";

/** `tenon execute`: runs one action with its params as JSON. */
export function run([connector = "", entity = "", action = ""]: readonly string[], flags: RequestFlags): Promise<number> {
  return runRequest({ connector, entity, action, params: {} }, flags);
}
