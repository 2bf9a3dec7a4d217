import type { SearchField } from "../contract/index.ts";

/**
 * The pairs of fields that have an index together: a scope or an enumeration, and a timestamp. The index answers "those of this repository,
 * latest first" and "the open ones, latest first" without sorting. Scopes come first.
 */
export function pairsOf(fields: readonly (readonly [string, SearchField])[]): { readonly fixed: string; readonly by: string }[] {
  const single = fields.filter(([, { list }]) => list === undefined);
  const scopes = single.filter(([, { scope }]) => scope === true);
  const few = single.filter(([, { values }]) => values !== undefined);
  const then = single.filter(([, { type, nullable }]) => type === "timestamp" && nullable === undefined);
  return [...scopes, ...few].flatMap(([one]) => then.map(([other]) => ({ fixed: one, by: other })));
}
