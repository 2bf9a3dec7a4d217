/** A place in a text: line and column, counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/**
 * Where a text is not JSON. Not every message of the engine says it; then the shortest beginning is sought that is wrong already, for
 * which the text is parsed about 15 times when it has 32 KiB.
 *
 * @param thrown what JSON.parse has thrown
 */
export function jsonPlace(thrown: SyntaxError, text: string): TextPlace {
  const before = text.slice(0, positionIn(thrown.message) ?? wrongAt(text)).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function wrongAt(text: string): number {
  let right = 0;
  let wrong = text.length;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (isBeginning(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  return right;
}

function positionIn(message: string): number | undefined {
  const said = /at position (\d+)/.exec(message)?.[1];
  return said === undefined ? undefined : Number(said);
}

/** Whether only the end is missing: what the engine expects where the text ends. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) return false;
    return /end of JSON|Unterminated string/.test(thrown.message) || positionIn(thrown.message) === text.length;
  }
}
