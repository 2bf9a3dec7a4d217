import { type DestinationStream, pino } from "pino";
import sonic from "sonic-boom";
import { withDeadline } from "./deadline.ts";
import type { LogLevel } from "./log-levels.ts";
import type { Logger } from "./logger.ts";
import type { Redact } from "./redact.ts";
import { visibleText } from "./visible-text.ts";

/** A structured log (JSON lines). Every line has only visible characters, and passes through the redactor. */
export function createLog(level: LogLevel, redact: Redact, sink: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: isoTime() }, { write: (line) => sink.write(redact(visibleText(line))) });
}

/** Makes the member `time` of a line (ISO 8601). Lines of one millisecond share its text, which costs more than the rest of a line. */
function isoTime(): () => string {
  let last = 0;
  let text = "";
  return () => {
    const now = Date.now();
    if (now !== last) text = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return text;
  };
}

/** Where log lines go. Requests do not wait until lines are written, so the process must wait before it ends: see {@link flushed}. */
export type LogSink = DestinationStream & { flush?: (done: () => void) => void };

/** Characters of lines that may wait for a slow reader. Further lines are dropped, so that they do not fill the memory. */
const mostWaiting = 8 * 1024 * 1024;
/** Milliseconds that the process waits at its end for a reader that does not read. */
const flushTime = 1000;

/**
 * Standard output. Lines are collected and written in large pieces, at the latest after half a second, because each write takes about
 * 100 microseconds of the event loop.
 *
 * @param fd number of another open file to write to
 */
export function standardOutput(fd = 1): LogSink {
  const sink = new sonic.SonicBoom({ fd, sync: false, minLength: 12 * 1024, maxLength: mostWaiting, periodicFlush: 500 });
  let warned = false;
  const warn = (problem: string) => {
    if (!warned) process.stderr.write(`tenon: log lines are being lost: ${problem}\n`);
    warned = true;
  };
  sink.on("error", (error: Error) => warn(error.message));
  sink.on("drop", () => warn("the reader of the log is too slow"));
  return {
    write: (line) => sink.write(line),
    // When a write is under way, the flush of SonicBoom ends with that write and leaves the lines that came after the write began. The
    // second flush writes those.
    flush: (done) => sink.flush(() => sink.flush(done)),
  };
}

/** Resolves when every line is written, or after one second when the reader of the log does not read. */
export function flushed(sink: LogSink): Promise<void> {
  const written = new Promise<void>((resolve) => (sink.flush === undefined ? resolve() : sink.flush(resolve)));
  return withDeadline(flushTime, written, () => undefined);
}
