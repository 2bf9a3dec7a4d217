import type { InstanceHealth } from "./instance-health.ts";

/** One thing that is not as it should be, although requests are answered. It names no scope and no instance: the probe needs no token. */
export interface Degraded {
  readonly what:
    | "store"
    | "instances"
    | "unusable"
    | "unread"
    | "authorization_required"
    | "sync_failed"
    | "sync_gone"
    | "sync_stale";
  /** Name of the connector; null where it is no single one. */
  readonly connector: string | null;
  /** Instances or scopes that it is true of. */
  readonly count: number;
  /** When these scopes were complete for the last time, in the one where that is longest ago (ISO 8601); null where one never was. */
  readonly since: string | null;
  readonly advice: string;
}

const advice = {
  store: "The context store cannot be used: look at the disk, the database and the log.",
  instances: "The stored connectors cannot be listed: look at the database of the accounts and the log.",
  unusable: "The connector cannot be used: /admin and the log say why.",
  unread: "The store was too slow to say how the syncs are: look at the disk, the database and the log.",
  authorization_required: "A user has to authorize the connector: `tenon connector authorize` begins.",
  sync_failed: "The last sync failed: /admin and `tenon sync --status` say why.",
  sync_gone: "The platform no longer shows the scope: check it and the token, or forget it.",
  sync_stale:
    "The last complete sync is older than the schedule allows: check that a process syncs (`tenon serve` or `tenon work`).",
} as const satisfies Record<Degraded["what"], string>;

/** What is degraded, by connector. */
export function degradedOf(all: readonly InstanceHealth[]): Degraded[] {
  return [...Map.groupBy(all, ({ connector }) => connector)].flatMap(([connector, instances]) => {
    const made = (what: Degraded["what"], count: number, since: string | null = null): Degraded[] =>
      count === 0 ? [] : [{ what, connector, count, since, advice: advice[what] }];
    const scopes = instances.flatMap((one) => one.scopes);
    const ofState = (what: Degraded["what"], state: "failed" | "gone" | "stale") => {
      const own = scopes.filter((one) => one.state === state).map(({ since }) => since);
      return made(what, own.length, own.includes(null) ? null : (own.toSorted()[0] ?? null));
    };
    return [
      ...made("unusable", instances.filter(({ problem }) => problem !== null).length),
      ...made("unread", instances.filter(({ isUnread }) => isUnread === true).length),
      ...made("authorization_required", instances.filter(({ status }) => status === "authorization_required").length),
      ...ofState("sync_failed", "failed"),
      ...ofState("sync_gone", "gone"),
      ...ofState("sync_stale", "stale"),
    ];
  });
}

/** Something that is wrong with the whole service. */
export function degradedWhole(what: "store" | "instances"): Degraded {
  return { what, connector: null, count: 1, since: null, advice: advice[what] };
}
