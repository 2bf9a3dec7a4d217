import type { ScopeSpec } from "../load/spec.ts";

/** Whether the example of a scope has a part for each of its parameters. The value of a single one may have any characters. */
export function hasExample({ params, example }: Pick<ScopeSpec, "params" | "example">): boolean {
  return params.length === (params.length === 1 ? [example ?? []].flat() : (example?.split("/") ?? [])).length;
}
