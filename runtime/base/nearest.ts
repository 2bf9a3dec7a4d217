import { editDistance } from "./edit-distance.ts";

/**
 * The candidate whose spelling is closest to a name, for "did you mean". The distance counts insertions, deletions, replacements and
 * swaps of neighbours. Case and separators are ignored, so that `pull_request` finds `pullRequests`.
 *
 * @returns undefined when more than a third of the letters differ from every candidate
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  const wanted = fold(name.slice(0, 64));
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, fold(candidate));
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best !== undefined && bestDistance <= Math.max(1, Math.floor(Math.max(wanted.length, best.length) / 3))
    ? best
    : undefined;
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[_\-\s.]/g, "");
}
