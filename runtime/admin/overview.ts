import type { AuditStore, Grant } from "../accounts/index.ts";
import { type Instances, isVisible, type ListedInstance } from "../server/instance-of.ts";
import type { HealthSource } from "../server/monitoring/health-gauges.ts";
import type { InstanceHealth } from "../server/monitoring/instance-health.ts";
import {
  type CallView,
  callViews,
  isError,
  mostEntries,
  mostRows,
  type SearchView,
  searchViews,
  seesAll,
  visibleCalls,
} from "./call-views.ts";
import type { FirstSeen } from "./first-seen.ts";
import { type InstanceParts, type InstanceView, instanceView, unauthorized, unusable } from "./instance-view.ts";
import type { QuotaHistory } from "./quota-history.ts";
import type { RecentCalls } from "./recent-calls.ts";
import { type ServiceParts, type ServiceView, type SystemFacts, serviceView } from "./service-view.ts";
import type { SlowSearches } from "./slow-searches.ts";
import { mostMinutes } from "./traffic.ts";
import { refusedCredentials, serviceTroubles, type TroubleView, worstTroubles } from "./troubles.ts";
import { duration, type ShownTime, timeOf } from "./words.ts";

export interface OverviewOptions extends ServiceParts {
  readonly version: string;
  readonly instances: Instances;
  /** All instances that there are now, ordered by id. */
  readonly list: () => Promise<readonly ListedInstance[]>;
  /** Absent where no audit log is kept. */
  readonly audit?: Pick<AuditStore, "lastAudited" | "audited"> | undefined;
  /** Whether the service can be used, as `/readyz` says it. */
  readonly ready: () => boolean;
  readonly health: HealthSource;
  readonly system: () => Promise<SystemFacts>;
  readonly history: QuotaHistory;
  readonly searches: SlowSearches;
  readonly calls: RecentCalls;
  readonly seen: FirstSeen;
  readonly webhooks: InstanceParts["webhooks"];
}

/** Everything that the page shows. A value that may be absent is a list of at most one element. */
export interface Overview {
  readonly version: string;
  readonly state: string;
  readonly uptime: string;
  readonly made: readonly ShownTime[];
  /** What is broken, the worst first, and how much of it is not shown. */
  readonly troubles: readonly TroubleView[];
  readonly moreTroubles: readonly number[];
  readonly noTroubles: readonly string[];
  readonly service: ServiceView;
  readonly instances: readonly InstanceView[];
  /** Ids of the connectors that are off because the settings have no credential for them. */
  readonly off: readonly string[];
  /** How many instances are not shown, because there are too many. */
  readonly more: readonly number[];
  readonly noAudit: readonly string[];
  readonly calls: readonly CallView[];
  readonly errors: readonly CallView[];
  readonly searches: readonly SearchView[];
  readonly noCalls: readonly string[];
  readonly noErrors: readonly string[];
  readonly noSearches: readonly string[];
}

/** Instances that one page shows, and scopes of all of them together; each instance shows a few in any case. */
const mostInstances = 100;
const mostScopes = 200;
const fewScopes = 3;

/**
 * What a caller with the right `admin` sees: of instances, calls and searches only those that the grant allows.
 *
 * @param others what is broken that is of no instance
 */
export async function overview(options: OverviewOptions, grant: Grant, others: readonly TroubleView[] = []): Promise<Overview> {
  const { version, list, audit, ready, searches, callers, traffic, logged } = options;
  const all = (await list()).filter((one) => isVisible({ grant }, one));
  const visible = all.filter((one) => !isOff(one, options.instances));
  const sight = { grant, instances: new Set(all.map(({ id }) => id)) };
  const [report, entries, facts] = await Promise.all([
    options.health.report().catch(() => []),
    audit?.lastAudited(mostEntries) ?? [],
    options.system(),
  ]);
  const refused = refusedCredentials(entries);
  const shown = brokenFirst(visible, report, refused).slice(0, mostInstances);
  const most = Math.max(fewScopes, Math.floor(mostScopes / Math.max(1, shown.length)));
  const views = await Promise.all(shown.map((one) => instanceView(one, options, grant, { most, refused: refused.get(one.id) })));
  const whole = seesAll(grant);
  const reason = whole ? (logged().find(({ level }) => level === "error")?.text ?? "") : "";
  const state = { ready: ready(), facts, load: traffic.over(mostMinutes), reason, seen: options.seen };
  const { troubles, more } = worstTroubles([...serviceTroubles(state), ...views.flatMap((view) => view.troubles), ...others]);
  const calls = visibleCalls(entries, sight);
  const errors = calls.filter(isError);
  const slow = searchViews(searches.list(), sight);
  const now = Date.now();
  return {
    version,
    state: ready() ? "ready" : "not ready",
    uptime: duration(process.uptime() * 1000),
    made: timeOf(now, now),
    troubles,
    moreTroubles: more > 0 ? [more] : [],
    noTroubles: troubles.length === 0 ? ["Nothing: every connector can be used, and no sync has failed."] : [],
    service: await serviceView(options, facts, whole),
    instances: views,
    off: all.filter((one) => isOff(one, options.instances)).map(({ id }) => id),
    more: visible.length > shown.length ? [visible.length - shown.length] : [],
    calls: await callViews(calls.slice(0, mostRows), callers),
    errors: await callViews(errors.slice(0, mostRows), callers),
    searches: slow,
    noAudit: audit === undefined ? ["TENON_AUDIT_DAYS is 0, so that no audit log is kept."] : [],
    noCalls: calls.length === 0 && audit !== undefined ? ["There were no calls yet."] : [],
    noErrors: errors.length === 0 && audit !== undefined ? ["There were no errors among the last calls."] : [],
    noSearches: slow.length === 0 ? ["There were no cached searches in the last hour."] : [],
  };
}

/** Notes what is broken now, so that a viewer learns since when it is. */
export async function noteTroubles(
  options: Pick<OverviewOptions, "health" | "ready" | "seen" | "traffic" | "system">,
): Promise<void> {
  const { ready, seen, traffic, system, health } = options;
  serviceTroubles({ ready: ready(), facts: await system(), load: traffic.over(mostMinutes), reason: "", seen });
  for (const { id, status, problem } of await health.report().catch(() => [])) {
    if (status === "authorization_required") seen.note(`${id} ${unauthorized}`);
    if (problem !== null) seen.note(`${id} ${unusable}`);
  }
}

/** Whether the settings leave a connector out. One that was added and cannot be used is broken instead. */
function isOff({ id, status }: ListedInstance, { off }: Instances): boolean {
  return status === "off" && off?.has(id) === true;
}

/** Those for which somebody has to do something come first, so that a long list does not hide them. */
function brokenFirst(
  instances: readonly ListedInstance[],
  report: readonly InstanceHealth[],
  refused: ReadonlyMap<string, number>,
): ListedInstance[] {
  const health = new Map(report.map((one) => [one.id, one]));
  const rank = ({ id, status }: ListedInstance) => {
    const { problem = null, scopes = [] } = health.get(id) ?? {};
    if (status === "authorization_required") return 0;
    if (status === "off" || problem !== null || refused.has(id)) return 1;
    return scopes.some(({ state }) => ["failed", "gone", "stale"].includes(state)) ? 2 : 3;
  };
  return instances.toSorted((one, other) => rank(one) - rank(other));
}
