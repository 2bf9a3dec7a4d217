// Generated from spec/doors.yaml by `make generate`. Do not edit.

import type { Action, Answer, Entity, FieldPath, RecordPlan } from "../../runtime/contract/public.ts";
import { doorsStore } from "./facts.ts";
import { openActionParams } from "./validators/doors.js";

/** Says that it was done. */
export interface Opened {
  /** Whether it was. */
  readonly ok: boolean;
}

export interface DoorsOpenParams {
  /** Id. */
  readonly door: string;
  /** Why. */
  readonly note?: string;
  readonly fields?: readonly FieldPath[];
}

export const openedPlan: RecordPlan = { name: "Opened", fields: { ok: { read: "ok", always: true, is: "boolean" } } };

/** Opens one. */
export const openAction: Action<DoorsOpenParams, Answer<Opened>> = {
  name: "doors.open",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["door", "note"],
  validate: openActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/doors/{door}",
    query: [],
    body: [{ param: "note", name: "note", as: [{ line: "{line}" }] }],
    record: openedPlan,
  },
};

/** They are opened, and have no record. */
export const entity: Entity = { actions: { open: openAction }, record: openedPlan, store: doorsStore, brief: ["ok"], sync: [] };
