/** Calendar date, ordinal date or week date of ISO 8601. */
const date =
  /^(?<year>\d{4})(?<dash>-?)(?:(?<month>\d\d)\k<dash>(?<day>\d\d)|(?<ordinal>\d{3})|W(?<week>\d\d)\k<dash>(?<weekday>[1-7]))$/i;
/** Time of day with its offset. The last part that is given may have a fraction. */
const time =
  /^(?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d))?)?(?:[.,](?<fraction>\d+))?(?:Z|(?<sign>[+\-\u2212])(?<offsetHour>\d\d)(?::?(?<offsetMinute>\d\d))?)$/i;

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Characters of the longest text that is read as a time. A fraction of a second may have as many digits as fit. */
const longest = 100;

/**
 * Reads an instant, in milliseconds since 1970; undefined when the text does not name one. The text is a full ISO 8601 date (calendar,
 * ordinal or week date). Alone it means midnight in UTC; a time of day with an offset may follow. Either all parts have separators or
 * none has. A leap second is read as the second after it. Fractions of a millisecond are kept to about a microsecond.
 */
export function instantOf(text: string): number | undefined {
  if (text.length > longest) return undefined;
  const usual = usualInstant(text);
  if (usual !== undefined) return usual;
  const [dateText = "", timeText, ...more] = text.split(/T/i);
  if (more.length > 0) return undefined;
  const start = midnight(dateText);
  if (timeText === undefined || start === undefined) return start;
  const passed = timeOfDay(timeText, dateText.includes("-") ? ":" : "");
  return passed === undefined ? undefined : start + passed;
}

/** Reads the form in which nearly all instants come, at a small part of the cost: a filter may have thousands of them. */
function usualInstant(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) return undefined;
  const parsed = Date.parse(text);
  // Date may give another day, for a day that the month does not have and for 24:00.
  return Number(text.slice(8, 10)) === new Date(parsed).getUTCDate() ? parsed : undefined;
}

function midnight(text: string): number | undefined {
  const parts = date.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const year = Number(parts["year"]);
  if (parts["ordinal"] !== undefined) {
    const ordinal = Number(parts["ordinal"]);
    return ordinal >= 1 && ordinal <= (startOfYear(year + 1) - startOfYear(year)) / day
      ? startOfYear(year) + (ordinal - 1) * day
      : undefined;
  }
  if (parts["week"] !== undefined) {
    const week = Number(parts["week"]);
    const found = startOfWeeks(year) + ((week - 1) * 7 + Number(parts["weekday"]) - 1) * day;
    return week >= 1 && startOfWeeks(year) + week * 7 * day <= startOfWeeks(year + 1) ? found : undefined;
  }
  const [month, dayOfMonth] = [Number(parts["month"]) - 1, Number(parts["day"])];
  const found = new Date(startOfYear(year));
  found.setUTCMonth(month, dayOfMonth);
  // For a day that the month does not have, Date gives a day of another month.
  return found.getUTCMonth() === month && found.getUTCDate() === dayOfMonth ? found.getTime() : undefined;
}

/** `Date.UTC` is not used, because it reads the years 0 to 99 as 1900 to 1999. */
function startOfYear(year: number): number {
  return new Date(0).setUTCFullYear(year, 0, 1);
}

/** Monday of the first ISO week of a year, which is the week with the 4th of January. */
function startOfWeeks(year: number): number {
  const fourth = startOfYear(year) + 3 * day;
  return fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * day;
}

/** Milliseconds since midnight in UTC. @param colon the separator of hours and minutes that goes with the form of the date */
function timeOfDay(text: string, colon: string): number | undefined {
  const parts = time.exec(text)?.groups;
  if (parts === undefined || (parts["colon"] ?? colon) !== colon) return undefined;
  const part = (name: string) => Number(parts[name] ?? 0);
  const unit = parts["second"] !== undefined ? 1000 : parts["minute"] !== undefined ? minute : hour;
  const passed =
    part("hour") * hour + part("minute") * minute + part("second") * 1000 + fractionOf(parts["fraction"] ?? "", unit);
  // 24:00 is the end of the day, and 23:59:60 a leap second.
  if (passed > day + (part("second") === 60 ? 999 : 0) || part("hour") > 24 || part("minute") > 59 || part("second") > 60)
    return undefined;
  if (part("offsetHour") > 23 || part("offsetMinute") > 59) return undefined;
  const offset = (part("offsetHour") * 60 + part("offsetMinute")) * minute;
  return passed - (parts["sign"] === "+" ? offset : -offset);
}

/** Converts the digits of a fraction of a unit into milliseconds. The first three are converted alone, which keeps milliseconds exact. */
function fractionOf(digits: string, unit: number): number {
  return (Number(digits.slice(0, 3).padEnd(3, "0")) + Number(`0.${digits.slice(3)}0`)) * (unit / 1000);
}
