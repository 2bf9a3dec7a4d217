/**
 * How the records of an entity are read. Written by the generator, one entry per field of the spec; read by the selection
 * builder, the record reader and the check of the `fields` parameter.
 */
export interface RecordPlan {
  readonly name: string;
  /** Type of the platform's schema that a GraphQL fragment selects on. Absent for records of a REST answer. */
  readonly on?: string;
  readonly fields: Readonly<Record<string, FieldPlan>>;
}

export interface FieldPlan {
  /** GraphQL text that selects the field under its own name; for an object the texts between which its inner selection stands. */
  readonly select?: string | readonly string[];
  /** Where the value stands in the answer, dotted. More than one: alternatives, of which the first that is there counts. */
  readonly read?: string | readonly string[];
  /** Fields of the object, or of each element of the list. A function, because a type may come later in its module. */
  readonly of?: () => RecordPlan;
  /** A list. Where the platform has null, the value is an empty list, or null if it may be null. */
  readonly list?: "empty" | "nullable";
  /** Dotted place of a boolean that says whether the platform cut the value: `hasNextPage` of a nested list, or what the spec names. */
  readonly cut?: string;
  readonly as?: Conversion;
  /** Values of an enumeration, after the conversion. Another one is passed through, with a warning. */
  readonly values?: readonly string[];
  /**
   * The value is not the platform's: it is this parameter of the call, or a text made of several: texts and, between them,
   * names of parameters, as in a VariablePlan. Null when one of them is missing.
   */
  readonly param?: string | readonly string[];
  /** Only on request: left out when no `fields` are given. */
  readonly onRequest?: true;
  /** Any JSON object; its inner names are the platform's own. Dot paths into it are allowed and not checked. */
  readonly open?: true;
}

/** What is done to a platform's value before it is given out. */
export type Conversion =
  | { readonly kind: "lower" }
  | { readonly kind: "upper" }
  /** A number that the platform may send as text, because it exceeds 32 bits. */
  | { readonly kind: "integer" }
  /** Value by value; a value that is not named stays as it is. */
  | { readonly kind: "map"; readonly values: Readonly<Record<string, string>> }
  /** An address in the platform's REST API, made of the values read, each percent-encoded. */
  | { readonly kind: "restUrl"; readonly template: readonly string[] };

/** Which fields a caller wants: a name maps to the inner choice of an object, or to null for the object's defaults. */
export type FieldTree = ReadonlyMap<string, FieldTree | null>;
