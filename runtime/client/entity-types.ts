/** What the generator says of one entity, for the compiler alone. */
export interface EntityTypes {
  /** Its name in requests. */
  readonly name: string;
  /** Handlers by the name of the method: `Action<params, result>`. */
  readonly actions: object;
  readonly record: object;
  /** Types of the fields that cached search compares. */
  readonly search: object;
  /** Fields that search by meaning knows. */
  readonly semantic?: string;
}

/** The entities of a connector by the name of their property. */
export type ConnectorTypes<Entities> = { readonly [Property in keyof Entities]: EntityTypes };
