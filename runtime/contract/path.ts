/**
 * The keys of a path: `meta.items[0]`; `[-1]` is the last element. A backslash before a dot or a bracket makes it a part of the key:
 * `odata\\.count`.
 */
export function pathKeys(path: string): string[] {
  const keys: string[] = [];
  for (const [, key = "", index] of path.matchAll(/((?:\\.|[^\\.[\]])*)(?:\[(\d+|-1)\])?(?:\.|$)/g)) {
    if (key === "" && index === undefined) continue;
    if (key !== "") keys.push(key.replace(/\\(.)/g, "$1"));
    if (index !== undefined) keys.push(index);
  }
  return keys;
}
