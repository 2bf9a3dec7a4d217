/**
 * Edit distance of two texts, by UTF-16 code units or, given lists, by their elements: insertions, deletions, replacements and
 * swaps of neighbours each count one (optimal string alignment: no part is edited twice).
 *
 * @param most the largest distance that the caller wants to know exactly. For a larger distance any number above `most` may be
 *   returned, because only a band of this width around the diagonal is computed
 */
export function editDistance<Element>(
  a: ArrayLike<Element>,
  b: ArrayLike<Element>,
  most: number = Number.POSITIVE_INFINITY,
): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  const far = Number.POSITIVE_INFINITY;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current: number[] = [];
    current[0] = row;
    let least = row;
    const end = Math.min(b.length, row + most);
    for (let column = Math.max(1, row - most); column <= end; column++) {
      const same = a[row - 1] === b[column - 1];
      let best = Math.min(
        (last[column] ?? far) + 1,
        (current[column - 1] ?? far) + 1,
        (last[column - 1] ?? far) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) best = Math.min(best, (beforeLast[column - 2] ?? far) + 1);
      if (best < least) least = best;
      current[column] = best;
    }
    // A swap reads the row before the last one, but its result is never smaller than the smallest number of the last row.
    if (least > most) return most + 1;
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? far;
}
