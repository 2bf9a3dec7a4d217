import { type Row, round } from "./report.ts";
import type { Class } from "./search-classes.ts";
import type { Loaded } from "./search-file.ts";

/** The numbers of records that searches are measured at. */
export const sizes = [100_000, 1_000_000] as const;

export interface Times {
  readonly p50: number;
  readonly p95: number;
}

export interface Tail extends Times {
  readonly p99: number;
}

export interface Side {
  readonly ours: Times;
  /** Medians of the cases that were also asked by hand. */
  readonly hand:
    | {
        readonly ours: number;
        readonly best: number;
        readonly cases: number;
        readonly oursInSum: number;
        readonly bestInSum: number;
      }
    | undefined;
}

export function besideRows(size: number, beside: Tail): Row[] {
  const label = `${size.toLocaleString("en")} records: a cheap search while ten expensive ones run`;
  return [
    { what: `${label}, p50`, value: round(beside.p50, 2), unit: "ms" },
    { what: `${label}, p99`, value: round(beside.p99, 2), unit: "ms", aim: "under 100 ms" },
  ];
}

export function fileRows(size: number, file: Loaded): Row[] {
  const label = `${size.toLocaleString("en")} records`;
  const again = file.reused ? " (of the run that loaded the file)" : "";
  const large = size === sizes[1];
  return [
    { what: `${label}: loading${again}`, value: round(file.seconds, 0), unit: "s", ...(large ? { aim: "under 300 s" } : {}) },
    { what: `${label}: processor time of loading, records made as well${again}`, value: round(file.cpuSeconds, 0), unit: "s" },
    { what: `${label}: file over JSON`, value: round(file.fileBytes / file.jsonBytes, 2), unit: "", aim: "at most 1.8" },
    {
      what: `${label}: durable upserts in pages of 200, one after the other${again}`,
      value: round(file.upsertsPerSecond, 0),
      unit: "1/s",
    },
    {
      what: `${label}: durable upserts in pages of 200, as a sync saves them${again}`,
      value: round(file.syncedPerSecond, 0),
      unit: "1/s",
      aim: "at least 3000",
    },
  ];
}

export function ownRows(size: number, own: Times): Row[] {
  const label = `${size.toLocaleString("en")} records: a search that finds nothing (the route's own cost)`;
  return (["p50", "p95"] as const).map((point) => ({ what: `${label}, ${point}`, value: round(own[point], 2), unit: "ms" }));
}

export function pingRows(size: number, pings: Tail): Row[] {
  const label = `${size.toLocaleString("en")} records: a cheap request while ten searches a second run`;
  return [
    { what: `${label}, p50`, value: round(pings.p50, 2), unit: "ms" },
    { what: `${label}, p99`, value: round(pings.p99, 2), unit: "ms", aim: "under 20 ms" },
  ];
}

export function planRow(size: number, measured: ReadonlyMap<string, Side>, own: Times): Row {
  const label = `${size.toLocaleString("en")} records: the chosen plans over the fastest ones by hand, all classes`;
  return { what: label, ...overBest(measured.values(), own) };
}

export function classRows(
  one: Class,
  sides: ReadonlyMap<number, { classes: ReadonlyMap<string, Side>; own: Times }>,
  largest: number,
  scan: number | undefined,
): Row[] {
  const rows: Row[] = [];
  for (const [size, { classes: measured, own }] of sides) {
    const side = measured.get(one.name);
    if (side === undefined) continue;
    const label = `${one.name}, ${size.toLocaleString("en")}`;
    for (const point of ["p50", "p95"] as const) {
      const under = size === largest ? one.aims[point] : undefined;
      const aim = under === undefined ? {} : { aim: `under ${under} ms` };
      rows.push({ what: `${label}: ${point}`, value: round(side.ours[point], 2), unit: "ms", ...aim });
    }
    if (side.hand !== undefined) {
      const { best, ours, cases } = side.hand;
      rows.push({ what: `${label}: by hand, p50 of ${cases}`, value: round(best, 2), unit: "ms" });
      rows.push({
        what: `${label}: ours in the same cases, p50`,
        value: round(ours, 2),
        unit: "ms",
        aim: `under ${round(1.15 * best + 0.3, 2)} ms`,
      });
      rows.push({ what: `${label}: the chosen plan over the fastest one by hand, all cases`, ...overBest([side], own) });
    }
    if (scan !== undefined && size === sizes[0])
      rows.push({
        what: `${label}: times faster than scans (the faster of two)`,
        value: round(scan / side.ours.p50, 0),
        unit: "",
        aim: "at least 10",
      });
  }
  const [small, large] = sizes.map((size) => sides.get(size)?.classes.get(one.name)?.ours.p95);
  if (one.flat === true && small !== undefined && large !== undefined)
    rows.push({
      what: `${one.name}: p95 at 1,000,000 over 100,000`,
      value: round(large / small, 2),
      unit: "",
      aim: "at most 1.3",
    });
  return rows;
}

/** How many times as long our plans take as the fastest ones by hand. What the way to the store and back takes is subtracted from ours. */
function overBest(sides: Iterable<Side>, own: Times) {
  let [ours, best] = [0, 0];
  for (const { hand } of sides) {
    ours += hand === undefined ? 0 : hand.oursInSum - hand.cases * own.p50;
    best += hand?.bestInSum ?? 0;
  }
  return { value: round(ours / best, 2), unit: "", aim: "at most 1.5" };
}
