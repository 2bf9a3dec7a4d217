/** A piece of SQL with the values of its `?` in order. Values of callers reach a statement only in this way. */
export interface Sql {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

export type SqlValue = string | number | null;

/** Joins pieces: the texts of the template are SQL, an inserted piece keeps its values, and any other value becomes a `?`. */
export function sql(texts: TemplateStringsArray, ...parts: readonly (Sql | SqlValue)[]): Sql {
  let text = texts[0] ?? "";
  const params: SqlValue[] = [];
  for (const [index, part] of parts.entries()) {
    if (typeof part === "object" && part !== null) {
      text += part.text;
      params.push(...part.params);
    } else {
      text += "?";
      params.push(part);
    }
    text += texts[index + 1] ?? "";
  }
  return { text, params };
}

/**
 * A value after `=` or `LIMIT`. With a plain `?` the engine would plan the whole statement again for every value, which may take longer
 * than the search. The engine ignores a value inside `likely` when it plans; `likely` has no other effect here.
 */
export function unplanned(value: SqlValue): Sql {
  return { text: "likely(?)", params: [value] };
}

/** SQL that the code itself provides: names of tables and columns, keywords. Texts of callers must never be given to it. */
export function raw(text: string): Sql {
  return { text, params: [] };
}

export function join(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map((part) => part.text).join(separator), params: parts.flatMap((part) => part.params) };
}

export function allOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? raw("TRUE") : join(parts, " AND ");
}
