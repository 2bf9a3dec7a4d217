import { existsSync, readFileSync } from "node:fs";
import { markdownTable } from "../print/markdown.ts";

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

const search = "five conditions, 100,000";

/** The figures of the front page. `value` gives the value of a row of the benchmark with its unit. */
const shown: readonly Shown[] = [
  {
    bench: "execute",
    figure: (value) => `${value("ratio, median of the rounds")} ×`,
    what: "the requests per second of a bare Express route, with keys, checks, handler and log on top",
    against: (value) =>
      `a route that echoes the body: ${value("bare Express route, requests per second")}; the endpoint: ${value("execute route, requests per second")}`,
  },
  {
    bench: "search",
    figure: (value) => value(`${search}: ours in the same cases, p50`),
    what: "for a search with five conditions among 100,000 records",
    against: (value) => `SQL written by hand, the best of its plans: ${value(`${search}: by hand, p50 of 40`)}`,
  },
  {
    bench: "search",
    figure: (value) => `${value(`${search}: times faster than scans (the faster of two)`)} ×`,
    what: "as fast as looking at all 100,000 records in memory",
    against: () => "the faster of two libraries that scan, `mingo` and `sift`",
  },
  {
    bench: "generator",
    figure: (value) => value("warm, one entity changed"),
    what: "from a changed spec to all files of a connector with 24 entities",
    against: (value) => `a first run that has nothing to build on: ${value("cold")}`,
  },
];

/** The table of figures, and when and where they were measured. @throws Error when a benchmark has no such row */
export function figureTable(figures: Figures): string {
  const used = shown.flatMap((one) =>
    Object.hasOwn(figures, one.bench) ? [{ ...one, found: figures[one.bench] as Recorded }] : [],
  );
  const rows = used.map(({ figure, what, against, found }) => {
    const value = (row: string) => textOf(found, row);
    return [`**${figure(value)}**`, what, against(value)];
  });
  const runs = [...new Map(used.map(({ bench, found }) => [bench, found]))].map(
    ([bench, found]) => `\`${bench}\` ${runText(found)}`,
  );
  return rows.length === 0
    ? "`make bench RECORD=1` measures."
    : `${markdownTable(["figure", "what", "measured against"], rows)}\n\nMeasured by \`make bench\`: ${runs.join("; ")}.`;
}

function textOf({ rows }: Recorded, row: string): string {
  const found = rows.find(({ what }) => what === row);
  if (found === undefined) throw new Error(`figures.json has no row "${row}"`);
  const number = found.value.toLocaleString("en-US", { maximumFractionDigits: 2 });
  return found.unit === "" ? number : found.unit === "1/s" ? `${number} per second` : `${number} ${found.unit}`;
}

function runText({ date, machine: { node, cores, processor, load } }: Recorded): string {
  const shared = load > cores ? `, which other programs used too (load ${load})` : "";
  return `on ${date} with Node ${node} on ${cores} cores (${processor})${shared}`;
}
