/**
 * Whether a pass would remove so many of an entity's records that a person should decide: more than half. So much is gone more often
 * because the platform failed than because somebody deleted it.
 */
export function isMassDelete(removed: number, of: number): boolean {
  return removed * 2 > of;
}
