import type { Faults } from "../base/faults.ts";
import type { Action } from "../contract/index.ts";

// Rules of the spec about changes that a JSON Schema cannot express.

type Params = Readonly<Record<string, unknown>>;

/**
 * Refuses an update that changes nothing, because that is a mistake of the caller. A parameter that explains a change of state, such as
 * `state_reason`, changes nothing by itself while it is null.
 */
export function checkUpdate({ changes: sent = [], transitions = [] }: Action, params: Params, faults: Faults): void {
  if (sent.length === 0) return;
  const explaining = new Set(transitions.flatMap((row) => Object.keys(row.allow)));
  const changes = sent.filter((name) => params[name] !== undefined && !(params[name] === null && explaining.has(name)));
  if (changes.length > 0) return;
  const message = `The update changes nothing: send at least one of ${sent.join(", ")}.`;
  faults.add(["params"], "empty_update", message, sent);
}

/**
 * A parameter that belongs to a transition (`state_reason`) is allowed only together with the state that it explains, and only
 * with the values that the spec allows for that state. Null means that no reason is given, which every state allows.
 *
 * @param refused names of parameters that already have a fault; they are not checked again
 */
export function checkTransitions(
  { transitions = [] }: Action,
  params: Params,
  refused: ReadonlySet<string>,
  faults: Faults,
): void {
  const asked = transitions.filter((row) => Object.entries(row.set).every(([name, value]) => params[name] === value));
  const explained = new Set(transitions.flatMap((row) => Object.keys(row.allow)));
  for (const name of explained) {
    const value = params[name];
    if (value === undefined || value === null || refused.has(name)) continue;
    const at = ["params", name];
    if (asked.length === 0) {
      const states = [...new Set(transitions.flatMap((row) => Object.keys(row.set)))].join(", ");
      faults.add(at, "forbidden_transition", `${name} explains a change of ${states}: send ${states} too.`);
      continue;
    }
    const allowed = [...new Set(asked.flatMap((row) => row.allow[name] ?? []))];
    if (typeof value === "string" && allowed.includes(value)) continue;
    const state = Object.entries(asked[0]?.set ?? {})
      .map(([key, to]) => `${key} "${to}"`)
      .join(" and ");
    faults.add(at, "forbidden_transition", `${name} "${String(value)}" is not allowed with ${state}.`, [...allowed, null]);
  }
}
