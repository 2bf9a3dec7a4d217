/** A piece of SQL with the values of its `?` in order: the only way in which a caller's value reaches a statement. */
export interface Sql {
  readonly text: string;
  readonly params: readonly SqlValue[];
}

export type SqlValue = string | number | null;

/** Puts pieces together: texts of the template are SQL, an inserted piece brings its values, any other value becomes a `?`. */
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
 * A value behind `=` or `LIMIT`. Where a plain `?` stands there, the engine plans the whole statement anew for every value, which may
 * take longer than the search. It does not look at a value inside `likely`, which changes nothing else.
 */
export function unplanned(value: SqlValue): Sql {
  return { text: "likely(?)", params: [value] };
}

/** SQL that this code wrote: names of tables and columns, keywords. A caller's text must never come here. */
export function raw(text: string): Sql {
  return { text, params: [] };
}

export function join(parts: readonly Sql[], separator: string): Sql {
  return { text: parts.map((part) => part.text).join(separator), params: parts.flatMap((part) => part.params) };
}

export function allOf(parts: readonly Sql[]): Sql {
  return parts.length === 0 ? raw("TRUE") : join(parts, " AND ");
}
