// Generated from spec/linear/connector.yaml by `make generate`. Do not edit.

import type { RecordPlan } from "../../runtime/contract/public.ts";

/** A label in short. */
export interface LabelReference {
  /** Id. */
  readonly id: string;
  /** Name. */
  readonly name: string;
}

/** A user in short. */
export interface Person {
  /** E-mail address. */
  readonly email: string;
  /** Id. */
  readonly id: string;
  /** Full name. */
  readonly name: string;
}

/** Says what was removed. */
export interface Removed {
  /** Id of what was removed. */
  readonly id: string;
  /** Whether it was removed. */
  readonly success: boolean;
}

/** The state of an issue. */
export interface StateReference {
  /** Id. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  /** `triage`, `backlog`, `unstarted`, `started`, `completed` or `canceled`. */
  readonly type: string;
}

export const labelReferencePlan: RecordPlan = {
  name: "LabelReference",
  on: "IssueLabel",
  fields: { id: { select: "id", read: "id" }, name: { select: "name", read: "name" } },
};

export const personPlan: RecordPlan = {
  name: "Person",
  on: "User",
  fields: {
    email: { select: "email", read: "email" },
    id: { select: "id", read: "id" },
    name: { select: "name", read: "name" },
  },
};

export const removedPlan: RecordPlan = {
  name: "Removed",
  on: "DeletePayload",
  fields: { id: { select: "id:entityId", read: "id" }, success: { select: "success", read: "success", is: "boolean" } },
};

export const stateReferencePlan: RecordPlan = {
  name: "StateReference",
  on: "WorkflowState",
  fields: { id: { select: "id", read: "id" }, name: { select: "name", read: "name" }, type: { select: "type", read: "type" } },
};
