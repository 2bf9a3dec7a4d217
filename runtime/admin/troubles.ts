import type { StoredAuditEntry } from "../accounts/index.ts";
import type { ListedInstance } from "../server/instance-of.ts";
import type { FirstSeen } from "./first-seen.ts";
import { diskLevel, type SystemFacts } from "./service-view.ts";
import type { Load } from "./traffic.ts";
import { bytes, type ShownTime, timeOf } from "./words.ts";

/** Something that is broken, since when, and what to do. A value that may be absent is a list of at most one element. */
export interface TroubleView {
  /** What is broken: the id of an instance, or `service`. */
  readonly instance: string;
  /** The scope that is broken; empty for the whole instance. */
  readonly scope: string;
  /** `failed`, or `stale`, which is less urgent. */
  readonly level: "failed" | "stale";
  readonly what: string;
  /** What happened at `since`, such as "last complete". */
  readonly sinceWhat: string;
  readonly since: readonly ShownTime[];
  /** Says that the scope was never complete, where it was not. */
  readonly never: readonly string[];
  readonly advice: string;
  /** The page where something can be done about it. */
  readonly href: string;
}

/** Troubles that the page shows. */
const mostTroubles = 50;

export function instancePath(id: string): string {
  return `/admin/instances/${encodeURIComponent(id)}`;
}

/**
 * Something that is wrong with a whole instance.
 *
 * @param sinceWhat how the time is known: a process has not seen what was before its start
 */
export function instanceTrouble(
  id: string,
  given: Pick<TroubleView, "level" | "what" | "advice">,
  since: ShownTime[],
  sinceWhat = "seen since",
): TroubleView {
  return { instance: id, scope: "", ...given, sinceWhat, since, never: [], href: instancePath(id) };
}

/** What is known of the process when its page is made. */
export interface ServiceState {
  readonly ready: boolean;
  readonly facts: SystemFacts;
  /** The last hour. */
  readonly load: Pick<Load, "codes">;
  /** The latest line of the log about a problem; empty where there is none, or the viewer may not see it. */
  readonly reason: string;
  readonly seen: FirstSeen;
}

/** What is wrong with the service as a whole. */
export function serviceTroubles({ ready, facts, load, reason, seen }: ServiceState): TroubleView[] {
  const now = Date.now();
  const found: TroubleView[] = [];
  const add = (level: TroubleView["level"], what: string, advice: string, key = what) =>
    found.push({
      instance: "service",
      scope: "",
      level,
      what,
      sinceWhat: "seen since",
      since: timeOf(seen.note(`service ${key}`, now), now),
      never: [],
      advice,
      href: "/admin#service",
    });
  const latest = reason === "" ? "" : ` Latest in the log: ${reason}`;
  for (const { name, engine } of facts.stores.filter(({ up }) => !up))
    add("failed", `${name} cannot be used`, `Look at ${engine === "SQLite" ? "the disk" : "the database"} and the log.${latest}`);
  if (!ready && facts.stores.every(({ up }) => up))
    add("failed", "The service is not ready", `The context store is starting.${latest}`);
  const { disk } = facts;
  const level = diskLevel(facts);
  if (disk !== null && level !== "")
    add(
      level,
      level === "failed" ? "The disk is full" : "The disk is nearly full",
      `${bytes(disk.free)} of ${bytes(disk.all)} are free. Make room on the disk of the data folder (TENON_DATA_DIR), or forget scopes.${latest}`,
    );
  const refused = load.codes.get("unauthorized") ?? 0;
  if (refused > 0)
    add(
      "stale",
      `Requests with a refused token in the last hour: ${refused}`,
      "Somebody uses a key that is wrong, expired or revoked. The log has the address of each (code unauthorized); a new key is made under Keys.",
      "refused tokens",
    );
  return found;
}

/** Since when the platform has refused the credential of an instance with every call, by the id of the instance. */
export function refusedCredentials(entries: readonly StoredAuditEntry[]): ReadonlyMap<string, number> {
  const since = new Map<string, number>();
  const ended = new Set<string>();
  // The latest come first.
  for (const { target, outcome, action, at } of entries) {
    if (target === null || ended.has(target)) continue;
    if (outcome === "platform_unauthorized") since.set(target, at);
    // What the platform did not decide says nothing about the credential: a search of the cache, or an action of this page.
    else if (outcome === "done" && isPlatformAction(action)) ended.add(target);
    else if (action === "connector.rotate" || action === "connector.authorized") ended.add(target);
  }
  return since;
}

function isPlatformAction(action: string): boolean {
  return (
    !/\.context_store_(?:search|sql_query)$/.test(action) &&
    !/^(?:admin|changes|client|connector|key|proposal|subscription|sync|token|webhook)\./.test(action)
  );
}

export function refusedTrouble({ id }: Pick<ListedInstance, "id">, at: number): TroubleView {
  const given = {
    level: "failed",
    what: "The platform refuses its credential",
    advice: `The token is wrong, expired or revoked. Give the connector a new one: on its page, or with \`tenon connector rotate ${id}\`. For a connector of the settings, change the setting and start the service again.`,
  } as const;
  return instanceTrouble(id, given, timeOf(at, Date.now()), "since");
}

/** The worst first: the service, then instances, then scopes, then what is less urgent. At most so many, and how many were cut off. */
export function worstTroubles(all: readonly TroubleView[]): { readonly troubles: TroubleView[]; readonly more: number } {
  const rank = ({ level, instance, scope }: TroubleView) =>
    (level === "failed" ? 0 : 4) + (instance === "service" ? 0 : scope === "" ? 1 : 2);
  const sorted = all.toSorted((one, other) => rank(one) - rank(other));
  return { troubles: sorted.slice(0, mostTroubles), more: Math.max(0, sorted.length - mostTroubles) };
}
