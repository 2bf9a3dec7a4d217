import type { AccountStore } from "../accounts/index.ts";
import { errorCodes } from "../base/error-codes.ts";
import type { LoggedProblem } from "../base/log-tail.ts";
import type { Gate } from "../server/gate.ts";
import type { Usages } from "../server/limits/usages.ts";
import { type LineChart, lineChart } from "./line-chart.ts";
import { mostMinutes, type Traffic } from "./traffic.ts";
import { bytes, count, milliseconds, type ShownTime, timeOf } from "./words.ts";

/** A disk or a database, as the process sees it now. */
export interface SystemFacts {
  /** Which process this is, in words. */
  readonly process: string;
  /** What the process does beside its responses, in words. */
  readonly syncs: string;
  readonly stores: readonly {
    readonly name: string;
    readonly engine: "SQLite" | "PostgreSQL";
    readonly up: boolean;
    /** Size of its files; null where it is on another machine. */
    readonly bytes: number | null;
  }[];
  /** The disk of the data folder; null where the system does not say. */
  readonly disk: { readonly free: number; readonly all: number } | null;
  readonly threads: readonly { readonly name: string; readonly waiting: number }[];
}

export interface ServiceParts {
  readonly gate: Pick<Gate, "working" | "most">;
  readonly limits: Pick<Usages, "nearest">;
  readonly traffic: Traffic;
  /** Absent where the process keeps no log. */
  readonly logged: () => readonly LoggedProblem[];
  /** Names of callers; absent where none are stored. */
  readonly callers?: Pick<AccountStore, "caller"> | undefined;
}

/** How the process is, in numbers. */
export interface ServiceView {
  readonly process: string;
  readonly facts: readonly { readonly name: string; readonly value: string; readonly level: "" | "failed" | "stale" }[];
  readonly loads: readonly {
    readonly span: string;
    readonly rate: string;
    readonly failed: string;
    readonly refused: string;
    readonly p50: string;
    readonly p95: string;
  }[];
  readonly charts: readonly LineChart[];
  readonly codes: readonly { readonly code: string; readonly count: string }[];
  readonly callers: readonly { readonly name: string; readonly id: string; readonly usage: string }[];
  readonly logged: readonly { readonly at: readonly ShownTime[]; readonly level: string; readonly text: string }[];
}

/** Callers and lines of the log that the page shows. */
const mostCallers = 10;
const mostLines = 15;
/** The part of a disk that should be free, and the bytes below which it counts as full. */
const scarce = 0.05;
const fullBelow = 256 * 1024 * 1024;

/** How full a disk is: `failed` when next to nothing can be written, `stale` when that comes near. */
export function diskLevel({ disk }: Pick<SystemFacts, "disk">): "" | "failed" | "stale" {
  if (disk === null) return "";
  if (disk.free < Math.min(fullBelow, disk.all * 0.01)) return "failed";
  return disk.free < disk.all * scarce ? "stale" : "";
}

/** @param whole whether the viewer may see what belongs to no single instance: callers and the log */
export async function serviceView(parts: ServiceParts, facts: SystemFacts, whole: boolean): Promise<ServiceView> {
  const { gate, limits, traffic, logged } = parts;
  const now = Date.now();
  const hour = traffic.over(mostMinutes);
  const callers = whole ? limits.nearest(mostCallers) : [];
  const memory = process.memoryUsage.rss();
  return {
    process: facts.process,
    facts: [
      fact("Concurrent requests", `${gate.working} of ${gate.most}`),
      ...facts.stores.map(({ name, engine, up, bytes: size }) => ({
        name,
        value: `${engine}, ${up ? "up" : "cannot be used"}${size === null ? "" : `, ${bytes(size)}`}`,
        level: up ? ("" as const) : ("failed" as const),
      })),
      { name: "Disk of the data folder", value: diskText(facts), level: diskLevel(facts) },
      fact("Memory", bytes(memory)),
      fact("Syncs", facts.syncs),
      ...workers(facts),
    ],
    loads: [5, mostMinutes].map((minutes) => {
      const { requests, perMinute, codes, p50, p95 } = traffic.over(minutes);
      const failed = sumOf(codes, (status) => status >= 500);
      const refused = sumOf(codes, (status) => status < 500);
      return {
        span: `${minutes} min`,
        rate: `${perMinute < 10 ? perMinute.toFixed(1) : count(Math.round(perMinute))} a minute`,
        failed: partOf(failed, requests),
        refused: partOf(refused, requests),
        p50: p50 === undefined ? "–" : milliseconds(p50),
        p95: p95 === undefined ? "–" : milliseconds(p95),
      };
    }),
    charts: lineChart(traffic.series(), (most) => `Requests a minute in the last hour, at most ${count(most)}`),
    codes: [...hour.codes]
      .filter(([code]) => Object.hasOwn(errorCodes, code))
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostCallers)
      .map(([code, times]) => ({ code, count: count(times) })),
    callers: await Promise.all(
      callers.map(async ({ caller, used }) => ({
        id: caller,
        name: (await parts.callers?.caller(caller))?.name ?? caller,
        usage: used.map(({ what, used, limit }) => `${Math.round(used)} of ${limit} ${what}`).join(", "),
      })),
    ),
    logged: (whole ? logged() : []).slice(0, mostLines).map(({ time, level, connector, text }) => ({
      at: timeOf(time === "" ? null : time, now),
      level: level === "error" ? "failed" : "stale",
      text: connector === "" ? text : `${connector}: ${text}`,
    })),
  };
}

function fact(name: string, value: string) {
  return { name, value, level: "" } as const;
}

/** Threads of one kind together: how many there are, and how many calls they work on or have before them. */
function workers({ threads }: SystemFacts) {
  return [...Map.groupBy(threads, ({ name }) => name)].map(([name, of]) => {
    const calls = of.reduce((sum, { waiting }) => sum + waiting, 0);
    const many = of.length === 1 ? "" : `${of.length}, `;
    return fact(
      `Worker: ${name.replace(/^(?:the|a) thread that /, "")}`,
      `${many}${calls === 0 ? "idle" : `${calls} ${calls === 1 ? "call" : "calls"}`}`,
    );
  });
}

function diskText({ disk }: SystemFacts): string {
  if (disk === null) return "unknown";
  return `${bytes(disk.free)} free of ${bytes(disk.all)} (${Math.floor((disk.free / disk.all) * 100)} %)`;
}

/** Requests that failed with a code of some statuses. One whose caller went away failed for no fault of the service. */
function sumOf(codes: ReadonlyMap<string, number>, isOwn: (status: number) => boolean): number {
  let sum = 0;
  for (const [code, { status }] of Object.entries(errorCodes)) if (isOwn(status)) sum += codes.get(code) ?? 0;
  return sum;
}

function partOf(part: number, all: number): string {
  return all === 0 ? "–" : `${count(part)} (${((part / all) * 100).toFixed(1)} %)`;
}
