import { pause } from "../../base/pause.ts";
import type { HostedTransport } from "../../client/hosted.ts";
import { type EntityStatus, syncExit } from "../../sync/index.ts";
import type { AnswerNotes } from "../output/answer-notes.ts";
import { openProgressBar, type ProgressBar, type ProgressStep } from "../output/progress-bar.ts";
import { out } from "../output/standard-output.ts";
import { syncEndings } from "./sync-progress.ts";
import { statusTable } from "./sync-status.ts";

/** What to request of a service elsewhere. */
export interface HostedSync {
  readonly scopes: readonly string[];
  readonly entities: readonly string[];
  readonly full: boolean;
  readonly massDelete: boolean;
}

/** The sync routes of a service, for one connector instance. */
export type SyncService = Pick<HostedTransport, "sync">;

/** The same routes; the notes get what each response reports. */
export function withNotes(service: SyncService, notes: AnswerNotes): SyncService {
  return {
    sync: async (...call) => {
      const answer = await service.sync(...call);
      notes.of(answer.meta);
      return answer;
    },
  };
}

/** Milliseconds between two looks at a sync that runs on a service, and that one request may take. */
const interval = 1000;
const patience = 30_000;

/** Prints what a service has cached of a connector. */
export async function showStatus(service: SyncService, signal: AbortSignal): Promise<number> {
  const { states } = await look(service, signal);
  out.write(out.isTTY ? statusTable(states) : states.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return 0;
}

/** Lets a service forget a scope. */
export async function forget(service: SyncService, scope: string, signal: AbortSignal): Promise<number> {
  const { data } = await service.sync("DELETE", `/scopes/${encodeURIComponent(scope)}`, undefined, limited(signal));
  const { scope: name, removed } = data as { readonly scope: string; readonly removed: number };
  const text = `Forgot ${name}: ${removed} records removed.`;
  out.write(`${out.isTTY ? text : JSON.stringify({ event: "forgotten", scope: name, removed })}\n`);
  return 0;
}

/**
 * Starts a sync on a service and shows how far it is until it ends. A signal stops the sync on the service too.
 *
 * @returns the exit status, as of a sync in this process
 * @throws CallError when the service refuses
 */
export async function syncHosted(service: SyncService, wanted: HostedSync, signal: AbortSignal): Promise<number> {
  const { scopes, entities, full, massDelete } = wanted;
  const body = {
    ...(scopes.length === 0 ? {} : { scopes }),
    ...(entities.length === 0 ? {} : { entities }),
    ...(full ? { full } : {}),
    ...(massDelete ? { allow_mass_delete: true } : {}),
  };
  const { data } = await service.sync("POST", "", body, limited(signal));
  const names = new Set((data as { readonly scopes: readonly string[] }).scopes);
  const isWanted = ({ scope, entity }: EntityStatus) => names.has(scope) && (entities.length === 0 || entities.includes(entity));
  const bar = await openProgressBar();
  return ended(await watch(service, isWanted, bar, signal).finally(() => bar.end()));
}

/** Looks at a sync that runs on a service until it ends. @returns the last states of what it reads */
async function watch(
  service: SyncService,
  isWanted: (status: EntityStatus) => boolean,
  bar: ProgressBar,
  signal: AbortSignal,
): Promise<readonly EntityStatus[]> {
  const shown = new Map<string, string>();
  /** When each entity was complete before this sync. */
  let before: ReadonlyMap<string, string | null> | undefined;
  for (;;) {
    const { states, running } = await look(service, signal).catch(async (thrown: unknown) => {
      if (signal.aborted) await service.sync("DELETE", "", undefined, AbortSignal.timeout(patience));
      throw thrown;
    });
    const own = states.filter(isWanted);
    before ??= new Map(own.map((one) => [placeOf(one), one.synced_at]));
    for (const one of own) show(one, shown, bar);
    if (!running) return own;
    bar.show(stepOf(own, before));
    await pause(interval, signal);
  }
}

/** How many entities are complete since the sync began, and what is read now. */
function stepOf(own: readonly EntityStatus[], before: ReadonlyMap<string, string | null>): ProgressStep {
  const done = own.filter((one) => one.synced_at !== (before.get(placeOf(one)) ?? null)).length;
  const now = own.filter(({ state }) => state === "running").map((one) => `${placeOf(one)}: ${one.records} records`);
  return { text: [`${done} of ${own.length} entities`, ...now].join(" · "), done, total: own.length };
}

function placeOf({ scope, entity }: EntityStatus): string {
  return `${scope} ${entity}`;
}

/** The states of all scopes and entities, and whether a sync runs. */
async function look(service: SyncService, signal: AbortSignal) {
  const { data, meta } = await service.sync("GET", "", undefined, limited(signal));
  return { states: data as readonly EntityStatus[], running: meta["running"] === true };
}

/** Prints the state of an entity when it is another than before: a line for people, JSON for programs. */
function show(status: EntityStatus, shown: Map<string, string>, bar: ProgressBar): void {
  const { scope, records, state, problem } = status;
  const isGone = state === "gone";
  // That a scope is gone holds for all of its entities alike.
  const place = isGone ? scope : placeOf(status);
  const line = `${place}: ${isGone ? "" : `${records} records, `}${state}${problem === null ? "" : `: ${problem.message}`}`;
  if (shown.get(place) === line) return;
  shown.set(place, line);
  const text = out.isTTY ? line : JSON.stringify({ event: "state", ...status });
  bar.aside(() => void out.write(`${text}\n`));
}

function ended(states: readonly EntityStatus[]): number {
  const outcome = outcomeOf(states);
  const text = endings[outcome];
  out.write(`${out.isTTY ? text : JSON.stringify({ event: "done", outcome, entities: states.length })}\n`);
  return syncExit[outcome];
}

function outcomeOf(states: readonly EntityStatus[]): keyof typeof endings {
  const unread = states.filter(({ state }) => state !== "complete");
  if (states.length === 0) return "partial";
  if (unread.length === 0) return "complete";
  const gone = new Set(unread.filter(({ state }) => state === "gone").map(({ scope }) => scope));
  const isMissing = ({ scope, state }: EntityStatus) => gone.has(scope) && (state === "gone" || state === "never");
  return unread.every(isMissing) ? "missing" : "partial";
}

/** The last line of a sync on a service. */
const endings = {
  complete: "Sync complete.",
  partial: "Sync partial: not everything was read. Run it again.",
  missing: syncEndings.missing,
} as const;

function limited(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(patience)]);
}
