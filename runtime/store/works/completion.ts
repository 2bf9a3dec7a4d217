import type { SyncPosition } from "../position.ts";
import type { FinishOptions } from "../store.ts";

/**
 * The time up to which the records are known when a pass ends now.
 *
 * @param now ISO 8601, as is what is returned
 */
export function completionTime({ began }: SyncPosition, { resumed }: Pick<FinishOptions, "resumed">, now: string): string {
  return resumed && began !== undefined ? new Date(began).toISOString() : now;
}
