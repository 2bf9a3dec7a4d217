import { createHash } from "node:crypto";
import type { RecordPlan, StorePlan, SyncPlan } from "../contract/index.ts";

/** A digest of everything that the spec says about reading an entity: it changes with each of these things. */
export function sourceOf(plans: readonly SyncPlan[], fields: readonly string[] | undefined): string {
  const seen = new Set<unknown>();
  // Plans of nested records are behind functions, because they may form circles. Each is looked at once.
  const nested = (key: string, value: unknown): unknown => {
    if (key !== "of" || typeof value !== "function") return value;
    const inner: unknown = value();
    if (seen.has(inner)) return "seen";
    seen.add(inner);
    return inner;
  };
  return createHash("sha256")
    .update(JSON.stringify([plans, fields ?? null], nested))
    .digest("hex")
    .slice(0, 16);
}

/** The fields to ask for: the default ones and the searchable ones. Undefined when all of these are default fields. */
export function storedFields(record: RecordPlan, { fields }: StorePlan): string[] | undefined {
  const all = Object.entries(record.fields).filter(
    ([name, field]) => field.onRequest === undefined || Object.hasOwn(fields, name),
  );
  return all.some(([, { onRequest }]) => onRequest !== undefined) ? all.map(([name]) => name) : undefined;
}
