import { TenonError } from "../base/errors.ts";
import { type ConnectorInstance, type ExecuteContext, runChangeCheck } from "../execute/index.ts";
import { instantOf } from "../search/index.ts";
import { sameTime } from "./parents.ts";
import type { Scope } from "./scope.ts";

/** What the change check of a scope has told. */
export interface ChangeCheckResult {
  /** What the change check reports of each entity. */
  readonly texts: ReadonlyMap<string, string>;
  /** Whether the platform has found no such scope. */
  readonly missing: boolean;
}

const nothing: ChangeCheckResult = { texts: new Map(), missing: false };

/**
 * Asks the platform with one call what it says of the entities of a scope. The change check is empty when the call fails: the entities are
 * then read, and their sync runs say what is wrong.
 */
export async function checkScope(
  instance: ConnectorInstance,
  { kind, params }: Scope,
  wanted: (entity: string) => boolean,
  context: ExecuteContext,
): Promise<ChangeCheckResult> {
  const plan = instance.connector.scopes[kind]?.changeCheck;
  if (plan === undefined || !Object.keys(plan.keys).some(wanted)) return nothing;
  try {
    return { texts: await runChangeCheck(instance, plan, params, context), missing: false };
  } catch (thrown) {
    context.log.info({ err: thrown, requestId: context.requestId, scope: kind }, "the change check of a scope failed");
    return { ...nothing, missing: thrown instanceof TenonError && thrown.code === "not_found" };
  }
}

/**
 * The change check to keep for an entity that has just been read. A change of a moment ago may be followed by another one with the same
 * time, which the change check would not show. Then no change check is kept, so that the next sync reads the entity again.
 *
 * @param checkedAt when the change check was made, in milliseconds since 1970
 */
export function changeCheckToKeep(changeCheck: string | undefined, checkedAt: number): string | null {
  if (changeCheck === undefined) return null;
  const times = changeCheck.match(/\d{4}-\d\d-\d\dT[\d:.]+Z/g) ?? [];
  return times.some((time) => (instantOf(time) ?? 0) > checkedAt - sameTime) ? null : changeCheck;
}
