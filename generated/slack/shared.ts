// Generated from spec/slack/connector.yaml by `make generate`. Do not edit.

import type { RecordPlan } from "../../runtime/contract/public.ts";

/** A reaction. */
export interface Reaction {
  /** How often it was given. */
  readonly count: number;
  /** Name of the emoji. */
  readonly name: string;
  /** Ids of who gave it. */
  readonly users: readonly string[];
}

export const reactionPlan: RecordPlan = {
  name: "Reaction",
  fields: {
    count: { read: "count", always: true, is: "integer" },
    name: { read: "name", always: true },
    users: { read: "users", list: "empty" },
  },
};
