import { existsSync, readFileSync } from "node:fs";
import { markdownTable } from "../../generator/print/markdown.ts";

/** Results of `make bench RECORD=1` by the name of the benchmark. */
export type Figures = Readonly<Record<string, Recorded>>;

interface Recorded {
  /** The day, as `2026-01-31`. */
  readonly date: string;
  /** `load` is the mean number of processes that wanted a core at the time. */
  readonly machine: { readonly node: string; readonly cores: number; readonly processor: string; readonly load: number };
  readonly notes: string;
  readonly rows: readonly { readonly what: string; readonly value: number; readonly unit: string }[];
}

const file = new URL("figures.json", import.meta.url);

export function readFigures(): Figures {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Figures) : {};
}

type Value = (row: string) => string;

interface Shown {
  readonly bench: string;
  readonly figure: (value: Value) => string;
  readonly what: string;
  readonly against: (value: Value) => string;
}

const equal = "eq repository, up to 1,000 rows, 100,000";
const five = "five conditions, 100,000";

/** The figures of the front page. `value` gives the value of a row of the benchmark with its unit. */
const shown: readonly Shown[] = [
  {
    bench: "execute",
    figure: (value) => value("execute route, requests per second"),
    what: "requests to the endpoint, with keys, checks, handler and log",
    against: (value) => `a bare Express route: ${value("bare Express route, requests per second")}`,
  },
  {
    bench: "search",
    figure: (value) => value(`${equal}: ours in the same cases, p50`),
    what: "for a page of up to 1,000 of 100,000 cached records",
    against: (value) => `SQL that a person writes for this file, without the service: ${value(`${equal}: by hand, p50 of 40`)}`,
  },
  {
    bench: "search",
    figure: (value) => `${value(`${five}: times faster than scans (the faster of two)`)} ×`,
    what: "as fast as a scan, for five conditions on 100,000 records",
    against: () => "the faster of `mingo` and `sift` on records in memory",
  },
  {
    bench: "generator",
    figure: (value) => value("save to files on disk"),
    what: "from a saved spec to its files, in a connector with 24 entities",
    against: (value) => `a first run, which has no results to build on: ${value("cold")}`,
  },
];

/** The table of figures, and when and where they were measured. @throws Error when a benchmark has no such row */
export function figureTable(figures: Figures): string {
  const used = shown.flatMap((one) =>
    Object.hasOwn(figures, one.bench) ? [{ ...one, found: figures[one.bench] as Recorded }] : [],
  );
  const rows = used.filter(isGain).map(({ figure, what, against, found }) => {
    const value = (row: string) => textOf(found, row);
    return [`**${figure(value)}**`, what, against(value)];
  });
  return rows.length === 0
    ? "`make bench RECORD=1` measures."
    : `${markdownTable(["figure", "what", "measured against"], rows)}\n\n${runText(used.map(({ found }) => found))}`;
}

/** Whether a figure that says how many times better something is says more than once. */
function isGain({ figure, found }: Shown & { readonly found: Recorded }): boolean {
  const [, times] = /^([\d.,]+) ×$/.exec(figure((row) => textOf(found, row))) ?? [];
  return times === undefined || Number(times.replaceAll(",", "")) > 1;
}

function textOf({ rows }: Recorded, row: string): string {
  const found = rows.find(({ what }) => what === row);
  if (found === undefined) throw new Error(`figures.json has no row "${row}"`);
  const number = found.value.toLocaleString("en-US", { maximumFractionDigits: 2 });
  return found.unit === "" ? number : found.unit === "1/s" ? `${number} per second` : `${number} ${found.unit}`;
}

/** When and where the figures were measured, each place once. */
function runText(runs: readonly Recorded[]): string {
  const places = new Set(
    runs.map(({ date, machine: { node, cores, processor } }) => `on ${date} with Node ${node} on ${cores} cores (${processor})`),
  );
  const loads = runs.flatMap(({ machine: { load, cores } }) => (load > cores ? [load] : []));
  const shared =
    loads.length === 0
      ? ""
      : ` Other programs used the machine at the same time: between ${Math.min(...loads)} and ${Math.max(...loads)} wanted a core on average.`;
  return `Measured by \`make bench\` ${[...places].join(", and ")}.${shared}`;
}
