import { editDistance } from "./edit-distance.ts";

/**
 * The candidate whose spelling is closest to a name, for "did you mean". The distance counts insertions, deletions, replacements and
 * swaps of neighbours. Case and separators are ignored, so that `pull_request` finds `pullRequests`.
 *
 * @returns where more than a third of the letters differ from every candidate, the only one that is a word of the name, or undefined
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
  const isNear = best !== undefined && bestDistance <= Math.max(1, Math.floor(Math.max(wanted.length, best.length) / 3));
  return isNear ? best : oneOfWords(name.slice(0, 64), candidates);
}

/** The only candidate that is one of the words of a name, as `number` is of `issue_number` and `pullNumber`. */
function oneOfWords(name: string, candidates: Iterable<string>): string | undefined {
  const words = name.split(/[_\-\s.]|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  const found = [...candidates].filter((candidate) => candidate.length > 3 && words.includes(candidate.toLowerCase()));
  return found.length === 1 ? found[0] : undefined;
}

function fold(text: string): string {
  return text.toLowerCase().replace(/[_\-\s.]/g, "");
}
