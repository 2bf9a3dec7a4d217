import type { LogSink } from "./log.ts";
import { visibleText } from "./visible-text.ts";

/** Characters of a line. A longer one fills several rows of a terminal, which hides the lines around it. */
const longest = 160;
const levels: Readonly<Record<number, string>> = { 10: "trace", 20: "debug", 30: "", 40: "WARNING", 50: "ERROR", 60: "FATAL" };

/** A log for a person at a terminal: each line of JSON becomes a short line of text. */
export function readableLines(sink: LogSink): LogSink {
  return { ...sink, write: (line) => sink.write(readableLine(line)) };
}

/**
 * The time of day (UTC), the level where it is not "info", the message, and the members that say something: no ids, and none that are
 * empty, 0 or false.
 *
 * @param line JSON of one entry of the log
 */
function readableLine(line: string): string {
  const { time, level, msg, requestId: _requestId, err, ...members } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const values = { ...members, ...(err === undefined ? {} : { error: messageOf(err) }) };
  const told = Object.entries(values).flatMap(([name, value]) => (isEmpty(value) ? [] : [`${name}=${textOf(value)}`]));
  const parts = [String(time).slice(11, 19), levels[Number(level)] ?? "", msg, ...told];
  // What was escaped in the JSON is not any more.
  const text = visibleText(parts.filter((part) => part !== undefined && part !== "").join(" ")).replace(/\s+/g, " ");
  return `${text.length > longest ? `${text.slice(0, longest - 1)}…` : text}\n`;
}

function isEmpty(value: unknown): boolean {
  return !value || (typeof value === "object" && Object.keys(value).length === 0);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function messageOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "message" in error ? error.message : error;
}
