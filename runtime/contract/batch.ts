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

/**
 * How a sync reads the rest of lists inside records, where a page of records has only their beginning. One call reads the next page of
 * several lists, each of a record that is found by its id: as `p0`, `p1` …, with numbered variables `id_0`, `after_0` …
 */
export interface OverflowPlan extends Pick<BatchDocument, "frame" | "variables"> {
  /** Field of the record that has the id. */
  readonly id: string;
  /** How many lists one call reads on at most. */
  readonly batch: number;
  /** Selects the next page of a list, for each field that is such a list. */
  readonly lists: Readonly<Record<string, BatchDocument["parent"]>>;
}

/** The operation that reads for so many parents, without the fragment `record` that it spreads. */
export function batchText({ frame, variables, parent }: BatchDocument, parents: number): string {
  return numberedText(frame, variables, Array<BatchDocument["parent"]>(parents).fill(parent));
}

/** The operation that reads the next page of lists. @param fields those that are the lists, one for each list */
export function overflowText({ frame, variables, lists }: OverflowPlan, fields: readonly string[]): string {
  return numberedText(
    frame,
    variables,
    fields.map((field) => lists[field] ?? []),
  );
}

function numberedText(
  [start, open, close]: BatchDocument["frame"],
  variables: BatchDocument["variables"],
  parents: readonly BatchDocument["parent"][],
): string {
  const each = (texts: (index: number) => readonly string[]) =>
    parents.map((_, index) => texts(index).join(String(index))).join("");
  return `${start}${each(() => variables)}${open}${each((index) => parents[index] ?? [])}${close}`;
}

/** The response key of a parent in the answer to a batched document. */
export function batchKey(index: number): string {
  return `p${index}`;
}
