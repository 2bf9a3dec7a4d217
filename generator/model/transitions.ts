import type { Source } from "../load/source.ts";
import type { EntitySpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import type { ActionModel } from "./types.ts";

/** Every name and value in the transitions must be one that the action really takes. */
export function checkTransitions(spec: EntitySpec, actions: readonly ActionModel[], source: Source, context: BuildContext): void {
  for (const [index, row] of (spec.transitions ?? []).entries()) {
    const wrong = (key: string, message: string) =>
      context.diagnostics.error(source.at(["transitions", index, key]), "SPEC009", message);
    const action = actions.find((one) => one.name === row.action);
    if (action === undefined) {
      wrong("action", `there is no action "${row.action}"`);
      continue;
    }
    const valuesOf = (param: string): readonly string[] | undefined => {
      const found = action.params.find((one) => one.name === param);
      return found?.type.kind === "enum" ? context.enums.get(found.type.name)?.values.map((one) => one.value) : undefined;
    };
    const check = (key: string, param: string, values: readonly string[]) => {
      const known = valuesOf(param);
      if (known === undefined) wrong(key, `"${param}" is no parameter with an enum of ${row.action}`);
      for (const value of values)
        if (known !== undefined && !known.includes(value))
          wrong(key, `"${value}" is no value of "${param}" (it has ${known.join(", ")})`);
    };
    for (const [param, value] of Object.entries(row.set)) {
      check("set", param, [value]);
      check("from", param, [row.from]);
      check("to", param, [row.to]);
    }
    for (const [param, values] of Object.entries(row.allow ?? {})) check("allow", param, values);
  }
}
