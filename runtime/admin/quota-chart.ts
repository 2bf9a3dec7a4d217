import { type LineChart, lineOf } from "./line-chart.ts";
import type { Reading } from "./quota-history.ts";
import { count, duration } from "./words.ts";

/** The chart of what was left of a quota, as a list of one element; none where there are no readings. */
export function quotaChart(label: string, readings: readonly Reading[]): LineChart[] {
  const [first] = readings;
  const last = readings.at(-1);
  if (first === undefined || last === undefined) return [];
  const values = readings.map(({ left }) => left);
  const span = Math.max(1, last.at - first.at);
  const range = `${count(Math.min(...values))} and ${count(Math.max(...values))}`;
  const since = readings.length < 2 ? "" : `, in the last ${duration(span)} between ${range}`;
  const points = readings.map(({ at, left }) => ({ at, value: left }));
  // A single reading is a line too, so that there is something to see.
  const line = lineOf([...points, { at: first.at + span, value: last.left }]);
  return [{ words: `${label}: ${count(last.left)} left${since}`, ...line }];
}
