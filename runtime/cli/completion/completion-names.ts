// The names of connectors that completion gives.

/** Values of each flag of an action, by the name of the flag; empty where any text is one. */
export type ActionNames = Readonly<Record<string, readonly string[]>>;

export interface EntityNames {
  /** Type of its records. */
  readonly record: string;
  /** Whether a sync reads it. */
  readonly synced: boolean;
  readonly searchable: readonly string[];
  /** Fields that are searched by meaning. */
  readonly semantic: readonly string[];
  readonly actions: Readonly<Record<string, ActionNames>>;
}

export interface ConnectorNames {
  /** `repository=`, and `account` for a scope that takes no value. */
  readonly scopes: readonly string[];
  readonly entities: Readonly<Record<string, EntityNames>>;
  /** Fields of each type, with the type of the objects inside a field; empty where there are none. */
  readonly types: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** By the names of the connectors. */
export type CompletionTable = Readonly<Record<string, ConnectorNames>>;
