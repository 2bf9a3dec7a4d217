import { hash } from "node:crypto";
import { TenonError } from "../errors.ts";

/**
 * A position in a list of lists. `outer`: cursor of the last outer element that was read to its end. `parent` and `inner`: the
 * element that was left in the middle, its own cursor, and the cursor of its last record read.
 */
export interface Position {
  readonly outer?: string | undefined;
  readonly parent?: { readonly id: string; readonly cursor: string; readonly inner: string } | undefined;
}

/** What a cursor is bound to: the same action with the same parameters. */
export function callKey(action: string, variables: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash("sha256", JSON.stringify([action, sorted]), "base64url").slice(0, 12);
}

export function writeCursor({ outer, parent }: Position, call: string): string {
  const inside = parent === undefined ? [] : [parent.id, parent.cursor, parent.inner];
  return Buffer.from(JSON.stringify([call, outer ?? null, ...inside])).toString("base64url");
}

/** @throws TenonError `bad_cursor` for a cursor that this call did not give out */
export function readCursor(after: unknown, call: string): Position {
  if (typeof after !== "string" || after === "") return {};
  const [key, outer, id, cursor, inner, ...more] = partsOf(after);
  if (key !== call || more.length > 0 || !(outer === null || typeof outer === "string")) throw badCursor();
  if (id === undefined && typeof outer === "string") return { outer };
  if (typeof id !== "string" || typeof cursor !== "string" || typeof inner !== "string") throw badCursor();
  return { outer: outer ?? undefined, parent: { id, cursor, inner } };
}

function partsOf(after: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(after, "base64url").toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

export function badCursor(): TenonError {
  const message = "This cursor was not given out by this list, or not for these parameters.";
  return new TenonError("bad_cursor", message, { faults: [{ pointer: "/params/after", code: "bad_cursor", message }] });
}
