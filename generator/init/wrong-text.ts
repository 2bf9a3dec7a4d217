import { GraphQLError } from "graphql";
import { YAMLParseError } from "yaml";

interface Place {
  readonly line: number;
  readonly column: number;
}

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
    throw new Error(`${where}: the description cannot be read: ${firstLine(thrown)}`, { cause: thrown });
  }
}

function firstLine(thrown: unknown): string {
  const [line = ""] = (thrown instanceof Error ? thrown.message : String(thrown)).split("\n");
  return line
    .replace(/,? at line \d+, column \d+:?$/, "")
    .replace(/, \.{0,3}".*$/, "")
    .replace(/ in JSON at position .*$/, "");
}

function placeOf(thrown: unknown, text: string): Place | undefined {
  if (thrown instanceof GraphQLError) return thrown.locations?.[0];
  if (thrown instanceof YAMLParseError) {
    const [start] = thrown.linePos ?? [];
    return start === undefined ? undefined : { line: start.line, column: start.col };
  }
  return thrown instanceof SyntaxError ? placeAt(text, jsonPlace(thrown.message, text)) : undefined;
}

/** Where JSON is wrong. Not every message of the engine says it; then the shortest beginning is sought that is wrong already. */
function jsonPlace(message: string, text: string): number {
  const said = positionIn(message);
  if (said !== undefined) return said;
  let right = 0;
  let wrong = text.length;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (isBeginning(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  return right;
}

function positionIn(message: string): number | undefined {
  const said = /at position (\d+)/.exec(message)?.[1];
  return said === undefined ? undefined : Number(said);
}

/** Whether only the end is missing: what the engine expects where the text ends. */
function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) return false;
    return /end of JSON|Unterminated string/.test(thrown.message) || positionIn(thrown.message) === text.length;
  }
}

function placeAt(text: string, position: number): Place {
  const before = text.slice(0, position).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
