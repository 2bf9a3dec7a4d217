import { TenonError } from "../base/errors.ts";
import type { RestPaging, TimeForm } from "../contract/index.ts";

// Lists whose pages are spans of time. All times are milliseconds since 1970.

type Windows = Extract<RestPaging, { readonly kind: "window" }>;

/** What a call says of the page at a position: a parameter of the query, or with `body` a place in the body, and its value. */
export interface PageSent {
  readonly name: string;
  readonly value: string | number;
  readonly body: boolean;
}

/** A span of time, and the end of the whole list. */
export interface TimeWindow {
  readonly start: number;
  readonly length: number;
  readonly end: number;
}

/** The shortest span that each form of a point in time can name. */
const units: Readonly<Record<TimeForm, number>> = { milliseconds: 1, seconds: 1000, timestamp: 1000, date: 86_400_000 };

/** The span of a page: the first one of the list, or the one that a cursor names. */
export function windowAt(by: Windows, params: Readonly<Record<string, unknown>>, at: string | number | undefined): TimeWindow {
  if (typeof at === "string") {
    const [start = 0, length = 0, end = 0] = at.split("/").map(Number);
    return { start, length, end };
  }
  const unit = units[by.as];
  const timeOf = (name: string | undefined) => (name === undefined ? Number.NaN : Date.parse(String(params[name] ?? "")));
  const start = Math.floor(timeOf(by.since) / unit) * unit;
  const until = timeOf(by.before);
  const end = Math.ceil((Number.isNaN(until) ? Date.now() : until) / unit) * unit;
  return cut({ start, length: by.length, end: Math.max(start, end) });
}

/** A span that does not go beyond the end of the list. */
function cut({ start, length, end }: TimeWindow): TimeWindow {
  return { start, length: Math.min(length, end - start), end };
}

/** What a call says of its span. */
export function windowSent(by: Windows, { start, length }: TimeWindow): readonly PageSent[] {
  const body = by.body ?? false;
  const until = start + length - (by.inclusive === true ? units[by.as] : 0);
  return [
    { name: by.param, value: written(start, by.as), body },
    { name: by.until, value: written(Math.max(start, until), by.as), body },
  ];
}

function written(time: number, as: TimeForm): string | number {
  switch (as) {
    case "milliseconds":
      return time;
    case "seconds":
      return time / 1000;
    case "date":
      return new Date(time).toISOString().slice(0, 10);
    case "timestamp":
      return new Date(time).toISOString().replace(".000Z", "Z");
  }
}

/** Where the span after this one is; undefined after the last one. Its length is tried again where this one had to be shorter. */
export function nextWindow(by: Windows, { start, length, end }: TimeWindow): string | undefined {
  const next = { start: start + length, length: Math.min(length * 2, by.length), end };
  return next.start >= end ? undefined : placeOf(cut(next));
}

/**
 * The first half of a span that has as many records as a page may have, so that some may be missing from it.
 *
 * @throws TenonError `platform_failed` where the span cannot be shorter
 */
export function halved(by: Windows, { start, length, end }: TimeWindow, title: string): string {
  const unit = units[by.as];
  const half = Math.floor(length / 2 / unit) * unit;
  if (half >= unit) return placeOf({ start, length: half, end });
  const message = `${title} has more records at ${written(start, by.as)} than one page may have, so that they cannot all be read.`;
  throw new TenonError("platform_failed", message);
}

function placeOf({ start, length, end }: TimeWindow): string {
  return [start, length, end].join("/");
}
