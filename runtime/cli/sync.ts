import { connectors, runSync } from "../main/index.ts";
import { readSettings } from "../main/settings.ts";
import { syncExit } from "../sync/index.ts";
import { jsonLines, terminal } from "./sync-progress.ts";

interface SyncFlags {
  readonly scope: readonly string[];
  readonly entity: readonly string[];
  readonly full: boolean;
  readonly "allow-mass-delete": boolean;
  readonly config: string | undefined;
}

/**
 * `tenon sync`: progress on a terminal, JSON lines elsewhere. The exit status says complete (0), partial (75: run it again) or refused
 * (73: a person has to decide whether so much may be removed).
 *
 * @throws SettingsError, or TenonError for a request that makes no sense
 */
export async function run([connectorId = ""]: readonly string[], flags: SyncFlags): Promise<number> {
  const end = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => end.abort());
  // Where nobody reads the progress any longer, the sync ends as if it had been interrupted.
  process.stdout.on("error", () => end.abort());
  const show = process.stdout.isTTY ? terminal(process.stdout) : jsonLines(process.stdout);
  const { settings } = readSettings(process.env, connectors, flags.config);
  const result = await runSync(
    settings,
    {
      connectorId,
      scopes: flags.scope,
      entities: flags.entity,
      full: flags.full,
      massDelete: flags["allow-mass-delete"],
      signal: end.signal,
      onProgress: show.progress,
      onEmbedding: show.embedding,
    },
    // The progress shows what the log would say; only errors are written beside it.
    { write: (line) => void (/"level":(?:50|60)/.test(line) && process.stderr.write(line)) },
  );
  show.end(result);
  return syncExit[result.outcome];
}
