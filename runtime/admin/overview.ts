import type { AuditStore, Grant } from "../accounts/index.ts";
import type { Gate } from "../server/gate.ts";
import { type Instances, isVisible, type ListedInstance } from "../server/instance-of.ts";
import { type CallView, callViews, mostEntries, type SearchView, searchViews } from "./call-views.ts";
import { type InstanceView, instanceView } from "./instance-view.ts";
import type { QuotaHistory } from "./quota-history.ts";
import type { SlowSearches } from "./slow-searches.ts";
import { duration, type ShownTime, timeOf } from "./words.ts";

export interface OverviewOptions {
  readonly version: string;
  readonly instances: Instances;
  /** All instances that there are now, ordered by id. */
  readonly list: () => Promise<readonly ListedInstance[]>;
  /** Absent where no audit log is kept. */
  readonly audit?: Pick<AuditStore, "lastAudited"> | undefined;
  readonly gate: Pick<Gate, "working">;
  /** Whether the service can be used, as `/readyz` says it. */
  readonly ready: () => boolean;
  readonly history: QuotaHistory;
  readonly searches: SlowSearches;
}

/** Everything that the page shows. A list of at most one element stands for something that may be absent. */
export interface Overview {
  readonly version: string;
  readonly state: string;
  readonly uptime: string;
  readonly working: number;
  readonly made: readonly ShownTime[];
  readonly instances: readonly InstanceView[];
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

/** Instances that one page shows. */
const mostInstances = 100;

/** What a caller with the right `admin` sees: of instances, calls and searches only those that the grant allows. */
export async function overview(options: OverviewOptions, grant: Grant): Promise<Overview> {
  const { version, instances, list, audit, gate, ready, history, searches } = options;
  const waits = ({ status }: ListedInstance) => Number(status === "authorization_required");
  // Those for which somebody has to do something come first.
  const visible = (await list()).filter((one) => isVisible({ grant }, one)).sort((one, other) => waits(other) - waits(one));
  const sight = { grant, instances: new Set(visible.map(({ id }) => id)) };
  const [views, entries] = await Promise.all([
    Promise.all(visible.slice(0, mostInstances).map((one) => instanceView(one, instances, grant, history))),
    audit?.lastAudited(mostEntries) ?? [],
  ]);
  const { calls, errors } = callViews(entries, sight);
  const slow = searchViews(searches.list(), sight);
  const now = Date.now();
  return {
    version,
    state: ready() ? "ready" : "not ready",
    uptime: duration(process.uptime() * 1000),
    working: gate.working,
    made: timeOf(now, now),
    instances: views,
    more: visible.length > mostInstances ? [visible.length - mostInstances] : [],
    calls,
    errors,
    searches: slow,
    noAudit: audit === undefined ? ["TENON_AUDIT_DAYS is 0, so that no audit log is kept."] : [],
    noCalls: calls.length === 0 && audit !== undefined ? ["There were no calls yet."] : [],
    noErrors: errors.length === 0 && audit !== undefined ? ["There were no errors among the last calls."] : [],
    noSearches: slow.length === 0 ? ["There were no cached searches in the last hour."] : [],
  };
}
