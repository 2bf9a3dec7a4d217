import { suggestion } from "../../runtime/base/suggestion.ts";
import { type Facts, paramType } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { EntitySpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { typeText } from "./type-reference.ts";
import type { ActionModel } from "./types.ts";

/** Checks that every parameter and value in the transitions is one that the action takes. */
export function checkTransitions(spec: EntitySpec, actions: readonly ActionModel[], source: Source, context: BuildContext): void {
  const reported = new Set<string>();
  for (const [index, row] of (spec.transitions ?? []).entries()) {
    const wrong = (key: string, message: string, hint?: string, facts?: Facts) =>
      context.diagnostics.error(source.at(["transitions", index, key]), "SPEC009", message, hint, facts);
    const action = actions.find((one) => one.name === row.action);
    if (action === undefined) {
      // One that is written but wrong has diagnostics of its own.
      if (!Object.hasOwn(spec.actions, row.action)) wrong("action", `${spec.entity} has no action "${row.action}"`);
      continue;
    }
    const valuesOf = (param: string): readonly string[] | undefined => {
      const found = action.params.find((one) => one.name === param);
      return found?.type.kind === "enum" ? context.enums.get(found.type.name)?.values.map((one) => one.value) : undefined;
    };
    const check = (key: string, param: string, values: readonly string[]) => {
      const known = valuesOf(param);
      const name = `${row.action}.${param}`;
      if (known === undefined && !reported.has(name)) {
        reported.add(name);
        const given = action.params.find((one) => one.name === param);
        if (given === undefined)
          wrong(key, `${row.action} has no parameter "${param}"`, "a transition names parameters whose types are enums", {
            lacks: [{ kind: "parameter", name: param, of: spec.entity }],
          });
        else
          context.diagnostics.error(
            source.at(["actions", row.action, "params", param, "type"]),
            "SPEC009",
            `parameter "${param}" is ${typeText(given.type)}, but transitions name values of it, so it must be an enum`,
            undefined,
            { lacks: [paramType(param)] },
          );
      }
      for (const value of values)
        if (known !== undefined && !known.includes(value))
          wrong(key, `parameter "${param}" cannot be "${value}"`, suggestion(value, known));
    };
    for (const [param, value] of Object.entries(row.set)) {
      check("set", param, [value]);
      check("from", param, [row.from]);
      check("to", param, [row.to]);
    }
    for (const [param, values] of Object.entries(row.allow ?? {})) check("allow", param, values);
  }
}
