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

/** The values that there are at a path, in which `[]` stands for each element of a list: `repositories[].full_name`. */
export function valuesAt(value: unknown, path: string): unknown[] {
  const [first = "", ...rest] = path.split("[]");
  let found: unknown = value;
  for (const key of pathKeys(first)) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return [];
    found = Reflect.get(found, key);
  }
  if (rest.length === 0) return found === undefined || found === null ? [] : [found];
  return Array.isArray(found) ? found.flatMap((one) => valuesAt(one, rest.join("[]").replace(/^\./, ""))) : [];
}

/** The paths in a text with `{path}`. */
export function templatePaths(template: string): string[] {
  return [...template.matchAll(/\{([^{}]+)\}/g)].map(([, path = ""]) => path);
}
