import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { badCursor } from "../base/errors.ts";

/**
 * A position in a list of lists. `outer` is the cursor of the last outer element that was read to its end. `parent` is the outer element
 * of which only a part was read: its id, its cursor, and as `inner` the cursor of the last record that was read of it.
 */
export interface NestedPosition {
  readonly outer?: string | undefined;
  readonly parent?: { readonly id: string; readonly cursor: string; readonly inner: string } | undefined;
}

/**
 * Writes and reads the cursors of one action with the same parameters. Cursors are signed, because a position names an object of the
 * platform by its id: with a forged cursor, a caller could read objects outside the list.
 */
export class Cursors {
  readonly #key: string;
  readonly #call: string;

  /** @param secret a text that only this service knows and that stays the same after a restart, such as the platform's token */
  constructor(secret: string, action: string, variables: Readonly<Record<string, unknown>>) {
    const sorted = Object.entries(variables).sort(([a], [b]) => (a < b ? -1 : 1));
    this.#key = hash("sha256", `cursor ${secret}`, "base64url");
    this.#call = JSON.stringify([action, sorted]);
  }

  write({ outer, parent }: NestedPosition): string {
    const inside = parent === undefined ? [] : [parent.id, parent.cursor, parent.inner];
    const position = JSON.stringify([outer ?? null, ...inside]);
    return Buffer.concat([this.#sign(position), Buffer.from(position)]).toString("base64url");
  }

  /** @throws TenonError `bad_cursor` for a cursor that this call did not give out */
  read(after: unknown): NestedPosition {
    if (typeof after !== "string" || after === "") return {};
    const bytes = Buffer.from(after, "base64url");
    const position = bytes.subarray(signatureLength).toString();
    if (bytes.length <= signatureLength || !timingSafeEqual(bytes.subarray(0, signatureLength), this.#sign(position)))
      throw badCursor();
    const [outer, id, cursor, inner] = JSON.parse(position) as [string | null, string?, string?, string?];
    const parent = id === undefined || cursor === undefined || inner === undefined ? undefined : { id, cursor, inner };
    return { outer: outer ?? undefined, parent };
  }

  #sign(position: string): Buffer {
    return createHmac("sha256", this.#key).update(`${this.#call}\n${position}`).digest().subarray(0, signatureLength);
  }
}

const signatureLength = 12;
