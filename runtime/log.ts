import { type DestinationStream, type Logger, pino } from "pino";
import sonic from "sonic-boom";
import type { Redact } from "./redact.ts";

export type { Logger } from "pino";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** A structured log (JSON lines) whose every line has passed the redactor. */
export function createLog(level: (typeof logLevels)[number], redact: Redact, sink: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: isoTime() }, { write: (line) => sink.write(redact(line)) });
}

/** The time member of a line (ISO 8601). Lines of one millisecond share its text, which costs more than the rest of a line. */
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

/** Where log lines go. They are written without holding up requests, so the last ones have to be waited for. */
export type LogSink = DestinationStream & { flush?: (done: () => void) => void };

/** Characters of lines that wait for a slow reader; beyond them lines are dropped rather than memory filled. */
const mostWaiting = 8 * 1024 * 1024;
/** A reader that does not read cannot hold up the end of the process for longer, in milliseconds. */
const flushTime = 1000;

/**
 * Standard output: lines are collected and written off the request's path, at the latest after half a second.
 *
 * @param fd another open file to write to
 */
export function standardOutput(fd = 1): LogSink {
  const sink = new sonic.SonicBoom({ fd, sync: false, minLength: 12 * 1024, maxLength: mostWaiting, periodicFlush: 500 });
  let told = false;
  const tell = (problem: string) => {
    if (!told) process.stderr.write(`tenon: log lines are being lost: ${problem}\n`);
    told = true;
  };
  sink.on("error", (error: Error) => tell(error.message));
  sink.on("drop", () => tell("the reader of the log is too slow"));
  return {
    write: (line) => sink.write(line),
    // A flush of SonicBoom ends with the write that is under way; lines that came after that began are left. They fit into one
    // write, which the second flush makes.
    flush: (done) => sink.flush(() => sink.flush(done)),
  };
}

/** Waits until every line is written, but not for a log that nobody takes. */
export function flushed(sink: LogSink): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, flushTime);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    if (sink.flush === undefined) done();
    else sink.flush(done);
  });
}
