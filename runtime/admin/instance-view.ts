import { type Grant, mayUseEntity } from "../accounts/index.ts";
import { within } from "../base/deadline.ts";
import { asTenonError, TenonError } from "../base/errors.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { type Instances, instanceOf, type ListedInstance } from "../server/instance-of.ts";
import { type EntityStatus, type ScopeHealth, scopeHealth, syncOrder, syncStatus } from "../sync/index.ts";
import { type QuotaChart, quotaChart } from "./quota-chart.ts";
import type { QuotaHistory } from "./quota-history.ts";
import { count, type ShownTime, timeOf } from "./words.ts";

/** One connector instance as the page shows it. A list of at most one element stands for something that may be absent. */
export interface InstanceView {
  readonly id: string;
  readonly title: string;
  readonly place: string;
  readonly status: string;
  /** Says that the data is invented, where it is. */
  readonly simulated: readonly string[];
  readonly sync: string;
  /** What is wrong with its scopes, the worst first. */
  readonly troubles: readonly TroubleView[];
  readonly problems: readonly string[];
  readonly charts: readonly QuotaChart[];
  readonly scopes: readonly ScopeView[];
}

/** Something that is broken, since when, and what to do. */
export interface TroubleView {
  readonly instance: string;
  /** The scope that is broken; empty for the whole instance. */
  readonly scope: string;
  /** `failed`, or `stale`, which is less urgent. */
  readonly level: "failed" | "stale";
  readonly what: string;
  readonly since: readonly ShownTime[];
  /** Says that the scope was never complete, where it was not. */
  readonly never: readonly string[];
  readonly advice: string;
}

/** How far one scope is cached. */
interface ScopeView {
  readonly name: string;
  /** `failed`, `stale` or `ok`: the colour of its bar. */
  readonly level: string;
  readonly trouble: string;
  /** Entities that were read to their end, and all that a scope of this kind has. */
  readonly done: number;
  readonly all: number;
  readonly records: string;
  /** When the entity was synced that was synced longest ago; empty while one was never read to its end. */
  readonly synced: readonly ShownTime[];
  readonly next: readonly ShownTime[];
  readonly entities: readonly EntityView[];
}

interface EntityView {
  readonly name: string;
  readonly state: string;
  readonly records: string;
  readonly synced: readonly ShownTime[];
  readonly problem: string;
}

/** Milliseconds to wait for the store. */
const patience = 3_000;

/** What the page shows of an instance. Whatever is wrong with it stands in the view, so that the others are shown all the same. */
export async function instanceView(
  listed: ListedInstance,
  instances: Instances,
  grant: Grant,
  history: QuotaHistory,
): Promise<InstanceView> {
  const { id, title, workspace, organization, status, simulated } = listed;
  const place = organization === null ? workspace : `${organization} / ${workspace}`;
  const shown = {
    id,
    title,
    place,
    status: status.replaceAll("_", " "),
    simulated: simulated === undefined ? [] : ["Simulated: all its data is invented."],
  };
  const problems =
    status === "authorization_required"
      ? [`A user must authorize this connector before it can be used: \`tenon connector authorize ${id}\` begins.`]
      : [];
  try {
    const instance = await instanceOf(instances, id, { grant });
    const charts = [
      ...quotaChart("GraphQL", history.of(instance, "graphql")),
      ...quotaChart("REST", history.of(instance, "rest")),
    ];
    return { ...shown, charts, problems, ...(await syncView(instance, grant, id)) };
  } catch (thrown) {
    return {
      ...shown,
      sync: "unknown",
      troubles: [],
      problems: [...problems, asTenonError(thrown).message],
      charts: [],
      scopes: [],
    };
  }
}

async function syncView({ store, storeName, connector }: ConnectorInstance, grant: Grant, id: string) {
  if (store === undefined) return { sync: "no cache", troubles: [], scopes: [] };
  const place = { connector: connector.name, instance: storeName };
  const asked = Promise.all([store.states(place), store.schedule(place), store.leased(place)]);
  const [states, schedule, running] = await within(patience, asked, () => {
    throw new TenonError("overloaded", "The context store is busy.");
  });
  const now = Date.now();
  const own = states.filter(({ entity }) => mayUseEntity(grant, entity));
  const entities = syncStatus(connector, own, { schedule, running, now });
  const health = scopeHealth(entities, schedule, now);
  const troubles = health.flatMap((one) => troubleOf(id, one, now));
  const scopes = [...Map.groupBy(entities, ({ scope }) => scope)].map(([name, of]) => {
    const [kind = ""] = name.split("=", 1);
    const all = syncOrder(connector, kind).filter((entity) => mayUseEntity(grant, entity));
    const trouble = troubles.find(({ scope }) => scope === name);
    return scopeView(name, of, all.length, now, trouble);
  });
  const every = schedule === null ? "on no schedule" : `every ${schedule.minutes} min`;
  const broken = troubles.length === 0 ? "" : `, ${troubles.length} of ${scopes.length} scopes need attention`;
  // What is broken comes first.
  const rank = ({ level }: ScopeView) => ["failed", "stale", "ok"].indexOf(level);
  return {
    sync: `${running ? "running now" : "idle"}, ${every}${broken}`,
    troubles,
    scopes: scopes.sort((one, other) => rank(one) - rank(other)),
  };
}

function troubleOf(
  instance: string,
  { scope, state, entities, troubled, since, problem }: ScopeHealth,
  now: number,
): TroubleView[] {
  if (state === "ok" || state === "never") return [];
  const what = {
    failed: `${troubled} of ${entities} entities failed`,
    gone: `${troubled} of ${entities} entities are gone from the platform`,
    stale: `${troubled} of ${entities} entities are older than the schedule allows`,
  }[state];
  const advice = problem?.message ?? "Check that a process syncs: `tenon serve` or `tenon work`.";
  return [
    {
      instance,
      scope,
      level: state === "stale" ? "stale" : "failed",
      what,
      since: timeOf(since, now),
      never: since === null ? ["never complete"] : [],
      advice,
    },
  ];
}

/** @param all how many entities a scope of this kind has, of which some may never have been tried */
function scopeView(
  name: string,
  entities: readonly EntityStatus[],
  all: number,
  now: number,
  trouble: TroubleView | undefined,
): ScopeView {
  const times = entities.map(({ synced_at }) => synced_at);
  const oldest = times.includes(null) ? null : (times.toSorted()[0] ?? null);
  return {
    name,
    level: trouble?.level ?? "ok",
    trouble: trouble === undefined ? "" : `${trouble.what}. `,
    done: entities.filter(({ state }) => state === "complete").length,
    all: Math.max(all, entities.length),
    records: count(entities.reduce((sum, { records }) => sum + records, 0)),
    synced: timeOf(oldest, now),
    next: timeOf(entities[0]?.next_sync_at ?? null, now),
    entities: entities.map(({ entity, state, records, synced_at, problem, position }) => ({
      name: entity,
      state: position === null ? state : `${state}, step ${position.step + 1}`,
      records: count(records),
      synced: timeOf(synced_at, now),
      problem: problem?.message ?? "",
    })),
  };
}
