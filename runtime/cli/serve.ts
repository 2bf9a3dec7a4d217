import { TenonError } from "../base/errors.ts";
import { flushed, type LogSink, standardOutput } from "../base/log.ts";
import { pause } from "../base/pause.ts";
import { readableLines } from "../base/readable-log.ts";
import { connectors, isOwn } from "../main/connectors.ts";
import { withExampleScopes } from "../main/schedules/example-scopes.ts";
import { type Role, type Service, startService } from "../main/service.ts";
import { readSettings, SettingsError } from "../main/settings/settings.ts";
import { openWarnings } from "../main/settings/settings-check.ts";
import { CommandError } from "./command-error.ts";
import { exitStatus } from "./exit-status.ts";
import { errorText } from "./failure.ts";
import { greeting, workerGreeting } from "./greeting.ts";
import { leave } from "./leave.ts";
import { out } from "./output/standard-output.ts";

/** Milliseconds that the greeting waits for the syncs of the examples. */
const examplesTime = 20_000;

interface WorkFlags {
  readonly port: string | undefined;
  readonly host: string | undefined;
  readonly config: string | undefined;
}

interface ServeFlags extends WorkFlags {
  readonly examples: boolean;
  readonly "no-sync": boolean;
}

/**
 * `tenon serve`: runs until SIGTERM, SIGINT or SIGHUP. The exit status is 0 when every request under way could end, and 70 when some
 * had to be cut off.
 *
 * @throws SettingsError, or CommandError when the service cannot start
 */
export const serve = {
  run: (_args: readonly string[], flags: ServeFlags): Promise<number> =>
    untilSignal(flags, flags["no-sync"] ? "serve" : "all", flags.examples),
};

/** `tenon work`: as `tenon serve`, for a process that syncs and embeds. */
export const work = {
  run: (_args: readonly string[], flags: WorkFlags): Promise<number> => untilSignal(flags, "work", false),
};

async function untilSignal({ port, host, config }: WorkFlags, role: Role, examples: boolean): Promise<number> {
  const environment = {
    ...process.env,
    ...(port === undefined ? {} : { TENON_PORT: port }),
    ...(host === undefined ? {} : { TENON_HOST: host }),
  };
  const { settings: given, warnings } = readSettings(environment, connectors, config);
  const settings = examples ? withExampleScopes(given, connectors) : given;
  // A signal that comes while the service starts ends it as soon as it has started.
  const starting = Promise.withResolvers<Service>();
  const end = new AbortController();
  const stopping = stopOnSignal(starting.promise, end);
  const log = out.isTTY ? readableLines(standardOutput()) : standardOutput();
  const sink = settings === given ? log : withoutSyncs(log);
  let service: Service;
  try {
    service = await startService(settings, {
      warnings: [...warnings, ...(role === "work" ? [] : openWarnings(settings))],
      role,
      sink,
      signal: end.signal,
    });
  } catch (thrown) {
    // A signal has ended the wait for the database.
    if (stopping.begun) return 0;
    throw thrown instanceof SettingsError ? thrown : cannotStart(thrown, exitStatus.unavailable);
  }
  starting.resolve(service);
  try {
    await service.ready;
  } catch (thrown) {
    // Where a signal came first, what failed is only what the signal has ended.
    if (!stopping.begun) {
      await service.close();
      throw cannotStart(thrown, exitStatus.failed);
    }
  }
  // The examples are synced in seconds, so that a first search finds something.
  if (examples && service.trial) {
    console.error("Filling the cache with examples…");
    await Promise.race([service.caughtUp(), pause(examplesTime, end.signal, "idle")]).catch(() => undefined);
    await flushed(sink);
  }
  if (!stopping.begun) console.error(role === "work" ? workerGreeting(service) : greeting(service, settings, isOwn));
  const outdated = service.outdated.then(async (error) => {
    // After a signal the service ends anyway.
    if (stopping.begun) return stopping.clean;
    await service.close();
    throw new CommandError(`cannot continue: ${error.message}`, error.exit, error);
  });
  return (await Promise.race([stopping.clean, outdated])) ? 0 : exitStatus.failed;
}

/** Leaves out what syncs of examples log: about a hundred lines, which would hide the key and the command to paste. */
function withoutSyncs(sink: LogSink): LogSink {
  const isSync = (line: string) => /^{"level":30,.*"msg":"(context store|synced)"}/.test(line);
  return { ...sink, write: (line) => (isSync(line) ? undefined : sink.write(line)) };
}

function cannotStart(thrown: unknown, exit: number): CommandError {
  return new CommandError(`cannot start: ${errorText(thrown)}`, thrown instanceof TenonError ? thrown.exit : exit, thrown);
}

interface Stopping {
  begun: boolean;
  readonly clean: Promise<boolean>;
}

/** A second signal within this time (ms) is an echo: a terminal sends Ctrl-C to the whole group, and a launcher passes it on too. */
const echo = 500;

/** The first signal ends the service in good order; a later one ends it at once. @param end is aborted by the first */
function stopOnSignal(starting: Promise<Service>, end: AbortController): Stopping {
  const { promise: clean, resolve } = Promise.withResolvers<boolean>();
  const stopping: Stopping = { begun: false, clean };
  let first = 0;
  const stop = () => {
    if (stopping.begun && performance.now() - first < echo) return;
    if (stopping.begun) {
      void leave(exitStatus.failed);
      return;
    }
    stopping.begun = true;
    first = performance.now();
    end.abort();
    starting.then((service) => service.close()).then(resolve, () => resolve(false));
  };
  // SIGHUP comes when the terminal is closed.
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, stop);
  return stopping;
}
