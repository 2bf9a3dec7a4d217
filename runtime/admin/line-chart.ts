/** The size of a chart in its own units; the page gives it any width. */
const width = 300;
const height = 60;

/** A line over time, and the same in words. */
export interface LineChart {
  readonly words: string;
  readonly viewBox: string;
  /** The attribute `points` of a `polyline`. */
  readonly points: string;
}

/** A value of a line, and its place on it in any unit. */
export interface ChartPoint {
  readonly at: number;
  readonly value: number;
}

/** The line of some values at the same distance, as a list of one element. @param words of the greatest value */
export function lineChart(values: readonly number[], words: (most: number) => string): LineChart[] {
  const points = values.map((value, at) => ({ at, value }));
  return points.length === 0 ? [] : [{ words: words(Math.max(0, ...values)), ...lineOf(points) }];
}

/** The line through some points, from nothing to the greatest of them. */
export function lineOf(points: readonly ChartPoint[]): Pick<LineChart, "viewBox" | "points"> {
  const first = points[0]?.at ?? 0;
  const span = Math.max(1, (points.at(-1)?.at ?? 0) - first);
  const most = Math.max(1, ...points.map(({ value }) => value));
  const place = ({ at, value }: ChartPoint) =>
    `${round(((at - first) / span) * width)},${round(height - (value / most) * height)}`;
  return { viewBox: `0 0 ${width} ${height}`, points: points.map(place).join(" ") };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
