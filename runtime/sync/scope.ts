import { invalidRequest, shown } from "../base/errors.ts";
import { type FaultPath, Faults } from "../base/faults.ts";
import { nearest } from "../base/text.ts";
import type { Connector, ScopePlan } from "../contract/index.ts";
import { spellingOf } from "../store/collection-sync.ts";

/** A part of the platform that a sync reads, such as one repository with all that belongs to it. */
export interface Scope {
  readonly kind: string;
  /** Kind and value, such as `repository=octocat/hello-world`; only the kind where it has no parameters. */
  readonly name: string;
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Reads scopes as callers write them (`repository=octocat/hello-world`) and adds those that are part of every sync.
 *
 * @throws TenonError `invalid_request` that names every wrong one and what is allowed
 */
export function readScopes(connector: Connector, given: readonly string[]): Scope[] {
  const faults = new Faults();
  const scopes = new Map<string, Scope>();
  for (const [kind, plan] of Object.entries(connector.scopes))
    if (plan.params.length === 0) scopes.set(kind, { kind, name: kind, params: {} });
  for (const [index, text] of given.entries()) {
    const scope = readScope(connector.scopes, text, ["scopes", index], faults);
    if (scope === undefined) continue;
    const spelling = spellingOf(connector, scope.name);
    if (!scopes.has(spelling)) scopes.set(spelling, scope);
  }
  if (faults.any) throw invalidRequest(faults.list);
  return [...scopes.values()];
}

/**
 * Gives scopes in the spelling in which they were first synced. The store tells scopes apart by their names, so another spelling would keep
 * the same records twice.
 *
 * @param known names of scopes in the store, of which there may be thousands: each is read once
 */
export function knownScopes(connector: Connector, known: readonly string[]): (scope: Scope) => Scope {
  const first = new Map<string, Scope>();
  for (const name of new Set(known)) {
    const scope = readScope(connector.scopes, name, [], new Faults());
    const spelling = scope && spellingOf(connector, scope.name);
    if (scope !== undefined && spelling !== undefined && !first.has(spelling)) first.set(spelling, scope);
  }
  return (scope) => first.get(spellingOf(connector, scope.name)) ?? scope;
}

/** What the value of a scope looks like: `<owner>/<repo>, such as repository=octocat/hello-world`. */
function valueForm(kind: string, { params, example }: ScopePlan): string {
  if (params.length === 0) return "no value";
  return `${params.map((name) => `<${name}>`).join("/")}${example === undefined ? "" : `, such as ${kind}=${example}`}`;
}

/** Whether a text can be a part of a scope: a name, an id, an e-mail address, a path. It is not a text of several lines. */
function isPart(text: string): boolean {
  return /^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u.test(text) && text.trim() === text && text.isWellFormed();
}

/** A part of several that has `/` in it is written with `%2F`. */
function decoded(part: string): string {
  return part.replace(/%2f/gi, "/").replace(/%25/g, "%");
}

function readScope(plans: Readonly<Record<string, ScopePlan>>, text: string, at: FaultPath, faults: Faults): Scope | undefined {
  const [kind = "", ...rest] = text.split("=");
  const value = rest.join("=");
  const plan = Object.hasOwn(plans, kind) ? plans[kind] : undefined;
  if (plan === undefined) {
    const near = nearest(kind, Object.keys(plans));
    const takesValue = near !== undefined && (plans[near]?.params.length ?? 0) > 0;
    const meant = takesValue ? near + text.slice(kind.length) : near;
    return faults.unknown(at, "unknown_scope", `There is no kind of scope "${shown(kind)}".`, kind, Object.keys(plans), meant);
  }
  const wrong = (message: string) => faults.add(at, "unknown_scope", message);
  const parts = plan.params.length <= 1 ? [value].filter((part) => part !== "") : value.split("/").map(decoded);
  const fits = parts.length === plan.params.length && parts.every((part) => isPart(part));
  if (!fits) return wrong(`${kind} takes ${valueForm(kind, plan)}.`);
  // Such a part would change the path of a request instead of naming something.
  const dots = parts.find((part) => /^\.+$/.test(part));
  if (dots !== undefined)
    return wrong(`"${dots}" in "${text}" is not a name, because it has only dots. ${kind} takes ${valueForm(kind, plan)}.`);
  const params = Object.fromEntries(plan.params.map((name, index) => [name, parts[index] ?? ""]));
  return { kind, name: plan.params.length === 0 ? kind : `${kind}=${value}`, params };
}
