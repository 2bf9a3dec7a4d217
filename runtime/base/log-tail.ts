import type { LogSink } from "./log.ts";
import { visibleLine } from "./visible-text.ts";

/** A warning or an error of the log. */
export interface LoggedProblem {
  /** ISO 8601. */
  readonly time: string;
  readonly level: "warning" | "error";
  /** Name of the connector, where the line has one. */
  readonly connector: string;
  readonly text: string;
}

/** Problems that are remembered, and characters of each text. */
const most = 50;
const longest = 4_096;
/** What a line begins with whose level is a warning (40) or worse, as pino numbers levels. */
const problemStart = /^\{"level":[456]\d,/;

/** Passes the lines of the log on, and remembers the latest warnings and errors, which have no secrets any more. */
export class LogTail {
  readonly sink: LogSink;
  readonly #problems: LoggedProblem[] = [];

  constructor(sink: LogSink) {
    const flush = sink.flush?.bind(sink);
    this.sink = { write: (line) => this.#take(line, sink), ...(flush === undefined ? {} : { flush }) };
  }

  /** The latest first. */
  get problems(): readonly LoggedProblem[] {
    return this.#problems.toReversed();
  }

  #take(line: string, sink: LogSink): void {
    if (problemStart.test(line)) {
      this.#problems.push(problemOf(line));
      if (this.#problems.length > most) this.#problems.shift();
    }
    sink.write(line);
  }
}

function problemOf(line: string): LoggedProblem {
  const { level, time, msg, store, connector, err } = membersOf(line);
  const cause = typeof err === "object" && err !== null && "message" in err ? err.message : undefined;
  const texts = [msg, store, cause].filter((one) => typeof one === "string" && one !== "");
  return {
    time: typeof time === "string" ? time : "",
    level: typeof level === "number" && level < 50 ? "warning" : "error",
    connector: typeof connector === "string" ? connector : "",
    text: visibleLine(texts.join(": ")).slice(0, longest),
  };
}

function membersOf(line: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === "object" && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}
