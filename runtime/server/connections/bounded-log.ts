import type { Logger } from "../../base/logger.ts";
import { Repeats } from "../monitoring/repeats.ts";

interface Line {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** Logs trouble with connections. In each window of ten seconds some lines are written, and then only the number of the others. */
export class BoundedLog {
  readonly #lines: Repeats<Line>;

  constructor(log: Logger) {
    this.#lines = new Repeats({
      most: 10,
      window: 10_000,
      note: ({ fields, message }) => log.warn(fields, message),
      more: (_last, lines) => log.warn({ lines }, "more lines about connections were left out"),
    });
  }

  warn(fields: Readonly<Record<string, unknown>>, message: string): void {
    this.#lines.add("", { fields, message });
  }
}
