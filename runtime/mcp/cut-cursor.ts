import { createHash } from "node:crypto";
import { TenonError } from "../base/errors.ts";
import { shortened } from "./shorten.ts";

// Decision 19 in runtime/site/text/decisions-service.md says why: a cursor can point into the middle of a page.

// A cursor that leads into the middle of a page, for lists whose pages cannot begin at any record.

/** A page that was shown in part. It is read again in the same way, and what was shown is passed over. */
export interface CutPage {
  /** The cursor and the size with which the page was read; null where none was given. */
  readonly after: string | null;
  readonly size: number | null;
  /** How many of its records were shown. */
  readonly shown: number;
  /** A digest of these records. */
  readonly digest: string;
}

const mark = "cut-page.";
/** No page has more records. */
const mostShown = 1_000_000;

export function writeCut({ after, size, shown, digest }: CutPage): string {
  return `${mark}${Buffer.from(JSON.stringify([after, size, shown, digest])).toString("base64url")}`;
}

/** The page that a cursor leads into; undefined for a cursor that is the platform's own. @throws TenonError `bad_cursor` */
export function readCut(cursor: string, argument: string): CutPage | undefined {
  if (!cursor.startsWith(mark)) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor.slice(mark.length), "base64url").toString());
  } catch {
    parts = undefined;
  }
  const [after, size, shown, digest] = Array.isArray(parts) && parts.length === 4 ? (parts as unknown[]) : [];
  if (
    (after === null || typeof after === "string") &&
    (size === null || typeof size === "number") &&
    Number.isInteger(shown) &&
    Number(shown) > 0 &&
    Number(shown) <= mostShown &&
    typeof digest === "string"
  )
    return { after, size, shown: Number(shown), digest };
  throw wrongCursor(
    argument,
    "This cursor does not come from a response of this tool. Copy meta.end_cursor or meta.cursor as it is.",
  );
}

/** How much of a record tells it from others. Hashing long texts whole would take longer than all else that is done for a page. */
const told = { text: 100, list: 5 } as const;

/** A digest of the first records of a page: of the beginnings and lengths of their long texts and lists. */
export function digestOf(records: readonly unknown[]): string {
  const short = shortened(records, told, "data", []);
  return createHash("sha256").update(JSON.stringify(short)).digest("base64url").slice(0, 12);
}

export function wrongCursor(argument: string, message: string): TenonError {
  return new TenonError("bad_cursor", message, { faults: [{ pointer: argument, code: "bad_cursor", message }] });
}
