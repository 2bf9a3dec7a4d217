import type { Checkpoint } from "../checkpoint.ts";
import type { FinishOptions } from "../store.ts";

/**
 * The time up to which the records are known when a sync run ends now.
 *
 * @param now ISO 8601, as is what is returned
 */
export function completionTime({ began }: Checkpoint, { resumed }: Pick<FinishOptions, "resumed">, now: string): string {
  return resumed && began !== undefined ? new Date(began).toISOString() : now;
}
