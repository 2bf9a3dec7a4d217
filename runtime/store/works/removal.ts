/**
 * Whether a sync run would remove more than half of an entity's records, so that a person should decide. So many records are missing more
 * often because the platform failed than because somebody deleted them.
 */
export function isMassDelete(removed: number, of: number): boolean {
  return removed * 2 > of;
}

/** Records that were requested by what names them: fewer are not enough to tell a fault of the platform from real removals. */
const fewNamed = 20;

/**
 * How many records a removal is compared with: those that were requested by what names them, or all of the scope. Of a few records all may
 * be gone; of many that is more likely a fault of the platform.
 */
export function removalBase(named: number, counted: number): number {
  return named >= fewNamed ? named : counted;
}
