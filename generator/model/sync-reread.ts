import type { ScopeSpec } from "../load/spec.ts";
import { sameValues } from "./param-field.ts";
import { batchOf } from "./sync-batch.ts";
import { type SyncEntry, storedField } from "./sync-entry.ts";
import type { SyncModel } from "./types.ts";

/** In how many days each record is read once, unless the spec says otherwise. */
const defaultDays = 7;

/** What `reread` of an entry says. Undefined where there is none, or where it is wrong. */
export function rereadOf(entry: SyncEntry, scope: ScopeSpec): SyncModel["reread"] {
  const { entity, spec, error } = entry;
  const { reread } = spec;
  if (reread === undefined) return undefined;
  if (spec.each !== undefined) {
    error(["reread"], "SPEC016", "`reread` cannot stand beside `each`: what belongs to a record is read again together with it");
    return undefined;
  }
  const action = entity.actions.find(({ name }) => name === (reread.action ?? "get"));
  if (action === undefined) {
    error(["reread"], "SPEC003", `${entity.name} has no action "get", which reads one record`);
    return undefined;
  }
  const names = action.params.map(({ name }) => name);
  for (const [name, from] of Object.entries(reread.params)) {
    const param = action.params.find((one) => one.name === name);
    const field = storedField(entity, from, ["reread", "params", name], entry);
    if (param === undefined)
      error(["reread", "params", name], "SPEC003", `${entity.name}.get has no parameter "${name}"`, `it has ${names.join(", ")}`);
    else if (field !== undefined && !sameValues(field.type, param.type))
      error(["reread", "params", name], "SPEC016", `parameter "${name}" and field "${from}" have different types`);
  }
  for (const { name, required } of action.params)
    if (required && !scope.params.includes(name) && !Object.hasOwn(reread.params, name))
      error(
        ["reread", "params"],
        "SPEC019",
        `${entity.name}.get needs the parameter "${name}", which neither the scope nor \`reread\` gives`,
      );
  const batch = batchOf({ key: "reread", params: reread.params, batch: reread.batch, action }, entry);
  if (batch === undefined) return undefined;
  return { action: action.name, params: reread.params, days: reread.days ?? defaultDays, batch };
}
