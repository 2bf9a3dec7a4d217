import { type Facts, fieldType, paramType } from "../diagnostic/diagnostic.ts";
import type { ScopeSpec } from "../load/spec.ts";
import { sameValues } from "./param-field.ts";
import { batchOf } from "./sync-batch.ts";
import { type SyncEntry, storedField } from "./sync-entry.ts";
import type { SyncModel } from "./types.ts";

/** In how many days each record is read once, unless the spec says otherwise. */
const defaultDays = 7;

/** What `verification` of an entry says. Undefined where there is none, or where it is wrong. */
export function verificationOf(entry: SyncEntry, scope: ScopeSpec): SyncModel["verification"] {
  const { entity, spec, error } = entry;
  const { verification } = spec;
  if (verification === undefined) return undefined;
  if (spec.each !== undefined) {
    error(
      ["verification"],
      "SPEC016",
      "`verification` cannot be combined with `each`: what belongs to a record is read again together with it",
    );
    return undefined;
  }
  const action = entity.actions.find(({ name }) => name === (verification.action ?? "get"));
  if (action === undefined) {
    error(["verification"], "SPEC003", `${entity.name} has no action "get", which reads one record`, undefined, {
      lacks: [{ kind: "action", name: `${entity.name}.get` }],
    });
    return undefined;
  }
  const names = action.params.map(({ name }) => name);
  const lacks = (name: string): Facts => ({ lacks: [{ kind: "parameter", name, of: entity.name }] });
  for (const [name, from] of Object.entries(verification.params)) {
    const param = action.params.find((one) => one.name === name);
    const field = storedField(entity, from, ["verification", "params", name], entry);
    if (param === undefined)
      error(
        ["verification", "params", name],
        "SPEC003",
        `${entity.name}.get has no parameter "${name}"`,
        `it has ${names.join(", ")}`,
        lacks(name),
      );
    else if (field !== undefined && !sameValues(field.type, param.type))
      error(
        ["verification", "params", name],
        "SPEC016",
        `parameter "${name}" and field "${from}" have different types`,
        undefined,
        { lacks: [fieldType(from), paramType(name)] },
      );
  }
  for (const { name, required } of action.params)
    if (required && !scope.params.includes(name) && !Object.hasOwn(verification.params, name))
      error(
        ["verification", "params"],
        "SPEC019",
        `${entity.name}.get needs the parameter "${name}", which neither the scope nor \`verification\` gives`,
        undefined,
        lacks(name),
      );
  const batch = batchOf({ key: "verification", params: verification.params, batch: verification.batch, action }, entry);
  if (batch === undefined) return undefined;
  return { action: action.name, params: verification.params, days: verification.days ?? defaultDays, batch };
}
