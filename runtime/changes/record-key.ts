import type { StorePlan } from "../contract/index.ts";
import { keyParts } from "../search/index.ts";

/** The fields that identify a record, with their values. @param key as `keyText` makes it */
export function recordKey(plan: Pick<StorePlan, "key" | "fields"> | undefined, key: string): Record<string, string | number> {
  const paths = plan?.key ?? ["key"];
  const parts = keyParts(key, paths.length);
  return Object.fromEntries(
    paths.map((path, index) => {
      const part = parts[index] ?? "";
      const type = plan?.fields[path]?.type;
      return [path, type === "integer" || type === "number" ? Number(part) : part];
    }),
  );
}
