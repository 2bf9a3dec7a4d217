import type { CollectionIds } from "../../works/ledger.ts";
import type { Layout } from "./layout.ts";

/** Why the tables of an entity lack indexes: the scope that is being read for the first time; null where the tables were made anew. */
export interface Loading {
  readonly inst: number | null;
  readonly scope: number | null;
}

/** What one transaction writes to. */
export interface WriteTarget extends CollectionIds {
  readonly layout: Layout;
  /** Number of this transaction among those that write to the entity. */
  readonly revision: number;
  readonly run: number;
  /** What tells the entity's tables from others that had the same names before. */
  readonly made: string;
  /** The ids of the layouts that have tables beside these, which get every change. */
  readonly followers: readonly number[];
  /** Set while the tables may lack the indexes that only searches need. */
  readonly loading: Loading | undefined;
}
