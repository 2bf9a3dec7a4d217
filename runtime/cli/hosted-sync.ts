import { setTimeout as pause } from "node:timers/promises";
import type { HostedTransport } from "../client/hosted.ts";
import { type EntityStatus, syncExit } from "../sync/index.ts";
import { statusTable } from "./sync-status.ts";

/** What a service elsewhere is asked to do. */
export interface HostedSync {
  readonly scopes: readonly string[];
  readonly entities: readonly string[];
  readonly full: boolean;
  readonly massDelete: boolean;
}

/** Milliseconds between two looks at a sync that runs on a service, and that one request may take. */
const interval = 1000;
const patience = 30_000;

/** Prints what a service has cached of a connector. */
export async function showStatus(service: HostedTransport, signal: AbortSignal): Promise<number> {
  const { states } = await look(service, signal);
  process.stdout.write(process.stdout.isTTY ? statusTable(states) : states.map((one) => `${JSON.stringify(one)}\n`).join(""));
  return 0;
}

/** Lets a service forget a scope. */
export async function forget(service: HostedTransport, scope: string, signal: AbortSignal): Promise<number> {
  const { data } = await service.sync("DELETE", `/scopes/${encodeURIComponent(scope)}`, undefined, limited(signal));
  const { scope: name, removed } = data as { readonly scope: string; readonly removed: number };
  const text = `Forgot ${name}: ${removed} records removed.`;
  process.stdout.write(`${process.stdout.isTTY ? text : JSON.stringify({ event: "forgotten", scope: name, removed })}\n`);
  return 0;
}

/**
 * Starts a sync on a service and shows how far it is until it ends. A signal stops the sync on the service too.
 *
 * @returns the exit status, as of a sync in this process
 * @throws CallError when the service refuses
 */
export async function syncHosted(service: HostedTransport, wanted: HostedSync, signal: AbortSignal): Promise<number> {
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
  const shown = new Map<string, string>();
  for (;;) {
    const { states, running } = await look(service, signal).catch(async (thrown: unknown) => {
      if (signal.aborted) await service.sync("DELETE", "", undefined, AbortSignal.timeout(patience));
      throw thrown;
    });
    const own = states.filter(isWanted);
    for (const one of own) show(one, shown);
    if (!running) return ended(own);
    await pause(interval, undefined, { signal }).catch(() => undefined);
  }
}

/** The states of all scopes and entities, and whether a sync runs. */
async function look(service: HostedTransport, signal: AbortSignal) {
  const { data, meta } = await service.sync("GET", "", undefined, limited(signal));
  return { states: data as readonly EntityStatus[], running: meta["running"] === true };
}

/** Prints the state of an entity when it is another than before: a line for people, JSON for programs. */
function show(status: EntityStatus, shown: Map<string, string>): void {
  const { scope, entity, records, state, problem } = status;
  const line = `${scope} ${entity}: ${records} records, ${state}${problem === null ? "" : `: ${problem.message}`}`;
  const place = `${scope} ${entity}`;
  if (shown.get(place) === line) return;
  shown.set(place, line);
  process.stdout.write(process.stdout.isTTY ? `${line}\n` : `${JSON.stringify({ event: "state", ...status })}\n`);
}

function ended(states: readonly EntityStatus[]): number {
  const outcome = states.length > 0 && states.every(({ state }) => state === "complete") ? "complete" : "partial";
  const text = outcome === "complete" ? "Sync complete." : "Sync partial: not everything was read. Run it again.";
  process.stdout.write(`${process.stdout.isTTY ? text : JSON.stringify({ event: "done", outcome, entities: states.length })}\n`);
  return syncExit[outcome];
}

function limited(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(patience)]);
}
