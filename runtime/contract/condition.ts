type PlainValue = string | number | boolean | null;

/** The value that means an error, several of them, or `not`: every value but this one. */
export type FailureSign = PlainValue | readonly PlainValue[] | { readonly not: PlainValue };

/** Places with signs, which all have to be there. A place is a path of keys, `header <name>` or `HTTP status`. */
export type FailureCondition = Readonly<Record<string, FailureSign>>;
