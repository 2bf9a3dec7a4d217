import { type Grant, mayUseEntity } from "../accounts/index.ts";
import { asTenonError } from "../base/errors.ts";
import type { ConnectorInstance } from "../execute/index.ts";
import { type Instances, instanceOf, type ListedInstance } from "../server/instance-of.ts";
import {
  cacheReport,
  type EntityStatus,
  indexReport,
  type ScopeHealth,
  type ScopeUpkeep,
  scopeHealth,
  syncOrder,
  syncStatus,
  upkeepOf,
} from "../sync/index.ts";
import type { FirstSeen } from "./first-seen.ts";
import type { LineChart } from "./line-chart.ts";
import { quotaChart } from "./quota-chart.ts";
import type { QuotaHistory } from "./quota-history.ts";
import { instancePath, instanceTrouble, refusedTrouble, type TroubleView } from "./troubles.ts";
import { count, duration, type ShownTime, timeOf } from "./words.ts";

/** One connector instance as the page shows it. A value that may be absent is a list of at most one element. */
export interface InstanceView {
  readonly id: string;
  readonly href: string;
  readonly title: string;
  readonly place: string;
  readonly status: string;
  /** Says that the data is invented, where it is. */
  readonly simulated: readonly string[];
  readonly sync: string;
  /** What is wrong with it and its scopes, the worst first. */
  readonly troubles: readonly TroubleView[];
  readonly charts: readonly LineChart[];
  readonly scopes: readonly ScopeView[];
  /** How many scopes are not shown, where there are too many. */
  readonly moreScopes: readonly number[];
  readonly embeddings: readonly string[];
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
  /** How it is kept up to date, where webhooks of it have come in, and when the last one did. */
  readonly kept: readonly { readonly text: string; readonly last: readonly ShownTime[] }[];
  readonly entities: readonly EntityView[];
}

interface EntityView {
  readonly name: string;
  readonly state: string;
  readonly records: string;
  readonly synced: readonly ShownTime[];
  readonly problem: string;
}

/** What is shown of the cache where there is none, or none that can be read. */
const nothing = { scopes: [], moreScopes: [], embeddings: [] };

/** Milliseconds to wait for the store. */
const patience = 3_000;

/** What is wrong with a whole instance. */
export const unauthorized = "Must be authorized";
export const unusable = "Cannot be used";

export interface InstanceParts {
  readonly instances: Instances;
  readonly history: QuotaHistory;
  readonly seen: FirstSeen;
  /** What webhooks of an instance have named; undefined where none are taken. */
  readonly webhooks: (id: string) => Promise<UpkeepState | undefined>;
}

type UpkeepState = Parameters<typeof upkeepOf>[2] & { readonly waiting: number };

/**
 * What the page shows of an instance. Its failures are part of the view, so that they do not hide the other instances.
 *
 * @param most scopes that are shown
 * @param refused since when the platform refuses the credential (milliseconds since 1970), where it does
 */
export async function instanceView(
  listed: ListedInstance,
  { instances, history, seen, webhooks }: InstanceParts,
  grant: Grant,
  { most, refused }: { readonly most: number; readonly refused?: number | undefined },
): Promise<InstanceView> {
  const { id, title, workspace, organization, status, simulated } = listed;
  const now = Date.now();
  const shown = {
    id,
    href: instancePath(id),
    title,
    place: organization === null ? workspace : `${organization} / ${workspace}`,
    status: status.replaceAll("_", " "),
    simulated: simulated === undefined ? [] : ["Simulated: all its data is invented."],
  };
  const trouble = (what: string, advice: string) =>
    instanceTrouble(id, { level: "failed", what, advice }, timeOf(seen.note(`${id} ${what}`, now), now));
  const whole = [
    ...(refused === undefined ? [] : [refusedTrouble(listed, refused)]),
    ...(status === "authorization_required"
      ? [trouble(unauthorized, `A user must authorize it on the platform: on its page, or \`tenon connector authorize ${id}\`.`)]
      : []),
  ];
  try {
    const instance = await instanceOf(instances, id, { grant });
    const charts = [
      ...quotaChart("GraphQL", history.of(instance, "graphql")),
      ...quotaChart("REST", history.of(instance, "rest")),
    ];
    const { troubles, ...sync } = await syncView(instance, grant, { id, most, told: await webhooks(id).catch(() => undefined) });
    return { ...shown, charts, ...sync, troubles: [...whole, ...troubles] };
  } catch (thrown) {
    const broken = trouble(unusable, asTenonError(thrown).message);
    return { ...shown, ...nothing, charts: [], sync: "unknown", troubles: [...whole, broken] };
  }
}

