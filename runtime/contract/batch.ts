/**
 * A document that reads for several parents with one call. The field that takes the parent's parameters is selected once for each parent
 * as `p0`, `p1` …, with numbered variables. The texts in lists are joined with the number of the parent.
 */
export interface BatchDocument {
  /** The texts before the variables of the parents, before their selections, and behind these. */
  readonly frame: readonly [string, string, string];
  /** Declares the variables of one parent. */
  readonly variables: readonly string[];
  /** Selects what is read for one parent. */
  readonly parent: readonly string[];
  /** Variables that each parent has for itself: `number` becomes `number_0`, `number_1` … */
  readonly own: readonly string[];
  /** Which key of the operation's path is `p0`, `p1` … */
  readonly alias: number;
}

/** How a sync reads the children of several parents with one call. */
export interface SyncBatch {
  /** How many parents one call reads for at most. */
  readonly size: number;
  /** How many children of each parent the first call reads. Absent where the action is not paged. */
  readonly first?: number;
  readonly document: BatchDocument;
  /** Reads the remaining records of several inner lists, for an action that reads a list of lists. */
  readonly rest?: BatchDocument;
}

/** The operation that reads for so many parents, without the fragment `record` that it spreads. */
export function batchText({ frame, variables, parent }: BatchDocument, parents: number): string {
  const [start, open, close] = frame;
  const each = (texts: readonly string[]) => Array.from({ length: parents }, (_, index) => texts.join(String(index))).join("");
  return `${start}${each(variables)}${open}${each(parent)}${close}`;
}

/** The response key of a parent in the answer to a batched document. */
export function batchKey(index: number): string {
  return `p${index}`;
}
