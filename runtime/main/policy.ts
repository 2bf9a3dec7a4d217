import { readFileSync } from "node:fs";
import type { AccountStore, StoredAuditEntry } from "../accounts/index.ts";
import type { Connector } from "../contract/index.ts";
import { actionOf } from "../contract/index.ts";
import type { WriteGuard } from "../execute/index.ts";
import { addressProblem } from "../platform/address-rules.ts";
import {
  type Decided,
  looksAtUnknown,
  mayDecide,
  type Policy,
  PolicyError,
  PolicyFile,
  PolicyGuard,
  Proposals,
  readPolicy,
  webhookNotifier,
} from "../policy/index.ts";
import { openAccountStore } from "./account-store.ts";
import { auditEntries } from "./accounts.ts";
import { type Settings, SettingsError } from "./settings/settings.ts";

/** What decides about writes. */
export interface Writes {
  /** Holds writes to the policy; absent where the settings name none. */
  readonly guard: WriteGuard | undefined;
  readonly proposals: Proposals;
}

/** @throws SettingsError for a policy that is wrong */
export async function writesOf(settings: Settings, store: AccountStore, connectors: readonly Connector[]): Promise<Writes> {
  const { policy, approvalHours, approvalWebhook: webhook, allowPrivateAddresses, timeoutMs: timeout, auditDays } = settings;
  const problem = webhook === "" ? undefined : addressProblem(webhook, allowPrivateAddresses);
  if (problem !== undefined) throw new SettingsError(`TENON_APPROVAL_WEBHOOK ${problem}`);
  const notify = webhook === "" ? undefined : webhookNotifier(webhook, allowPrivateAddresses);
  const proposals = new Proposals({ store, lifetime: approvalHours * 3_600_000, timeout, audits: auditDays > 0, notify });
  if (policy === "") return { guard: undefined, proposals };
  const file = new PolicyFile(policy, connectors);
  await file.read().catch((thrown: unknown) => {
    throw thrown instanceof PolicyError ? new SettingsError(`TENON_POLICY: ${thrown.message}`) : thrown;
  });
  return { guard: new PolicyGuard(file, proposals), proposals };
}

/** Reads a policy for a command. @param path of the file; absent for that of the settings @throws SettingsError */
export function policyOf(settings: Pick<Settings, "policy">, connectors: readonly Connector[], path = settings.policy): Policy {
  if (path === "") throw new SettingsError("TENON_POLICY is not set: name a file, or set it");
  try {
    return readPolicy(path, readFileSync(path, "utf8"), connectors);
  } catch (thrown) {
    if (thrown instanceof PolicyError) throw new SettingsError(thrown.message);
    const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
    throw new SettingsError(`${path} cannot be read: ${code}`);
  }
}

/** Writes of the past of one caller that the same rules may decide about. */
export interface PastWrites {
  readonly caller: string;
  /** Id of the connector instance. */
  readonly connector: string;
  readonly action: string;
  /** Names of the fields that they set; null where the log does not have them. */
  readonly fields: readonly string[] | null;
  readonly writes: number;
  /** As `mayDecide` of the policy says. */
  readonly decided: readonly Decided[];
  /** What rules among these look at that the log does not have; null where it is certain which rule decides. */
  readonly unknown: "fields" | "values" | null;
}

/** Kinds of past writes that a dry run tells apart: each has an entry of its own. */
const mostKinds = 10_000;

/**
 * What a policy would have done with the writes in the audit log.
 *
 * @param since milliseconds since 1970
 */
export async function dryRunPolicy(
  policy: Policy,
  settings: Settings,
  connectors: readonly Connector[],
  since: number,
): Promise<readonly PastWrites[]> {
  const counts = new Map<string, { readonly entry: StoredAuditEntry; writes: number }>();
  for await (const entry of auditEntries(settings, since)) {
    // Every write that is sent has such an entry, and another one when it has ended.
    if (entry.outcome !== "begun") continue;
    const kind = JSON.stringify([entry.caller, entry.target, entry.action, entry.fields]);
    const known = counts.get(kind);
    if (known !== undefined) known.writes += entry.times;
    else if (counts.size < mostKinds) counts.set(kind, { entry, writes: entry.times });
    else throw new SettingsError(`the audit log has more than ${mostKinds} kinds of writes in this time: choose a shorter one`);
  }
  if (counts.size === 0) return [];
  const store = await openAccountStore(settings);
  try {
    const found: PastWrites[] = [];
    for (const { entry, writes } of counts.values()) {
      const { caller, target, action: name, fields } = entry;
      const end = name.lastIndexOf(".");
      const [entity, action] = [name.slice(0, end), name.slice(end + 1)];
      const connectorName = connectors.some((one) => one.name === target)
        ? target
        : (await store.instance(target ?? ""))?.connector;
      // An approval begins too: its target is a proposal.
      if (target === null || connectorName === undefined || connectorName === null) continue;
      const connector = connectors.find((one) => one.name === connectorName);
      const write = connector === undefined ? undefined : actionOf(connector, entity, action);
      const callers = [caller, (await store.caller(caller))?.name ?? caller];
      const past = { caller: callers, connector: [target, connectorName], entity, action, write, fields };
      const decided = mayDecide(policy, past);
      const unknown = decided.flatMap((one) => (one === undefined ? [] : (looksAtUnknown(one.rule, past) ?? [])));
      found.push({
        caller,
        connector: target,
        action: name,
        fields: fields ?? null,
        writes,
        decided,
        unknown: unknown[0] ?? null,
      });
    }
    return found;
  } finally {
    await store.close();
  }
}
