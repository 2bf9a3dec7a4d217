import type { Reading } from "./quota-history.ts";
import { count, duration } from "./words.ts";

/** The size of a chart in its own units; the page gives it any width. */
const width = 300;
const height = 60;

/** A line of what was left of a quota over time, and the same in words. */
export interface QuotaChart {
  readonly label: string;
  readonly left: string;
  readonly words: string;
  readonly viewBox: string;
  /** The attribute `points` of a `polyline`. */
  readonly points: string;
}

/** The chart of some readings, as a list of one element; none where there are no readings. */
export function quotaChart(label: string, readings: readonly Reading[]): QuotaChart[] {
  const [first] = readings;
  const last = readings.at(-1);
  if (first === undefined || last === undefined) return [];
  const values = readings.map(({ left }) => left);
  const most = Math.max(1, ...values);
  const span = Math.max(1, last.at - first.at);
  const place = ({ at, left }: Reading) => `${round(((at - first.at) / span) * width)},${round(height - (left / most) * height)}`;
  // A single reading is a line too, so that there is something to see.
  const points = [...readings.map(place), `${width},${round(height - (last.left / most) * height)}`].join(" ");
  const since =
    readings.length < 2 ? "" : `, in the last ${duration(span)} between ${count(Math.min(...values))} and ${count(most)}`;
  return [
    {
      label,
      left: count(last.left),
      words: `${label}: ${count(last.left)} left${since}`,
      viewBox: `0 0 ${width} ${height}`,
      points,
    },
  ];
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
