/** How many code points of a word of eight letters or more are its first part at least: so what is left of the part has trigrams. */
const leastBeginning = 5;

/**
 * Patterns for LIKE of which every word fits at least one, in NFD, that is at most a number of edits away from a word in NFC, and has not
 * the word as its beginning. Other words fit too.
 *
 * The word is taken as two parts. Of one edit, one part stays as it is; of two, the second part does, or the first one has at most one of
 * them. Only a swap of neighbours may change both parts; then the swapped letters are at the beginning of what the second part has become.
 */
export function patternsNear(word: string, edits: 1 | 2): string[] {
  const points = [...word];
  const half = points.length >> 1;
  const at = edits === 1 ? half : Math.max(leastBeginning, half);
  const [begin, end] = [points.slice(0, at), points.slice(at)];
  const begins = edits === 1 ? [[begin]] : afterOneEdit(begin);
  const ends = [end, [...begin.slice(-1), ...end.slice(1)]];
  const patterns = [
    ...begins.map((pieces) => `${pieces.map(patternOf).join("%")}%`),
    ...ends.map((piece) => `%${patternOf(piece)}`),
  ];
  return [...new Set(patterns)];
}

/** What one edit leaves of a text, with a gap where it may be: one character less, another one, one more, or two of them swapped. */
function afterOneEdit(points: readonly string[]): (readonly string[])[][] {
  const gaps = points.map((_, at) => [points.slice(0, at), points.slice(at + 1)]);
  const swaps = points.slice(1).map((point, at) => [points.toSpliced(at, 2, point, ...points.slice(at, at + 1))]);
  return [...gaps, ...swaps];
}

/** A character that NFD takes apart, or that moves there, may stand at another place. */
function patternOf(points: readonly string[]): string {
  return points.map((point) => (stays(point) ? point : "%")).join("");
}

function stays(point: string): boolean {
  return point === point.normalize("NFD") && !/[\p{M}\u1100-\u11ff]/u.test(point);
}
