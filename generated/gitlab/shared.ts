// Generated from spec/gitlab/connector.yaml by `make generate`. Do not edit.

import type { RecordPlan } from "../../runtime/contract/public.ts";

/** Which end of a list comes first. */
export type Direction = "asc" | "desc";
/** A time of a record. */
export type Order = "created_at" | "updated_at";

/** A user in short. */
export interface Person {
  /** Id. */
  readonly id: number;
  /** Full name. */
  readonly name: string;
  /** User name. */
  readonly username: string;
}

export const personPlan: RecordPlan = {
  name: "Person",
  fields: {
    id: { read: "id", always: true, is: "integer" },
    name: { read: "name", always: true },
    username: { read: "username", always: true },
  },
};
