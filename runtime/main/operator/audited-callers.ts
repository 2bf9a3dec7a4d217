import { type AccountStoreSettings, mayHaveAccounts, openAccountStore } from "../account-store.ts";
import { auditEntries } from "../accounts.ts";

/** Who called an action, by the audit log. */
export interface AuditedCaller {
  /** Id of the caller. */
  readonly caller: string;
  readonly calls: number;
  /** Time of the last call (ISO 8601). */
  readonly last: string;
}

/**
 * Who called the actions of a connector, on any of its instances.
 *
 * @param since milliseconds since 1970
 * @returns the callers by `<entity>.<action>`, those with the most calls first
 */
export async function auditedCallers(
  place: AccountStoreSettings,
  connector: string,
  since: number,
): Promise<ReadonlyMap<string, readonly AuditedCaller[]>> {
  const ids = new Set([connector, ...(await instancesOf(place, connector))]);
  const found = new Map<string, Map<string, { calls: number; last: number }>>();
  for await (const { at, caller, action, target, outcome, times } of auditEntries(place, since)) {
    // A write has an entry when it begins and one when it has ended.
    if (target === null || !ids.has(target) || outcome === "begun") continue;
    const callers = found.get(action) ?? new Map<string, { calls: number; last: number }>();
    found.set(action, callers);
    const { calls = 0, last = 0 } = callers.get(caller) ?? {};
    callers.set(caller, { calls: calls + times, last: Math.max(last, at) });
  }
  return new Map(
    [...found].map(([action, callers]) => [
      action,
      [...callers]
        .map(([caller, { calls, last }]) => ({ caller, calls, last: new Date(last).toISOString() }))
        .sort((a, b) => b.calls - a.calls || (a.caller < b.caller ? -1 : 1)),
    ]),
  );
}

async function instancesOf(place: AccountStoreSettings, connector: string): Promise<string[]> {
  if (!mayHaveAccounts(place)) return [];
  const store = await openAccountStore(place);
  try {
    return (await store.instances()).filter((one) => one.connector === connector).map(({ id }) => id);
  } finally {
    await store.close();
  }
}
