import type { OverflowPlan } from "./batch.ts";

/**
 * How the records of an entity are read. The generator writes one entry for each field of the spec. The selection builder, the record
 * reader and the check of the parameter `fields` use it.
 */
export interface RecordPlan {
  readonly name: string;
  /** Type of the platform's schema that a GraphQL fragment selects on. Absent for records of a REST answer. */
  readonly on?: string;
  /** Of what a write answers: paths of the fields that tell a model what was written. */
  readonly brief?: readonly string[];
  readonly fields: Readonly<Record<string, FieldPlan>>;
  readonly overflow?: OverflowPlan;
}

export interface FieldPlan {
  /** GraphQL text that selects the field under its own name. For an object: the texts before and after its inner selection. */
  readonly select?: string | readonly string[];
  /** Path of keys to the value in the answer, as in {@link pathKeys}. Several paths are alternatives: the first that has a value counts. */
  readonly read?: string | readonly string[];
  /** Fields of the object, or of each element of the list. A function, because the plan may be defined later in its module. */
  readonly of?: () => RecordPlan;
  /** Set for a list. It says what null of the platform becomes: `empty` an empty list, `nullable` null. */
  readonly list?: "empty" | "nullable";
  /** Set where the response of a REST call always has a value. GraphQL needs no such mark: its schema says what may be null. */
  readonly always?: true;
  /** Dotted path of a boolean that says whether the platform cut the value, such as `hasNextPage` of a nested list. */
  readonly cut?: string;
  /** Dotted path of the cursor of the list's next page. Set for a list that cached search looks into, which a sync reads to its end. */
  readonly next?: string;
  readonly as?: Conversion;
  /** What the value, or each element of the list, is after the conversion, where it is neither any text nor one of the kinds below. */
  readonly is?: "integer" | "number" | "boolean" | "timestamp" | "json";
  /** Values of an enumeration, after the conversion. Any other value is passed through, with a warning. */
  readonly values?: readonly string[];
  /**
   * Set when the value does not come from the platform but from the call: the name of a parameter, or fixed texts and names of
   * parameters in turn, as in a VariablePlan. The value is null when one of the parameters is missing; a list is empty then, and otherwise
   * has the value as its only element.
   */
  readonly param?: string | readonly string[];
  /** The field is returned only when `fields` names it. */
  readonly onRequest?: true;
  /** The value may be any JSON object (with `is: json`, any value), with names of the platform's own. Paths into it are not checked. */
  readonly open?: true;
}

/** How a value of the platform is changed before it is returned. */
export type Conversion =
  | { readonly kind: "lower" }
  | { readonly kind: "upper" }
  /** A number that the platform may send as text, because it may exceed 32 bits. */
  | { readonly kind: "integer" }
  /** A number that is a name, such as an id. */
  | { readonly kind: "string" }
  /** A time in seconds or milliseconds since 1970 becomes an ISO 8601 text. */
  | { readonly kind: "seconds" }
  | { readonly kind: "milliseconds" }
  /** The id of what the platform gives as an id or as the whole object. */
  | { readonly kind: "id" }
  /** The object; null where the platform gave only its id. */
  | { readonly kind: "expanded" }
  /** The text of a document that is a tree of objects, or of HTML, without its markup. */
  | { readonly kind: "text" }
  | { readonly kind: "html" }
  | { readonly kind: "markdown" }
  /** Replaces the values that are named; any other value stays as it is. */
  | { readonly kind: "map"; readonly values: Readonly<Record<string, string>> }
  /** An address in the platform's REST API, made of the values that were read, each percent-encoded. */
  | { readonly kind: "restUrl"; readonly template: readonly string[] };

/** Which fields a caller wants. A name maps to the choice within an object, or to null for the default fields of the object. */
export type FieldTree = ReadonlyMap<string, FieldTree | null>;
