import type { Plans } from "../../runtime/store/catalogue.ts";
import type { ScopeCollection } from "../../runtime/store/store.ts";

/** The records that workers of a history write: keys with a value. */
export function registersOf(instance: string): ScopeCollection {
  return { connector: "history", instance, entity: "registers", scope: "all" };
}

export const plans: Plans = {
  history: {
    registers: {
      key: ["id"],
      fields: { id: { type: "string", index: "exact" }, value: { type: "string", index: "exact" } },
    },
  },
};
