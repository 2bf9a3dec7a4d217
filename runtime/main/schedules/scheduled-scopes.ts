import { TenonError } from "../../base/errors.ts";
import { nearest } from "../../base/text.ts";
import type { Connector } from "../../contract/index.ts";
import { readScopes } from "../../sync/index.ts";
import { SettingsError } from "../settings/settings.ts";

/** Scopes of the settings, and warnings of those that will not be synced. */
export interface ScheduledScopes {
  /** For every connector its scopes, without its name. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly warnings: readonly string[];
}

/**
 * The scopes of TENON_SYNC_SCOPES by connector. A scope is written `<connector>:<kind>=<value>`; without the connector where exactly one
 * connector that is on has the kind. Scopes of a connector that is off are left out with a warning.
 *
 * @param connectors all that there are
 * @param isOn whether a connector can be used
 * @throws SettingsError that names each wrong scope, what is wrong with it, and what is allowed
 */
export function scheduledScopes(
  given: readonly string[],
  connectors: readonly Connector[],
  isOn: (connector: Connector) => boolean,
): ScheduledScopes {
  const problems: string[] = [];
  const warnings: string[] = [];
  const scopes = new Map<string, string[]>(connectors.map(({ name }) => [name, []]));
  for (const text of given) {
    const assigned = assign(text, connectors, isOn);
    const problem = typeof assigned === "string" ? assigned : problemOf(assigned.connector, assigned.scope);
    if (problem !== undefined) problems.push(`TENON_SYNC_SCOPES: "${text}": ${problem}`);
    else if (typeof assigned === "string") continue;
    else if (isOn(assigned.connector)) scopes.get(assigned.connector.name)?.push(assigned.scope);
    else warnings.push(`"${text}" is not synced: the connector "${assigned.connector.name}" is off`);
  }
  if (problems.length > 0) throw new SettingsError(problems.join("\n"));
  return { scopes, warnings };
}

/** The connector that a scope is for, or what is wrong. */
function assign(
  text: string,
  connectors: readonly Connector[],
  isOn: (connector: Connector) => boolean,
): { connector: Connector; scope: string } | string {
  const names = connectors.map(({ name }) => name);
  // A value has no colon, so one in front of "=" ends the name of a connector.
  const [, name, scope = ""] = /^(?:([^:=]*):)?(.*)$/s.exec(text) ?? [];
  if (name !== undefined) {
    const connector = connectors.find((one) => one.name === name);
    return connector === undefined ? `There is no connector "${name}".${hint(name, names)}` : { connector, scope };
  }
  const kind = scope.split("=")[0] ?? "";
  const having = connectors.filter(({ scopes }) => Object.hasOwn(scopes, kind));
  const on = having.filter(isOn);
  const [first] = on.length > 0 ? on : having;
  if (first === undefined) {
    const kinds = [...new Set(connectors.flatMap(({ scopes }) => Object.keys(scopes)))];
    return `There is no kind of scope "${kind}".${hint(kind, kinds)}`;
  }
  if (on.length <= 1) return { connector: first, scope };
  const spellings = on.map((one) => `${one.name}:${scope}`);
  return `Several connectors have the kind "${kind}". Allowed: ${spellings.join(", ")}.`;
}

function hint(given: string, allowed: readonly string[]): string {
  const near = nearest(given, allowed);
  return `${near === undefined ? "" : ` Did you mean "${near}"?`} Allowed: ${allowed.join(", ")}.`;
}

/** Why the connector cannot sync a scope; undefined where it can. */
function problemOf(connector: Connector, scope: string): string | undefined {
  try {
    readScopes(connector, [scope]);
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof TenonError)) throw thrown;
    const [fault] = thrown.faults;
    const { message, allowed } = fault ?? { message: thrown.message };
    return allowed === undefined ? message : `${message}${hint(scope.split("=")[0] ?? "", allowed.map(String))}`;
  }
}
