import type { SharedLimits } from "../fleet/index.ts";
import { Usages } from "../server/limits/usages.ts";
import type { Settings } from "./settings/settings.ts";

/** The limits of callers. Those of the settings count for everybody, the usual ones only for stored callers. */
export function limitsOf(settings: Settings, shared: SharedLimits | undefined): Usages {
  const given = {
    requests: settings.callerRequests,
    concurrent: settings.callerConcurrent,
    writes: settings.callerWrites,
    points: settings.callerPoints,
    searchSeconds: settings.callerSearchSeconds,
    bodyMib: settings.callerBodyMib,
    cpuSeconds: settings.callerCpuSeconds,
  };
  const set = Object.fromEntries(Object.entries(given).filter(([, limit]) => limit > 0));
  return new Usages({ ...usualLimits, ...set }, set, { shared });
}

/** What keys and clients may use where neither they nor the settings have another limit. */
const usualLimits = {
  requests: 6_000,
  concurrent: 100,
  writes: 60,
  points: 1_000,
  searchSeconds: 60,
  bodyMib: 100,
  cpuSeconds: 6,
} as const;
