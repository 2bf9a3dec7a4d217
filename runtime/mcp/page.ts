import type { ActionManual } from "../manual/manual.ts";
import { type Fitted, fitted, type Meta, type Response } from "./budget.ts";
import { digestOf, readCut, writeCut, wrongCursor } from "./cut-cursor.ts";

/** How the list that a tool reads is paged. */
export interface ToolPaging {
  /** Params that take the size of a page and the cursor; undefined where the whole list comes at once. */
  readonly size?: string | undefined;
  readonly cursor?: string | undefined;
  /** A page of any size may begin at any record, so that the next page can begin where this one was cut. */
  readonly anySize: boolean;
  /** Members of `meta` that lead to the next page. */
  readonly names: { readonly more: string; readonly next: string };
}

/** The paging of an action that reads live; undefined where it gives one record. */
export function livePaging({ list }: ActionManual): ToolPaging | undefined {
  return list === undefined ? undefined : { ...list, names: { more: "has_next_page", next: "end_cursor" } };
}

/** The paging of a cached search. @param anySize false for groups, which come all at once */
export function searchPaging(anySize: boolean): ToolPaging {
  const names = { more: "has_more", next: "cursor" };
  return anySize ? { size: "limit", cursor: "cursor", anySize, names } : { size: "limit", anySize, names };
}

export type Params = Readonly<Record<string, unknown>>;
type Run = (params: Params) => Promise<Response>;

/** The cursor of a request, and the argument that it came in, as a JSON Pointer. */
export interface GivenCursor {
  readonly value: string;
  readonly argument: string;
}

/**
 * Reads a page and makes it fit for a model. When it does not fit, the next page begins with the first record that was left out. Where
 * pages may have any size, a smaller page is read, whose own cursor says so: no change to the list in the meantime can hide a record.
 * Otherwise the cursor names this page and how much of it was shown.
 *
 * @param run runs the action
 * @param most bytes of the text of the result, where it is less than usual
 * @throws TenonError `bad_cursor`, and what `run` throws
 */
export async function pageWithin(
  run: Run,
  params: Params,
  given: GivenCursor | undefined,
  paging: ToolPaging,
  most?: number,
): Promise<Response> {
  const cut = given === undefined ? undefined : readCut(given.value, given.argument);
  if (given !== undefined && cut === undefined && paging.cursor === undefined)
    throw wrongCursor(given.argument, "This list has no pages: leave the cursor out.");
  const after = cut === undefined ? given?.value : (cut.after ?? undefined);
  const size = cut === undefined ? params[paging.size ?? ""] : (cut.size ?? undefined);
  const { [paging.cursor ?? ""]: own, [paging.size ?? ""]: _, ...others } = params;
  // A cursor of another type is left to the action, which refuses it.
  const asked = { ...others, ...member(paging.size, size), ...member(paging.cursor, given === undefined ? own : after) };
  const page = await run(asked);
  const shown = cut?.shown ?? 0;
  if (cut !== undefined && !beginsWith(page.data, cut.shown, cut.digest))
    throw wrongCursor(
      given?.argument ?? "",
      "The list has changed since this page was read, so it cannot continue here. Leave the cursor out to start again, with smaller pages or fewer fields.",
    );
  const rest = shown === 0 ? page : withoutShown(page, shown);
  const next = (kept: number): Meta => ({
    [paging.names.more]: true,
    [paging.names.next]: writeCut({
      after: after ?? null,
      size: typeof size === "number" ? size : null,
      shown: shown + kept,
      digest: digestOf(Array.isArray(page.data) ? page.data.slice(0, shown + kept) : []),
    }),
  });
  if (paging.anySize && shown === 0) {
    const found = fitted(rest, { most });
    const smaller = found.left === 0 ? found.response : await smallerPage(run, asked, paging, found, most);
    if (smaller !== undefined) return smaller;
  }
  const found = fitted(rest, { ended: next, most });
  return found.left === 0 ? found.response : withPlacedWarnings(found);
}

/** Reads as many records as fit. @returns undefined where no smaller page fits either */
async function smallerPage(
  run: Run,
  params: Params,
  { size = "" }: ToolPaging,
  { kept, left }: Fitted,
  most: number | undefined,
): Promise<Response | undefined> {
  // The records may have changed meanwhile, so that the smaller page does not fit either.
  for (let wanted = kept; wanted > 0; ) {
    const page = await run({ ...params, [size]: wanted });
    const got = Array.isArray(page.data) ? page.data.length : 0;
    const again = fitted(page, { cuts: [{ path: "data", left_out: kept + left - got, unit: "records" }], most });
    if (again.left === 0) return again.response;
    wanted = Math.min(again.kept, wanted - 1);
  }
  return undefined;
}

function member(name: string | undefined, value: unknown): Params {
  return name === undefined || value === undefined ? {} : { [name]: value };
}

function beginsWith(data: unknown, shown: number, digest: string): boolean {
  return Array.isArray(data) && data.length >= shown && digestOf(data.slice(0, shown)) === digest;
}

/** The records after those that were shown. */
function withoutShown({ data, meta }: Response, shown: number): Response {
  const rest = Array.isArray(data) ? data.slice(shown) : data;
  return { data: rest, meta: withWarnings(meta, (index) => (index < shown ? undefined : index - shown)) };
}

/** Only the warnings about records that are there. */
function withPlacedWarnings({ response: { data, meta }, kept }: Fitted): Response {
  return { data, meta: withWarnings(meta, (index) => (index < kept ? index : undefined)) };
}

/** @param place gives the place at which a record is now; undefined when it is not there */
function withWarnings(meta: Meta, place: (index: number) => number | undefined): Meta {
  const { warnings, ...rest } = meta;
  if (!Array.isArray(warnings)) return meta;
  const placed = warnings.flatMap((warning: unknown) => {
    const path = typeof warning === "object" && warning !== null && "path" in warning ? String(warning.path) : "";
    const [, index, after = ""] = /^data\.(\d+)(.*)$/.exec(path) ?? [];
    if (index === undefined) return [warning];
    const now = place(Number(index));
    return now === undefined ? [] : [{ ...(warning as object), path: `data.${now}${after}` }];
  });
  return placed.length === 0 ? rest : { ...rest, warnings: placed };
}
