import { createHash } from "node:crypto";
import { BadCursor } from "./refusal.ts";

const lead = "cursor:v2:";

/** A place in a list. The scope names the connection and its arguments, so that a cursor of another list is refused. */
export interface Place {
  readonly index: number;
  readonly key: string;
}

function mark(scope: string): string {
  return createHash("sha1").update(scope).digest("base64url").slice(0, 8);
}

/** A function that writes cursors of a list. What names the list is computed for the first of them: many lists are read without any. */
export function cursorWriter(scope: string): (place: Place) => string {
  let marked: string | undefined;
  return ({ index, key }) => {
    marked ??= `${lead}${mark(scope)}`;
    return Buffer.from(`${marked}:${index}:${key}`).toString("base64");
  };
}

export function writeCursor(scope: string, place: Place): string {
  return cursorWriter(scope)(place);
}

export function readCursor(scope: string, cursor: string): Place {
  const text = Buffer.from(cursor, "base64").toString();
  const [, index, ...key] = text.slice(lead.length).split(":");
  const place = { index: Number(index), key: key.join(":") };
  // A list accepts a cursor only when it would write the same one: any other text is refused.
  if (Number.isInteger(place.index) && writeCursor(scope, place) === cursor) return place;
  throw new BadCursor(cursor);
}
