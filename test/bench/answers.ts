import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Worker } from "node:worker_threads";
import { LargeJson } from "../../runtime/base/large-json.ts";
import { type Result, round } from "./report.ts";

const atOnce = 3;
const rounds = 5;

/** How long large answers of a platform hold up the event loop: parsed in pieces as the service does, and in one go. */
export async function benchAnswers(): Promise<Result> {
  const platform = new Worker(new URL("./answers-platform.ts", import.meta.url));
  const [{ port, bytes }] = (await once(platform, "message")) as [{ port: number; bytes: number }];
  const read = async () => Buffer.from(await (await fetch(`http://127.0.0.1:${port}`)).arrayBuffer());
  const { signal } = new AbortController();
  const json = new LargeJson();
  const pieces = async () => json.parse(await read(), signal);
  const whole = async () => JSON.parse((await read()).toString()) as unknown;
  // The first one starts the thread and compiles.
  for (const way of [pieces, whole]) await way();
  const [inPieces, inOneGo] = [await longestHold(pieces), await longestHold(whole)];
  await platform.terminate();
  return {
    name: "answers",
    notes: `${atOnce} answers of ${round(bytes / 1024 / 1024, 1)} MiB (100 records) read at once, ${rounds} times; the longest time that the event loop was held`,
    rows: [
      { what: "parsed in a thread, taken in pieces", value: inPieces.longest, unit: "ms" },
      { what: "parsed in one go", value: inOneGo.longest, unit: "ms" },
      { what: "share of the second", value: round(inPieces.longest / inOneGo.longest, 2), unit: "" },
      { what: "time for all, in pieces", value: inPieces.time, unit: "ms" },
      { what: "time for all, in one go", value: inOneGo.time, unit: "ms" },
    ],
  };
}

async function longestHold(way: () => Promise<unknown>): Promise<{ longest: number; time: number }> {
  const resolution = 1;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const started = performance.now();
  for (let one = 0; one < rounds; one++) await Promise.all(Array.from({ length: atOnce }, way));
  delay.disable();
  return { longest: round(delay.max / 1e6 - resolution, 1), time: round((performance.now() - started) / rounds, 0) };
}
