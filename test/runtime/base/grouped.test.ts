import { expect, it } from "vitest";
import { grouped } from "../../../runtime/base/grouped.ts";

it.each([0, 7, 999, 1000, 12_345, 999_999, 1_000_000, 123_456_789_012])("%i has the commas that English has", (value) => {
  expect(grouped(value)).toBe(value.toLocaleString("en-US"));
});
