// Generated from spec/figma/connector.yaml by `make generate`. Do not edit.

import type { RecordPlan } from "../../runtime/contract/public.ts";

/** Says that a record was removed. */
export interface Done {
  /** HTTP status. */
  readonly status: number;
}

/** A frame on a page of a file. */
export interface Frame {
  /** Name. */
  readonly name: string | null;
  /** Id of the node. */
  readonly node: string | null;
  /** Name of the page. */
  readonly page: string;
}

/** A user of Figma. */
export interface User {
  /** Name. */
  readonly handle: string;
  /** Id. */
  readonly id: string;
  /** Address of the picture. */
  readonly imageUrl: string;
}

export const donePlan: RecordPlan = { name: "Done", fields: { status: { read: "status", always: true, as: { kind: "integer" }, is: "integer" } } };

export const framePlan: RecordPlan = {
  name: "Frame",
  fields: { name: { read: "name" }, node: { read: "nodeId" }, page: { read: "pageName", always: true } },
};

export const userPlan: RecordPlan = {
  name: "User",
  fields: {
    handle: { read: "handle", always: true },
    id: { read: "id", always: true },
    imageUrl: { read: "img_url", always: true },
  },
};
