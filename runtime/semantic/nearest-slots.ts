import type { CodeScanner, Near } from "./code-scanner.ts";
import { TopScores } from "./top-scores.ts";
import { signCode } from "./vectors.ts";

/** How many passages are scored with their vectors at least, and how many for each hit that is needed. */
const leastScored = 600;
const scoredPerHit = 8;
/** For each of them, so many passages with the nearest codes are compared by their signs with the prompt itself. */
const estimatedPerScored = 24;
/** Of these, so many with the best estimates are compared by both bits of each member. */
const refinedPerScored = 5;

/** What is looked for among codes. */
export interface Prompt {
  readonly vector: Float32Array;
  /** What was subtracted from every vector before its code was made. */
  readonly mean?: Float32Array | undefined;
}

/** How many passages are scored with their vectors where so many hits are needed. */
export function scoredFor(hits: number): number {
  return Math.max(leastScored, scoredPerHit * hits);
}

/**
 * The slots whose codes are nearest to a prompt, many times as many as are wanted.
 *
 * @param closed has a byte other than 0 for each slot that is left out
 * @param check is called from time to time, and may throw
 */
export function nearSlots(
  codes: CodeScanner,
  { vector, mean }: Prompt,
  wanted: number,
  closed: Uint8Array,
  check: () => void,
): Near {
  return codes.nearest(vector, signCode(vector, mean), wanted * estimatedPerScored, closed, check);
}

/** Of slots that `nearSlots` has found, those with the best estimates by their whole codes, best first. */
export function refinedSlots(codes: CodeScanner, near: Near, wanted: number): number[] {
  const slots = bestSlots(near, wanted * refinedPerScored);
  return bestSlots({ slots, estimates: codes.refined(slots) }, wanted);
}

/** The slots with the best estimates, best first. */
export function bestSlots(
  { slots, estimates }: { readonly slots: ArrayLike<number>; readonly estimates: Float32Array },
  wanted: number,
): number[] {
  const top = new TopScores(wanted);
  for (const estimate of estimates) top.add(estimate);
  const kept: { readonly slot: number; readonly estimate: number }[] = [];
  for (const [place, estimate] of estimates.entries())
    if (estimate >= top.least) kept.push({ slot: slots[place] ?? 0, estimate });
  return kept.sort((a, b) => b.estimate - a.estimate).map(({ slot }) => slot);
}
