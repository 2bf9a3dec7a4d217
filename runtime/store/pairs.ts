import type { SearchField } from "../contract/index.ts";

/** The pairs of an enumeration and a timestamp that have an index together. It answers "the open ones, latest first" without sorting. */
export function pairsOf(fields: readonly (readonly [string, SearchField])[]): { readonly few: string; readonly by: string }[] {
  const single = fields.filter(([, { list }]) => list === undefined);
  const few = single.filter(([, { values }]) => values !== undefined);
  const then = single.filter(([, { type, nullable }]) => type === "timestamp" && nullable === undefined);
  return few.flatMap(([one]) => then.map(([other]) => ({ few: one, by: other })));
}
