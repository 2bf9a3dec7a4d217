import type { InstanceHealth } from "./instance-health.ts";

const advice = {
  store: "The context store cannot be used: look at the disk, the database and the log.",
  instances: "The stored connectors cannot be listed: look at the database of the accounts and the log.",
  secrets_refused:
    "Keys or clients were stored with a secret key that is missing: add it behind the current one in TENON_SECRET_KEY, or rotate those that `tenon key list` and `tenon client list` show as refused.",
  unusable: "The connector cannot be used: /admin and the log say why.",
  unread: "The store was too slow to say how the syncs are: look at the disk, the database and the log.",
  authorization_required: "A user has to authorize the connector: `tenon connector authorize` begins.",
  sync_failed: "The last sync failed: /admin and `tenon sync --status` say why.",
  sync_gone: "The platform no longer shows the scope: check it and the token, or forget it.",
  sync_stale:
    "The last complete sync is older than the schedule allows: check that a process syncs (`tenon serve` or `tenon work`).",
};

export type DegradedKind = keyof typeof advice;
export const degradedKinds = Object.keys(advice);

/** One problem of a service that still handles requests. It names no scope and no instance: the probe needs no token. */
export interface Degraded {
  readonly what: DegradedKind;
  /** Name of the connector; null where it is no single one. */
  readonly connector: string | null;
  /** Instances, scopes or secrets of callers that it is true of. */
  readonly count: number;
  /** When these scopes were complete for the last time, in the one where that is longest ago (ISO 8601); null where one never was. */
  readonly since: string | null;
  readonly advice: string;
}

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
export function degradedWhole(what: "store" | "instances" | "secrets_refused", count = 1): Degraded {
  return { what, connector: null, count, since: null, advice: advice[what] };
}
