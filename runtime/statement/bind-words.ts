import { wordsOf } from "../search/index.ts";
import type { WordTest } from "./algebra.ts";
import { all, type Clause } from "./clause.ts";
import { type Body, onlyMembers, positionOf, StatementError } from "./syntax.ts";

/** The most words of an operand, each of which is looked up. */
const mostWords = 16;

/** The column with the words of another one; a field has no such name. */
const wordsColumn = (name: string): string => `${name}~words`;

/** The column of which a name of `wordsColumn` has the words; undefined for any other name. */
export function columnOfWords(name: string): string | undefined {
  return name.endsWith("~words") ? name.slice(0, -"~words".length) : undefined;
}

/**
 * Checks `keyword(title, 'crash')` or `fuzzy(title, 'crahs')`. The text must be a column of a table, because only its words are known.
 *
 * @throws StatementError
 */
export function wordTest(how: WordTest["how"], body: Body, clause: Clause): WordTest {
  onlyMembers(how, body, ["funcname", "args", "funcformat"]);
  const at = positionOf(body);
  const [value, operand, ...others] = all(body["args"], { ...clause, unnest: undefined });
  const usage = `${how} takes a column and a constant text: ${how}(title, 'crash').`;
  if (value?.kind !== "column" || operand?.kind !== "value" || typeof operand.value !== "string" || others.length > 0)
    throw new StatementError(usage, at);
  if (value.searched === undefined)
    throw new StatementError(
      `${how} cannot search "${value.name}": it takes a text column of a table whose words are indexed.`,
      at,
    );
  const words = new Set(wordsOf(operand.value)).size;
  if (words === 0 || words > mostWords) throw new StatementError(`${how} takes 1 to ${mostWords} words.`, at);
  const name = wordsColumn(value.name);
  clause.scope.read(value, name);
  return {
    kind: "words",
    how,
    value,
    words: { kind: "column", source: value.source, name, type: "text" },
    operand: operand.value,
    type: "boolean",
  };
}
