import type { OpenParent } from "../store/checkpoint.ts";

// Parents of which something is still to be read. A sync run that is cut off goes on with them.

/** The first page of the children of a parent is still to be read. */
export const isFirst = ({ after, inside }: OpenParent) => after === undefined && inside === undefined;
/** A next page is. */
export const isNext = ({ after }: OpenParent) => after !== undefined;
/** A next page of a list inside is. */
export const isInside = ({ inside }: OpenParent) => inside !== undefined;

/** What names a part of a list that is still to be read. */
export function nameOf({ key, after, inside }: OpenParent): string {
  return JSON.stringify([key, after ?? null, inside?.id ?? null, inside?.after ?? null]);
}

/** What names a list, whatever part of it is read. */
export function listOf({ key, inside }: OpenParent): string {
  return JSON.stringify([key, inside?.id ?? null]);
}

/** Whether both name the same part of the same list. */
export function isSame(a: OpenParent, b: OpenParent): boolean {
  return nameOf(a) === nameOf(b);
}

/** The open parents and those that are about to be read, each once. */
export function mergeOpen(open: readonly OpenParent[], asks: readonly OpenParent[]): OpenParent[] {
  return [...open, ...asks.filter((ask) => !open.some((one) => isSame(one, ask)))];
}
