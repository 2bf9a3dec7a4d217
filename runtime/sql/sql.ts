/**
 * A value that goes to the server beside the statement. A list becomes an array; its type is given in the SQL: `= ANY (${ids}::text[])`.
 */
export type SqlValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | Uint8Array
  | readonly (string | number | bigint | boolean | null | Uint8Array)[];

/** A piece of SQL with its values. `texts` has one member more than `values`: each value stands between two texts. */
export interface Sql {
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];
  /** See {@link steady}. */
  readonly isSteady?: true;
}

/** Joins pieces: the texts of the template are SQL, an inserted piece keeps its values, and any other value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | SqlValue)[]): Sql {
  const joined = new Pieces(texts[0] ?? "");
  for (const [index, part] of parts.entries()) {
    if (isSql(part)) joined.add(part);
    else joined.bind(part);
    joined.append(texts[index + 1] ?? "");
  }
  return joined;
}

/** SQL that the code itself provides: names of tables and columns, keywords. Texts of callers must never be given to it. */
export function raw(text: string): Sql {
  return { texts: [text], values: [] };
}

/**
 * A statement for which the engine would choose the same plan whatever its values are, and in which these are no large lists. Where a
 * connection allows that, the server keeps such a statement with its plan when it comes again, which saves most of the time of a small one.
 * It must be given to the database as it is: a statement of which it is a part is not steady.
 */
export function steady({ texts, values }: Sql): Sql {
  return { texts, values, isSteady: true };
}

export function join(parts: readonly Sql[], separator: string): Sql {
  const joined = new Pieces("");
  for (const [index, part] of parts.entries()) {
    if (index > 0) joined.append(separator);
    joined.add(part);
  }
  return joined;
}

export function allOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? raw("TRUE") : join(parts, " AND ");
}

/** The statement in the form that the server takes, with `$1` for the first value. */
export function statementOf({ texts, values }: Sql): { readonly text: string; readonly values: SqlValue[] } {
  let text = texts[0] ?? "";
  for (let index = 1; index < texts.length; index++) text += `$${index}${texts[index]}`;
  return { text, values: [...values] };
}

class Pieces implements Sql {
  readonly texts: string[];
  readonly values: SqlValue[] = [];

  constructor(text: string) {
    this.texts = [text];
  }

  append(text: string): void {
    this.texts[this.texts.length - 1] += text;
  }

  bind(value: SqlValue): void {
    this.values.push(value);
    this.texts.push("");
  }

  add({ texts, values }: Sql): void {
    this.append(texts[0] ?? "");
    this.values.push(...values);
    this.texts.push(...texts.slice(1));
  }
}

function isSql(part: Sql | SqlValue): part is Sql {
  return typeof part === "object" && part !== null && "texts" in part;
}
