import type { Action, FieldTree, Warning } from "../contract/index.ts";
import type { StoreSearch } from "../store/store.ts";

/** A request to the platform without faults: defaults are filled in, and the fields that it names were looked up. */
export interface PlatformRequest {
  readonly kind: "platform";
  readonly action: Action;
  readonly params: Readonly<Record<string, unknown>>;
  /** The fields of the record that are wanted; null for the default ones. */
  readonly choice: FieldTree | null;
  /** Nothing is sent: the answer says what would be. */
  readonly dryRun?: true;
}

/** A cached search without faults. */
export interface StoreRequest {
  readonly kind: "store";
  readonly entity: string;
  readonly search: StoreSearch;
  readonly warnings: readonly Warning[];
}

export type CheckedRequest = PlatformRequest | StoreRequest;
