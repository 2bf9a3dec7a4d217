import { hostedTransport } from "../../main/access.ts";
import { connectors } from "../../main/connectors.ts";
import { runForget, runStatus, runSync } from "../../main/operator/sync-run.ts";
import { cachePlace } from "../../main/own-command.ts";
import { readSettings } from "../../main/settings/settings.ts";
import { syncExit } from "../../sync/index.ts";
import { CommandError } from "../command-error.ts";
import { endSignal } from "../end-signal.ts";
import { exitStatus } from "../exit-status.ts";
import { AnswerNotes } from "../output/answer-notes.ts";
import { openProgressBar } from "../output/progress-bar.ts";
import { out } from "../output/standard-output.ts";
import { requireService } from "../request/place-flags.ts";
import { jsonLines, lines, withBar } from "./sync-progress.ts";
import { statusTable } from "./sync-status.ts";

interface SyncFlags {
  readonly scope: readonly string[];
  readonly entity: readonly string[];
  readonly full: boolean;
  readonly "allow-mass-delete": boolean;
  readonly status: boolean;
  readonly forget: string | undefined;
  readonly workspace: string | undefined;
  readonly organization: string | undefined;
  readonly config: string | undefined;
}

/**
 * `tenon sync`: lines for people on a terminal, JSON lines elsewhere, and a bar while it takes long. With the setting `url` the service
 * syncs, and its progress is shown. The exit status says complete (0), partial (75: run it again) or refused (73: a person has to decide
 * whether so much may be removed).
 *
 * @throws SettingsError, or TenonError for a request that makes no sense
 */
export async function run([connectorId = ""]: readonly string[], flags: SyncFlags): Promise<number> {
  const reads = flags.scope.length > 0 || flags.entity.length > 0 || flags.full || flags["allow-mass-delete"];
  const alone = Number(flags.status) + Number(flags.forget !== undefined);
  if (alone > 1 || (alone === 1 && reads))
    throw new CommandError("--status and --forget cannot be combined with other flags of a sync", exitStatus.usage);
  const signal = endSignal();
  const { settings } = readSettings(process.env, connectors, flags.config);
  requireService(settings, flags);
  const notes = new AnswerNotes(settings, connectorId);
  if (settings.url !== "") {
    // A service keeps its records itself: it syncs, and this process watches.
    const hosted = await import("./hosted-sync.ts");
    const service = hosted.withNotes(hostedTransport(settings, flags, connectorId), notes);
    if (flags.status) return hosted.showStatus(service, signal);
    if (flags.forget !== undefined) return hosted.forget(service, flags.forget, signal);
    const { scope: scopes, entity: entities, full, "allow-mass-delete": massDelete } = flags;
    return hosted.syncHosted(service, { scopes, entities, full, massDelete }, signal);
  }
  // The progress shows what the log would say; only errors are written beside it.
  const errors = { write: (line: string) => void (/"level":(?:50|60)/.test(line) && process.stderr.write(line)) };
  const request = { connectorId, signal };
  if (flags.status) {
    const all = await runStatus(settings, request, errors);
    out.write(out.isTTY ? statusTable(all) : all.map((one) => `${JSON.stringify(one)}\n`).join(""));
    return 0;
  }
  if (flags.forget !== undefined) {
    const { scope, removed } = await runForget(settings, { ...request, scope: flags.forget }, errors);
    const text = `Forgot ${scope}: ${removed} records removed.`;
    out.write(`${out.isTTY ? text : JSON.stringify({ event: "forgotten", scope, removed })}\n`);
    return 0;
  }
  const bar = await openProgressBar();
  const show = withBar(out.isTTY ? lines(out, bar, cachePlace(settings)) : jsonLines(out), bar);
  const result = await runSync(
    settings,
    {
      ...request,
      scopes: flags.scope,
      entities: flags.entity,
      full: flags.full,
      massDelete: flags["allow-mass-delete"],
      onProgress: show.progress,
      onEmbedding: show.embedding,
    },
    errors,
  ).finally(() => bar.end());
  show.end(result);
  return syncExit[result.outcome];
}
