import { expect, it } from "vitest";
import { retryAfter } from "../../../runtime/base/retry-after.ts";

const noon = Date.UTC(2026, 0, 1, 12);
const at = (seconds: number) => new Date(noon + seconds * 1000).toUTCString();

it.each<[name: string, headers: Record<string, string>, ms: number | undefined]>([
  ["seconds", { "retry-after": "3" }, 3_000],
  ["a time that is over", { "retry-after": "-3" }, 0],
  ["a date, by our clock", { "retry-after": at(5) }, 5_000],
  ["a date, by the clock of the response", { "retry-after": at(65), date: at(60) }, 5_000],
  ["a date that is over", { "retry-after": at(-5) }, 0],
  ["neither", { "retry-after": "soon" }, undefined],
  ["no header", {}, undefined],
])("the wait that a response asks for is read from %s", (_name, headers, ms) => {
  expect(retryAfter(new Headers(headers), noon)).toBe(ms);
});
