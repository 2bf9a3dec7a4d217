/**
 * Replaces half surrogate pairs, which UTF-8 cannot store, by U+FFFD in every text of a value, so that a search finds what its result
 * shows.
 */
export function wellFormed<Value>(value: Value): Value {
  if (isWellFormed(value)) return value;
  return JSON.parse(JSON.stringify(value), (_key, one: unknown) => (typeof one === "string" ? one.toWellFormed() : one)) as Value;
}

/** Whether no text of a value has half of a surrogate pair. */
export function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Array.isArray(value) ? value.every(isWellFormed) : Object.values(value).every(isWellFormed);
}
