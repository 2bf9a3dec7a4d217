import { TenonError } from "../errors.ts";
import { connectors, runSync } from "../main/index.ts";
import { readSettings, SettingsError } from "../settings.ts";
import { syncExit } from "../sync/index.ts";
import { errorText } from "./error-text.ts";
import { jsonLines, terminal } from "./sync-progress.ts";

/** EX_CONFIG of sysexits.h. */
const badConfiguration = 78;
/** EX_SOFTWARE. */
const failed = 70;

interface Flags {
  readonly config?: string | undefined;
  readonly scope?: string[] | undefined;
  readonly entity?: string[] | undefined;
  readonly full?: boolean | undefined;
  readonly "allow-mass-delete"?: boolean | undefined;
}

/**
 * `tenon sync`: progress on a terminal, JSON lines elsewhere. The exit status says complete (0), partial (75: run it again) or refused
 * (73: a person has to decide whether so much may be removed).
 */
export async function syncOnce(connectorId: string, flags: Flags): Promise<number> {
  const end = new AbortController();
  process.once("SIGINT", () => end.abort());
  process.once("SIGTERM", () => end.abort());
  // When nobody reads the progress any longer, the sync ends as if it had been interrupted.
  process.stdout.on("error", () => end.abort());
  const show = process.stdout.isTTY ? terminal(process.stdout) : jsonLines(process.stdout);
  try {
    const { settings } = readSettings(process.env, connectors, flags.config);
    const result = await runSync(
      settings,
      {
        connectorId,
        scopes: flags.scope ?? [],
        entities: flags.entity ?? [],
        full: flags.full === true,
        massDelete: flags["allow-mass-delete"] === true,
        signal: end.signal,
        onProgress: show.progress,
      },
      // The progress says what the log would say; only errors are written as well.
      { write: (line) => void (/"level":(?:50|60)/.test(line) && process.stderr.write(line)) },
    );
    show.end(result);
    return syncExit[result.outcome];
  } catch (thrown) {
    if (thrown instanceof SettingsError) {
      console.error(`tenon: the configuration is not valid\n${thrown.message}`);
      return badConfiguration;
    }
    console.error(`tenon: ${errorText(thrown)}`);
    return thrown instanceof TenonError ? thrown.exit : failed;
  }
}
