import type { RecordPlan } from "../../runtime/contract/index.ts";
import type { TypeLookup, TypeModel } from "./types.ts";

/** The plan that the emitted code will hold, as a value. With it the generator checks documents that the runtime's own function builds. */
export function recordPlan(type: TypeModel, lookup: TypeLookup): RecordPlan {
  return {
    name: type.name,
    ...(type.on === undefined ? {} : { on: type.on }),
    fields: Object.fromEntries(
      type.fields.map((field) => {
        const inner = field.type.kind === "type" ? lookup(field.type.name) : undefined;
        return [field.name, inner === undefined ? field.plan : { ...field.plan, of: () => recordPlan(inner, lookup) }];
      }),
    ),
  };
}
