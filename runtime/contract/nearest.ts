/**
 * The candidate that is spelled most like a name, for "did you mean". Distance counts insertions, deletions, replacements and
 * swaps of neighbours (optimal string alignment), ignoring case and separators, so that `pull_request` finds `pullRequests`.
 *
 * @returns undefined when nothing is near: more than a third of the letters differ.
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

function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1);
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}
