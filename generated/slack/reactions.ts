// Generated from spec/slack/reactions.yaml by `make generate`. Do not edit.

import type { Action, Answer, Entity, FieldPath, RecordPlan } from "../../runtime/contract/public.ts";
import { reactionsStore } from "./facts.ts";
import { addActionParams, removeActionParams } from "./validators/reactions.js";

/** Says that it was done. */
export interface Done {
  /** Always true. */
  readonly ok: boolean;
}

export interface ReactionsAddParams {
  /** Id of the channel. */
  readonly channel: string;
  /** Name of the emoji without colons. */
  readonly emoji: string;
  /** The message's `ts`, which is its id within the channel. */
  readonly ts: string;
  readonly fields?: readonly FieldPath[];
}

export interface ReactionsRemoveParams {
  /** Id of the channel. */
  readonly channel: string;
  /** Name of the emoji without colons. */
  readonly emoji: string;
  /** The message's `ts`, which is its id within the channel. */
  readonly ts: string;
  readonly fields?: readonly FieldPath[];
}

export const donePlan: RecordPlan = { name: "Done", fields: { ok: { read: "ok", always: true, is: "boolean" } } };

/** Puts an emoji on a message. */
export const addAction: Action<ReactionsAddParams, Answer<Done>> = {
  name: "reactions.add",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["channel", "emoji", "ts"],
  validate: addActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/reactions.add",
    query: [],
    body: ["channel", { param: "emoji", name: "name" }, { param: "ts", name: "timestamp" }],
    limit: "POST /reactions.add",
    record: donePlan,
  },
};

/** Takes an emoji of the token's owner from a message. */
export const removeAction: Action<ReactionsRemoveParams, Answer<Done>> = {
  name: "reactions.remove",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["channel", "emoji", "ts"],
  validate: removeActionParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/reactions.remove",
    query: [],
    body: ["channel", { param: "emoji", name: "name" }, { param: "ts", name: "timestamp" }],
    limit: "POST /reactions.remove",
    record: donePlan,
  },
};

/** Emojis that people put on messages. Those of a message stand in it; this adds and removes them. */
export const entity: Entity = { actions: { add: addAction, remove: removeAction }, record: donePlan, store: reactionsStore, brief: ["ok"], sync: [] };
