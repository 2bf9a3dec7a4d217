import type { Layout } from "./layout.ts";
import type { ShelfIds } from "./ledger.ts";

/** What one transaction writes to. */
export interface Target extends ShelfIds {
  readonly layout: Layout;
  /** Number of this transaction among those that write to the entity. */
  readonly turn: number;
  readonly pass: number;
  /** What tells the entity's tables from others that had the same names before. */
  readonly made: string;
}
