import { type Drift, driftOf, readDescribed, type SpecChange, type SpecFolder, specFolders } from "../../../generator/index.ts";
import { type AuditedCaller, auditedCallers, connectors } from "../../main/index.ts";
import { readSettings, type Settings } from "../../main/settings/settings.ts";
import { CommandError, refuse } from "../command-error.ts";
import { exitStatus } from "../exit-status.ts";
import { printChanges, type ShownChange } from "./changes.ts";
import { writeDiagnostics } from "./diagnostics.ts";

interface DriftFlags {
  readonly against: string | undefined;
  readonly from: string | undefined;
  readonly spec: string | undefined;
  readonly json: boolean;
  readonly config: string | undefined;
}

/** Days for which the callers of an action are looked up. */
const days = 30;
/** The most callers that are listed for a change. */
const mostCallers = 20;

/**
 * `tenon drift`: compares what a connector uses of its platform with another description of it, and names who called what it concerns.
 *
 * @returns 0; 1 when a change is breaking or the spec has problems
 */
export async function run(
  [name = ""]: readonly string[],
  { against, from, spec = "spec", json, config }: DriftFlags,
): Promise<number> {
  if (against === undefined)
    throw new CommandError(
      "--against names the description to compare with: a file, an address, or package@version/path of npm",
      exitStatus.usage,
    );
  const [folder] = specFolders(spec, "generated", name);
  if (folder === undefined) throw new CommandError(`there is no folder ${spec}/${name}`, exitStatus.usage);
  const read = async (one: string) => (await readDescribed(one)).text;
  const texts = await Promise.all([read(against), from === undefined ? undefined : read(from)]).catch(
    refuse(exitStatus.unavailable),
  );
  const { connector, changes, notes, diagnostics } = compared(folder, ...texts);
  writeDiagnostics(diagnostics);
  if (connector === undefined) return 1;
  const { settings } = readSettings(process.env, connectors, config);
  const callers = await auditedCallers(settings, connector, Date.now() - days * 86_400_000);
  printChanges(
    changes.map((change) => withCallers(change, callers)),
    json,
  );
  for (const note of [...notes, ...missing(settings)]) process.stderr.write(`${note}\n`);
  return changes.some(({ kind }) => kind === "breaking") ? 1 : 0;
}

function compared(folder: SpecFolder, against: string, from: string | undefined): Drift {
  try {
    return driftOf(folder, against, from);
  } catch (thrown) {
    return refuse(exitStatus.usage)(thrown);
  }
}

/** The callers of all actions of a change, each once. */
function withCallers(change: SpecChange, callers: ReadonlyMap<string, readonly AuditedCaller[]>): ShownChange {
  const sums = new Map<string, AuditedCaller>();
  for (const one of (change.actions ?? []).flatMap((action) => callers.get(action) ?? [])) {
    const { calls = 0, last = "" } = sums.get(one.caller) ?? {};
    sums.set(one.caller, { caller: one.caller, calls: calls + one.calls, last: last > one.last ? last : one.last });
  }
  const found = [...sums.values()].sort((a, b) => b.calls - a.calls);
  return found.length === 0 ? change : { ...change, callers: found.slice(0, mostCallers) };
}

/** What the audit log does not have, so that a caller may be missing. */
function missing({ auditDays, auditReads }: Settings): string[] {
  if (auditDays === 0) return ["There is no audit log (TENON_AUDIT_DAYS is 0), so no callers are listed."];
  return [
    ...(auditDays < days ? [`The audit log keeps ${auditDays} days (TENON_AUDIT_DAYS), so earlier callers are not listed.`] : []),
    ...(auditReads
      ? []
      : ["The audit log has no reads that succeeded (TENON_AUDIT_READS), so those who only read are not listed."]),
  ];
}
