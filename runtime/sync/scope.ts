import { invalidRequest, shown } from "../base/errors.ts";
import { Faults } from "../base/faults.ts";
import type { Connector, ScopePlan } from "../contract/index.ts";

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
    const scope = readScope(connector.scopes, text);
    const at = ["scopes", index];
    if ("unknown" in scope) {
      const message = `There is no kind of scope "${shown(scope.unknown)}".`;
      faults.unknown(at, "unknown_scope", message, scope.unknown, Object.keys(connector.scopes));
    } else if ("message" in scope) faults.add(at, "unknown_scope", scope.message);
    else {
      const spelling = spellingOf(connector, scope);
      if (!scopes.has(spelling)) scopes.set(spelling, scope);
    }
  }
  if (faults.any) throw invalidRequest(faults.list);
  return [...scopes.values()];
}

/**
 * The scope in the spelling in which it was first synced. The store tells scopes apart by their names, so another spelling would keep
 * the same records twice.
 *
 * @param known names of scopes in the store
 */
export function knownScope(connector: Connector, scope: Scope, known: readonly string[]): Scope {
  const spelling = spellingOf(connector, scope);
  for (const name of known) {
    const other = readScope(connector.scopes, name);
    if ("name" in other && spellingOf(connector, other) === spelling) return other;
  }
  return scope;
}

/** A text that is equal for all spellings of a scope. */
function spellingOf({ scopes }: Connector, { kind, name }: Scope): string {
  return scopes[kind]?.ignoreCase === true ? name.toLowerCase() : name;
}

/** What the value of a scope looks like: `<owner>/<repo>, such as repository=octocat/hello-world`. */
function valueForm(kind: string, { params, example }: ScopePlan): string {
  if (params.length === 0) return "no value";
  return `${params.map((name) => `<${name}>`).join("/")}${example === undefined ? "" : `, such as ${kind}=${example}`}`;
}

/** The scope, or what is wrong: the kind that is unknown, or a message about the value. */
function readScope(
  plans: Readonly<Record<string, ScopePlan>>,
  text: string,
): Scope | { readonly unknown: string } | { readonly message: string } {
  const [kind = "", ...rest] = text.split("=");
  const value = rest.join("=");
  const plan = Object.hasOwn(plans, kind) ? plans[kind] : undefined;
  if (plan === undefined) return { unknown: kind };
  const parts = plan.params.length <= 1 ? [value].filter((part) => part !== "") : value.split("/");
  const fits = parts.length === plan.params.length && parts.every((part) => /^[\w.-]{1,100}$/.test(part));
  if (!fits) return { message: `${kind} takes ${valueForm(kind, plan)}.` };
  // Such a part would change the path of a request instead of naming something.
  const dots = parts.find((part) => /^\.+$/.test(part));
  if (dots !== undefined)
    return { message: `"${dots}" in "${text}" is no name, because it has only dots. ${kind} takes ${valueForm(kind, plan)}.` };
  const params = Object.fromEntries(plan.params.map((name, index) => [name, parts[index] ?? ""]));
  return { kind, name: plan.params.length === 0 ? kind : `${kind}=${value}`, params };
}
