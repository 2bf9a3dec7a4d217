import { GraphQLError } from "graphql";
import { YAMLParseError } from "yaml";
import { firstLine } from "../../runtime/base/first-line.ts";
import { jsonPlace, type TextPlace } from "../../runtime/base/json-place.ts";

/**
 * Reads a description, and lets an error say where it is wrong: `openapi.json:3:20: …`.
 *
 * @param from the file or address that the text is from
 * @throws Error
 */
export function parsed<Value>(text: string, from: string, parse: (text: string) => Value): Value {
  try {
    return parse(text);
  } catch (thrown) {
    const place = placeOf(thrown, text);
    const where = place === undefined ? from : `${from}:${place.line}:${place.column}`;
    throw new Error(`${where}: the description cannot be read: ${reasonOf(thrown)}`, { cause: thrown });
  }
}

/** What is wrong, without the place and without the parser's quote of the text. */
function reasonOf(thrown: unknown): string {
  return firstLine(thrown)
    .replace(/,? at line \d+, column \d+:?$/, "")
    .replace(/, \.{0,3}".*$/, "")
    .replace(/ in JSON at position .*$/, "");
}

function placeOf(thrown: unknown, text: string): TextPlace | undefined {
  if (thrown instanceof GraphQLError) return thrown.locations?.[0];
  if (thrown instanceof YAMLParseError) {
    const [start] = thrown.linePos ?? [];
    return start === undefined ? undefined : { line: start.line, column: start.col };
  }
  return thrown instanceof SyntaxError ? jsonPlace(thrown, text) : undefined;
}
