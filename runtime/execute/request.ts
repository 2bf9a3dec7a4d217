import type { Action, FieldTree, Warning } from "../contract/index.ts";
import type { SemanticQuery } from "../store/semantic.ts";
import type { StoreSearch } from "../store/store.ts";

/** A checked request to the platform: it has no faults, defaults are filled in, and its fields have been looked up. */
export interface PlatformRequest {
  readonly kind: "platform";
  readonly action: Action;
  readonly params: Readonly<Record<string, unknown>>;
  /** The parameters as the caller sent them. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The fields that the caller wants; null for the default fields. */
  readonly choice: FieldTree | null;
  /** Nothing is sent: the answer says what would be. */
  readonly dryRun?: true;
}

/** A checked request for a cached search. */
export interface StoreRequest {
  readonly kind: "store";
  readonly entity: string;
  readonly search: StoreSearch;
  readonly warnings: readonly Warning[];
}

/** A checked request for a search by meaning, before its prompt is embedded. */
export interface SemanticRequest {
  readonly kind: "semantic";
  readonly entity: string;
  readonly prompt: string;
  readonly cursor: string | undefined;
  readonly search: Omit<SemanticQuery, "model" | "vector" | "mean" | "after">;
  readonly warnings: readonly Warning[];
}

/** A checked request for a statement of SQL, before the statement is parsed. */
export interface SqlRequest {
  readonly kind: "sql";
  readonly sql: string;
  readonly limit: number;
  readonly explain: boolean;
}

export type CheckedRequest = PlatformRequest | StoreRequest | SemanticRequest | SqlRequest;
