import type { Action } from "../contract/index.ts";
import type { Fault } from "../errors.ts";

// Rules of the spec about changes that a schema cannot say.

/** An update that changes nothing is a mistake of the caller (decision 8). */
export function emptyUpdateFaults({ operation, transitions = [] }: Action, params: Readonly<Record<string, unknown>>): Fault[] {
  if (operation.kind !== "rest" || operation.method !== "PATCH") return [];
  const explaining = new Set(transitions.flatMap((row) => Object.keys(row.allow)));
  const changes = operation.body.filter((name) => params[name] !== undefined && !(params[name] === null && explaining.has(name)));
  if (changes.length > 0) return [];
  return [
    {
      pointer: "/params",
      code: "empty_update",
      message: `Nothing to change: give at least one of ${operation.body.join(", ")}.`,
      allowed: operation.body,
    },
  ];
}

/**
 * A parameter that belongs to a transition (`state_reason`) is allowed only together with the state that it explains, and only
 * with the values that the spec allows for that state. Null gives no reason, which goes with everything.
 */
export function transitionFaults({ transitions = [] }: Action, params: Readonly<Record<string, unknown>>): Fault[] {
  const asked = transitions.filter((row) => Object.entries(row.set).every(([name, value]) => params[name] === value));
  const explained = new Set(transitions.flatMap((row) => Object.keys(row.allow)));
  const faults: Fault[] = [];
  for (const name of explained) {
    const value = params[name];
    if (value === undefined || value === null) continue;
    if (asked.length === 0) {
      const states = [...new Set(transitions.flatMap((row) => Object.keys(row.set)))].join(", ");
      faults.push({
        pointer: `/params/${name}`,
        code: "forbidden_transition",
        message: `${name} explains a change of ${states}: give ${states} too.`,
      });
      continue;
    }
    const allowed = [...new Set(asked.flatMap((row) => row.allow[name] ?? []))];
    if (typeof value === "string" && allowed.includes(value)) continue;
    const state = Object.entries(asked[0]?.set ?? {})
      .map(([key, to]) => `${key} "${to}"`)
      .join(" and ");
    faults.push({
      pointer: `/params/${name}`,
      code: "forbidden_transition",
      message: `${name} "${String(value)}" does not go with ${state}.`,
      allowed: [...allowed, null],
    });
  }
  return faults;
}
