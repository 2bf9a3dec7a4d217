/** Bounds of a filter and a sort. They keep the work of one request small. `text` is in characters. */
export const searchLimits = {
  depth: 10,
  nodes: 200,
  values: 1000,
  sortKeys: 8,
  text: 2048,
  groupFields: 2,
  groups: 1000,
} as const;

/**
 * Bounds of `limit` of a cached search. An answer ends earlier when its records have `bytes` together, and at `byText` records when it is
 * sorted by a long text, because the engine keeps this text of each record in memory.
 */
export const storeLimits = { default: 1000, most: 10_000, bytes: 32 * 1024 * 1024, byText: 1000 } as const;

/** Bounds of `limit` of a search by meaning, and how it may treat several passages of one record. */
export const semanticLimits = { default: 10, most: 100 } as const;
export const dedups = ["max", "none"] as const;
