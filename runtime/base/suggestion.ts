import { nearest } from "./nearest.ts";

/** More names than this are not listed: a public schema has thousands. */
const longestList = 40;

/**
 * Hint for a name that is not allowed: the allowed name that is spelled most like it, whatever its case, or else all allowed names.
 *
 * @returns undefined when no allowed name is near, and there are none or too many to list.
 */
export function suggestion(name: string, allowed: Iterable<string>): string | undefined {
  const names = [...allowed];
  const near = nearest(name, names);
  if (near !== undefined) return `did you mean "${near}"?`;
  return names.length === 0 || names.length > longestList ? undefined : `allowed: ${names.join(", ")}`;
}
