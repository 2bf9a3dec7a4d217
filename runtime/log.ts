import { type DestinationStream, type Logger, pino } from "pino";
import type { Redact } from "./redact.ts";

export type { Logger } from "pino";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** A structured log (JSON lines) whose every line has passed the redactor. */
export function createLog(level: (typeof logLevels)[number], redact: Redact, sink: DestinationStream): Logger {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write: (line) => sink.write(redact(line)) });
}
