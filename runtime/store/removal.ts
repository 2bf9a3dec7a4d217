/**
 * Whether a pass would remove more than half of an entity's records, so that a person should decide. So many records are missing more
 * often because the platform failed than because somebody deleted them.
 */
export function isMassDelete(removed: number, of: number): boolean {
  return removed * 2 > of;
}
