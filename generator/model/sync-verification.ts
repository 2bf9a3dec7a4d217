import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
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
  const { entity, spec, error, context } = entry;
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
  const { params } = verification;
  const call = `${entity.name}.get`;
  const action = entity.actions.find(({ name }) => name === "get");
  if (action === undefined) {
    // One that is too wrong to be used is not missing.
    const written = context.connector.entities.find((one) => one.spec.entity === entity.name)?.spec.actions ?? {};
    if (Object.hasOwn(written, "get")) return undefined;
    error(["verification"], "SPEC003", `${entity.name} has no action "get", which reads one record`, undefined, {
      lacks: [{ kind: "action", name: call }],
    });
    return undefined;
  }
  const names = action.params.map(({ name }) => name);
  const lacks = (name: string): Facts => ({ lacks: [{ kind: "parameter", name, of: entity.name }] });
  for (const [name, from] of Object.entries(params)) {
    const param = action.params.find((one) => one.name === name);
    const field = storedField(entity, from, ["verification", "params", name], entry);
    if (param === undefined)
      error(
        ["verification", "params", name],
        "SPEC003",
        `${call} has no parameter "${name}"`,
        suggestion(name, names),
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
  const given = Object.keys(params);
  const unknown = given.filter((name) => !names.includes(name));
  // A parameter that is missing may be the one whose name is misspelled.
  for (const { name, required } of action.params)
    if (required && !scope.params.includes(name) && !given.includes(name) && nearest(name, unknown) === undefined)
      error(
        ["verification", "params"],
        "SPEC019",
        `${call} needs the parameter "${name}", which neither the scope nor \`verification\` gives`,
        undefined,
        lacks(name),
      );
  const batch = batchOf({ key: "verification", params, batch: verification.batch, action }, entry);
  if (batch === undefined) return undefined;
  return { action: action.name, params, days: verification.days ?? defaultDays, batch };
}
