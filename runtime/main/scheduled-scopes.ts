import { type Connector, nearest } from "../contract/index.ts";
import { type Fault, invalidRequest, shown } from "../errors.ts";
import { readScopes } from "../sync/index.ts";

/** Scopes of the settings, and warnings of those that will not be synced. */
export interface ScheduledScopes {
  /** By the name of a connector, its scopes; they are written without the name. */
  readonly scopes: ReadonlyMap<string, readonly string[]>;
  readonly warnings: readonly string[];
}

/**
 * Finds the connector of every configured scope. A scope is written `repository=octocat/hello-world`, or with its connector before
 * it (`github:repository=octocat/hello-world`), which is needed where several connectors have scopes of that kind. Scopes of a
 * connector that is off are left out with a warning.
 *
 * @param isOn whether a connector can be used
 * @throws TenonError `invalid_request` for a scope that no connector knows, that several know, or whose value makes no sense
 */
export function scheduledScopes(
  connectors: readonly Connector[],
  isOn: (connector: Connector) => boolean,
  given: readonly string[],
): ScheduledScopes {
  const found = new Map<string, string[]>(connectors.map(({ name }) => [name, []]));
  const warnings: string[] = [];
  const faults: Fault[] = [];
  for (const [index, text] of given.entries()) {
    const { prefix, scope, kind } = partsOf(text);
    const named = connectors.filter(({ name }) => prefix === undefined || name === prefix);
    const knowing = named.filter(({ scopes }) => Object.hasOwn(scopes, kind));
    const on = knowing.filter(isOn);
    const [connector] = on.length > 0 ? on : knowing;
    const pointer = `/scopes/${index}`;
    if (named.length === 0)
      faults.push({
        pointer,
        ...unknown(
          "connector",
          prefix ?? "",
          connectors.map(({ name }) => name),
        ),
      });
    else if (connector === undefined) faults.push({ pointer, ...unknown("kind of scope", kind, kindsOf(named)) });
    else if (on.length > 1) faults.push({ pointer, ...ambiguous(scope, on) });
    else if (on.length === 0) warnings.push(`"${text}" is not synced: the connector "${connector.name}" is off`);
    else found.get(connector.name)?.push(scope);
  }
  if (faults.length > 0) throw invalidRequest(faults);
  for (const connector of connectors) readScopes(connector, found.get(connector.name) ?? []);
  return { scopes: found, warnings };
}

/** `github:repository=octocat/hello-world` is the scope `repository=octocat/hello-world`, of the kind `repository`. */
function partsOf(text: string) {
  const { prefix, scope = text } = /^(?<prefix>[a-z][a-z0-9-]*):(?<scope>.*)$/.exec(text)?.groups ?? {};
  return { prefix, scope, kind: scope.split("=")[0] ?? "" };
}

function kindsOf(connectors: readonly Connector[]): string[] {
  return [...new Set(connectors.flatMap(({ scopes }) => Object.keys(scopes)))];
}

function unknown(what: "connector" | "kind of scope", name: string, allowed: readonly string[]): Omit<Fault, "pointer"> {
  const suggestion = nearest(name, allowed);
  const message = `There is no ${what} "${shown(name)}".`;
  return { code: "unknown_scope", message, allowed, ...(suggestion === undefined ? {} : { suggestion }) };
}

function ambiguous(scope: string, connectors: readonly Connector[]): Omit<Fault, "pointer"> {
  const allowed = connectors.map(({ name }) => `${name}:${scope}`);
  const message = `Several connectors have scopes of this kind, so write ${allowed.join(" or ")}.`;
  return { code: "ambiguous_scope", message, allowed };
}
