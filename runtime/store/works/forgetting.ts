/** What one step of forgetting a scope did. */
export interface Forgetting {
  readonly removed: number;
  /** Whether nothing of the scope is left. */
  readonly done: boolean;
}

/** How many memberships one step removes, so that other calls need not wait long. */
export const mostInStep = 2_000;
