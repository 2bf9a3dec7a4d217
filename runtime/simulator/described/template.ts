import type { Json, StoredRecord } from "./platform-file.ts";

/** What stands for `{name}` in a template. A template that is nothing but `{name}` becomes the value itself, whatever its type. */
export type Values = Readonly<Record<string, Json>>;

export function filled(template: Json, values: Values): Json {
  if (Array.isArray(template)) return template.map((one) => filled(one, values));
  if (typeof template === "object" && template !== null)
    return Object.fromEntries(Object.entries(template).map(([key, one]) => [String(filled(key, values)), filled(one, values)]));
  if (typeof template !== "string") return template;
  const whole = /^\{(\w+)\}$/.exec(template)?.[1];
  if (whole !== undefined && Object.hasOwn(values, whole)) return structuredClone(values[whole] ?? null);
  return template.replace(/\{(\w+)\}/g, (place, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : place));
}

/**
 * The records of a collection. One with `repeat` stands for so many, in whose texts `{n}` is the number of each, `{nn}` the number with
 * two digits at least, and `{day}` a day of a month.
 */
export function recordsOf(written: readonly StoredRecord[]): StoredRecord[] {
  return written.flatMap((one) => {
    const { repeat, ...template } = one;
    if (typeof repeat !== "number") return [structuredClone(one)];
    return Array.from({ length: repeat }, (_, index) => {
      const n = index + 1;
      const values = {
        n,
        nn: String(n).padStart(2, "0"),
        day: String((index % 28) + 1).padStart(2, "0"),
        minute: String(index % 60).padStart(2, "0"),
      };
      return filled(template, values) as StoredRecord;
    });
  });
}

/** The keys of a place such as `meta.items[0]`. */
export function keysOf(place: string | undefined): string[] {
  return (place ?? "")
    .replace(/\[(\d+)\]/g, ".$1")
    .split(".")
    .filter((key) => key !== "");
}

export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let here = value;
  for (const key of keys) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  return here;
}

/** A body with a value at a place, and the members of another object beside it. */
export function bodyAt(place: string | undefined, value: Json, more: Json = {}): Json {
  const keys = keysOf(place);
  if (keys.length === 0) return merged(more, value);
  const inner = keys.reduceRight<Json>((here, key) => (/^\d+$/.test(key) ? [here] : { [key]: here }), value);
  return merged(more, inner);
}

/** One value with what another adds to it. */
export function merged(a: Json, b: Json): Json {
  if (typeof a !== "object" || a === null || Array.isArray(a) || typeof b !== "object" || b === null || Array.isArray(b))
    return b;
  const result: StoredRecord = { ...a };
  for (const [key, value] of Object.entries(b)) result[key] = merged(result[key] ?? {}, value);
  return result;
}

/** A record as the platform gives it: without the members that only the simulation uses. */
export function shown(record: StoredRecord): StoredRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !key.startsWith("_")));
}
