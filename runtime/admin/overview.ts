import type { AuditStore, Grant } from "../accounts/index.ts";
import type { Gate } from "../server/gate.ts";
import { type Instances, isVisible, type ListedInstance } from "../server/instance-of.ts";
import { type CallView, callViews, mostEntries, type SearchView, searchViews } from "./call-views.ts";
import { type InstanceView, instanceView, type TroubleView } from "./instance-view.ts";
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
  /** What is broken, the worst first. */
  readonly troubles: readonly TroubleView[];
  readonly noTroubles: readonly string[];
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
  const troubles = troublesOf(views, ready());
  const { calls, errors } = callViews(entries, sight);
  const slow = searchViews(searches.list(), sight);
  const now = Date.now();
  return {
    version,
    state: ready() ? "ready" : "not ready",
    uptime: duration(process.uptime() * 1000),
    working: gate.working,
    made: timeOf(now, now),
    troubles,
    noTroubles: troubles.length === 0 ? ["Nothing: every connector can be used, and no sync has failed."] : [],
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

/** Everything that is broken: first the service as a whole, then instances, then scopes. */
function troublesOf(views: readonly InstanceView[], isReady: boolean): TroubleView[] {
  const whole: TroubleView = {
    instance: "service",
    scope: "",
    level: "failed",
    what: "The service is not ready",
    since: [],
    never: [],
    advice: "A simulator is starting, or the context store cannot be used: look at the disk, the database and the log.",
  };
  const instances = views.flatMap(({ id, problems }) =>
    problems.map(
      (advice): TroubleView => ({
        instance: id,
        scope: "",
        level: "failed",
        what: "Cannot be used",
        since: [],
        never: [],
        advice,
      }),
    ),
  );
  const scopes = views.flatMap(({ troubles }) => troubles);
  const ofLevel = (level: TroubleView["level"]) => scopes.filter((one) => one.level === level);
  return [...(isReady ? [] : [whole]), ...instances, ...ofLevel("failed"), ...ofLevel("stale")];
}
