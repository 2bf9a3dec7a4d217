import { getLocation, type Location } from "graphql";

/** A place in a document as answers write it. */
export function locations(at: Location | undefined): { line: number; column: number }[] {
  if (at === undefined) return [];
  const { line, column } = getLocation(at.source, at.start);
  return [{ line, column }];
}