async function syncView(
  instance: ConnectorInstance,
  grant: Grant,
  { id, most, told }: { readonly id: string; readonly most: number; readonly told: UpkeepState | undefined },
) {
  const [report, indexes] = await Promise.all([cacheReport(instance, patience), indexReport(instance, patience)]);
  if (report === undefined) return { ...nothing, sync: "no cache", troubles: [] };
  const { connector } = instance;
  const { states, schedule, running } = report;
  const now = Date.now();
  const own = states.filter(({ entity }) => mayUseEntity(grant, entity));
  const entities = syncStatus(connector, own, { schedule, running, now });
  const troubles = scopeHealth(entities, schedule, now).flatMap((one) => troubleOf(id, one, now));
  const byScope = new Map(troubles.map((one) => [one.scope, one]));
  const all = [...Map.groupBy(entities, ({ scope }) => scope)];
  // What is broken comes first.
  const rank = ([name]: (typeof all)[number]) => ["failed", "stale", undefined].indexOf(byScope.get(name)?.level);
  const shown = all.sort((one, other) => rank(one) - rank(other)).slice(0, most);
  const kept = told === undefined ? [] : upkeepOf(connector, byName(all), told);
  const waiting = told === undefined || told.waiting === 0 ? "" : `, ${count(told.waiting)} hints of webhooks wait`;
  const every = schedule === null ? "on no schedule" : `every ${schedule.minutes} min`;
  const broken = troubles.length === 0 ? "" : `, ${troubles.length} of ${all.length} scopes need attention`;
  const texts = embeddingsView(
    id,
    indexes.filter(({ entity }) => mayUseEntity(grant, entity)),
  );
  return {
    sync: `${running ? "running now" : "idle"}, ${every}${waiting}${broken}`,
    troubles: [...troubles, ...texts.troubles],
    scopes: shown.map(([name, of]) => {
      const [kind = ""] = name.split("=", 1);
      const known = syncOrder(connector, kind).filter((entity) => mayUseEntity(grant, entity));
      const shown = scopeView(name, of, known.length, now, byScope.get(name));
      return {
        ...shown,
        kept: keptView(
          kept.find(({ scope }) => scope === name),
          now,
        ),
      };
    }),
    moreScopes: all.length > shown.length ? [all.length - shown.length] : [],
    embeddings: texts.embeddings,
  };
}

function byName(all: readonly (readonly [string, unknown])[]): string[] {
  return all.map(([name]) => name);
}

function keptView(kept: ScopeUpkeep | undefined, now: number): ScopeView["kept"] {
  if (kept === undefined) return [];
  const text =
    kept.by === "webhooks"
      ? "Webhooks keep it up to date, so it is synced rarely"
      : "Webhooks have stopped, so it is back on its schedule";
  return [{ text, last: timeOf(new Date(kept.at).toISOString(), now) }];
}

/** The queue of the texts that are to be embedded, and why it does not get shorter. */
function embeddingsView(id: string, indexes: Awaited<ReturnType<typeof indexReport>>) {
  const waiting = indexes.reduce((sum, index) => sum + Math.max(0, index.waiting), 0);
  const seconds = Math.max(0, ...indexes.map(({ secondsLeft }) => secondsLeft ?? 0));
  const problem = indexes.find((index) => index.problem !== null)?.problem ?? null;
  const left = seconds === 0 ? "" : `, ready in about ${duration(seconds * 1000)}`;
  const given = { level: "stale", what: `${count(waiting)} texts cannot be embedded`, advice: problem ?? "" } as const;
  return {
    embeddings: waiting === 0 ? [] : [`${count(waiting)} texts wait to be embedded${left}.`],
    troubles: problem === null ? [] : [instanceTrouble(id, given, [])],
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
  return [
    {
      instance,
      scope,
      level: state === "stale" ? "stale" : "failed",
      what,
      sinceWhat: "last complete",
      since: timeOf(since, now),
      never: since === null ? ["never complete"] : [],
      advice: problem?.message ?? "Check that a process syncs: `tenon serve` or `tenon work`.",
      href: instancePath(instance),
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
): Omit<ScopeView, "kept"> {
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
