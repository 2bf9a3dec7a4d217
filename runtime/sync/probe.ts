import { TenonError } from "../base/errors.ts";
import { type ConnectorInstance, type ExecuteContext, runProbe } from "../execute/index.ts";
import { instantOf } from "../search/index.ts";
import { sameTime } from "./parents.ts";
import type { Scope } from "./scope.ts";

/** What the probe of a scope has told. */
export interface Probed {
  /** What the probe says of each entity. */
  readonly texts: ReadonlyMap<string, string>;
  /** Whether the platform has found no such scope. */
  readonly missing: boolean;
}

const nothing: Probed = { texts: new Map(), missing: false };

/**
 * Asks the platform with one call what it says of the entities of a scope. The probe is empty when the call fails: the entities are then
 * read, and their passes say what is wrong.
 */
export async function probeScope(
  instance: ConnectorInstance,
  { kind, params }: Scope,
  wanted: (entity: string) => boolean,
  context: ExecuteContext,
): Promise<Probed> {
  const plan = instance.connector.scopes[kind]?.probe;
  if (plan === undefined || !Object.keys(plan.keys).some(wanted)) return nothing;
  try {
    return { texts: await runProbe(instance, plan, params, context), missing: false };
  } catch (thrown) {
    context.log.info({ err: thrown, requestId: context.requestId, scope: kind }, "a scope could not be asked what has changed");
    return { ...nothing, missing: thrown instanceof TenonError && thrown.code === "not_found" };
  }
}

/**
 * The probe to keep for an entity that has just been read. A change of a moment ago may be followed by another one with the same time,
 * which the probe would not show. Then no probe is kept, so that the next sync reads the entity again.
 *
 * @param asked when the platform was asked, in milliseconds since 1970
 */
export function probeToKeep(probe: string | undefined, asked: number): string | null {
  if (probe === undefined) return null;
  const times = probe.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  return times.some((time) => (instantOf(time) ?? 0) > asked - sameTime) ? null : probe;
}
