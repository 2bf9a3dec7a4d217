import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { instantOf } from "../../runtime/search/index.ts";
import { timestamp } from "../support/search-records.ts";

// What texts name an instant, and which.

describe("instants", () => {
  it("are those of Date.parse", () => {
    const valid = fc.oneof(
      timestamp,
      fc
        .date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true })
        .map((date) => date.toISOString()),
      fc
        .date({ min: new Date("0000-01-01T00:00:00Z"), max: new Date("9999-12-31"), noInvalidDate: true })
        .map((date) => date.toISOString().slice(0, 10)),
    );
    fc.assert(
      fc.property(valid, (text) => {
        expect(instantOf(text)).toBe(Date.parse(text));
        expect(instantOf(text.toLowerCase())).toBe(Date.parse(text));
      }),
      { numRuns: 5000 },
    );
  });

  it("are the same in every form of ISO 8601", () => {
    const two = (number: number) => String(number).padStart(2, "0");
    const day = 86_400_000;
    for (let at = Date.UTC(1999, 11, 20); at < Date.UTC(2033, 0, 10); at += day) {
      const text = new Date(at).toISOString().slice(0, 10);
      const [year = "", month = "", date = ""] = text.split("-");
      const ordinal = String((at - Date.UTC(Number(year), 0, 1)) / day + 1).padStart(3, "0");
      const weekday = new Date(at).getUTCDay() || 7;
      // A week belongs to the year of its Thursday.
      const thursday = at + (4 - weekday) * day;
      const weekYear = new Date(thursday).getUTCFullYear();
      const week = two(Math.floor((thursday - Date.UTC(weekYear, 0, 1)) / day / 7) + 1);
      const dates = [
        text,
        `${year}${month}${date}`,
        `${year}-${ordinal}`,
        `${year}${ordinal}`,
        `${weekYear}-W${week}-${weekday}`,
        `${weekYear}W${week}${weekday}`,
      ];
      for (const form of dates) expect([form, instantOf(form)]).toEqual([form, at]);
      for (const time of ["T06:30:00Z", "T06:30Z", "T06:30:00.000Z", "T06.5Z", "T06:29:60Z", "T08:30+02", "T01:00\u22120530"])
        expect([time, instantOf(text + time)]).toEqual([time, at + 6.5 * 3_600_000]);
      expect(instantOf(`${text}T06:29,5Z`)).toBe(at + 6.5 * 3_600_000 - 30_000);
      for (const time of ["T063000Z", "T0630Z", "T063000,0Z", "T0630+00:00"])
        expect([time, instantOf(`${year}${month}${date}${time}`)]).toEqual([time, at + 6.5 * 3_600_000]);
    }
  });

  it("keep what is finer than a millisecond", () => {
    const at = Date.UTC(2024, 0, 1);
    expect(instantOf("2024-01-01T00:00:00.001Z")).toBe(at + 1);
    expect(instantOf("2024-01-01T00:00:00.0015Z")).toBe(at + 1.5);
    expect(instantOf("2024-01-01T00:00:00.000001Z")).toBeGreaterThan(at);
    expect(instantOf(`2024-01-01T00:00:00.${"0".repeat(60)}Z`)).toBe(at);
  });

  it("do not exist for a day or time that does not exist", () => {
    const two = (number: number) => String(number).padStart(2, "0");
    const parts = fc.tuple(
      fc.integer({ min: 0, max: 9999 }),
      fc.nat(14),
      fc.nat(33),
      fc.nat(26),
      fc.nat(62),
      fc.nat(62),
      fc.nat(999),
      fc.nat(25),
      fc.nat(61),
    );
    fc.assert(
      fc.property(parts, ([year, month, day, hour, minute, second, milli, offsetHour, offsetMinute]) => {
        const days = month < 1 || month > 12 ? 0 : new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
        const clock = (hour < 24 && minute < 60 && second < 60) || (hour === 24 && minute + second + milli === 0);
        // A leap second, which Date.parse does not know.
        fc.pre(second !== 60);
        const exists = day >= 1 && day <= days && clock && offsetHour < 24 && offsetMinute < 60;
        const text = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}T${two(hour)}:${two(minute)}:${two(second)}.${milli}+${two(offsetHour)}:${two(offsetMinute)}`;
        expect(instantOf(text)).toBe(exists ? Date.parse(text) : undefined);
      }),
      { numRuns: 5000 },
    );
  });
});
