import type { Server } from "node:http";
import { TenonError } from "../base/errors.ts";
import type { Logger } from "../base/logger.ts";
import { pause } from "../base/pause.ts";

/** Milliseconds between two tries. */
const period = 1_000;

export interface OutageOptions {
  readonly log: Logger;
  /** Ends the wait: what was thrown last is then thrown. */
  readonly signal: AbortSignal;
  /** Listens where the service will listen, for the probes of an operator, who learn why it waits. */
  readonly listen: (problem: () => string) => Promise<{ readonly server: Server; readonly url: string }>;
}

/**
 * Opens something in the database, and tries again for as long as the database is away. Meanwhile probes learn that the process is not
 * ready.
 *
 * @throws what `open` throws for any other reason
 */
export async function onceThere<Opened>(open: () => Promise<Opened>, { log, signal, listen }: OutageOptions): Promise<Opened> {
  let problem = "";
  let waiting: Awaited<ReturnType<OutageOptions["listen"]>> | undefined;
  try {
    for (;;) {
      try {
        const opened = await open();
        if (waiting !== undefined) log.info("the database can be used: the service starts");
        return opened;
      } catch (thrown) {
        if (!(thrown instanceof TenonError && thrown.code === "database_unavailable") || signal.aborted) throw thrown;
        problem = thrown.message;
        if (waiting === undefined) {
          waiting = await listen(() => problem);
          log.error({ err: thrown, url: waiting.url }, "the database cannot be used: the service waits for it");
        }
        await pause(period, signal);
        if (signal.aborted) throw thrown;
      }
    }
  } finally {
    await closed(waiting?.server);
  }
}

async function closed(server: Server | undefined): Promise<void> {
  if (server === undefined) return;
  const ended = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await ended;
}
