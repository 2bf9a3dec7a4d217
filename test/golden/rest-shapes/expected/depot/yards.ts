// Generated from spec/yards.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { yardsStore } from "./facts.ts";
import { apiSearchParams, listParams } from "./validators/yards.js";

/** The outermost list. */
export interface Yard {
  /** Its id. */
  readonly id: string;
  /** Id of its owner. */
  readonly owner: string | null;
  /** Its owner. */
  readonly ownerObject?: Owner | null;
}

/** An owner. */
export interface Owner {
  /** Id. */
  readonly id: string;
  /** Name. */
  readonly name: string;
}

export interface YardsListParams {
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 10. 1 to 10. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface YardsApiSearchParams {
  /** Where. */
  readonly near?: { readonly rightOf?: number; readonly x: number };
  /** Cursor. */
  readonly after?: string;
  /** Records per page. Default 10. 1 to 10. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const yardPlan: RecordPlan = {
  name: "Yard",
  fields: {
    id: { read: "id", always: true },
    owner: { read: "owner", as: { kind: "id" } },
    ownerObject: { read: "owner", as: { kind: "expanded" }, onRequest: true, of: () => ownerPlan },
  },
};

export const ownerPlan: RecordPlan = { name: "Owner", fields: { id: { read: "id", always: true }, name: { read: "name", always: true } } };

/** Lists yards by the last one. */
export const list: Action<YardsListParams, Page<Yard>> = {
  name: "yards.list",
  traits: actionTraits.list,
  params: ["after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/yards",
    query: [{ param: "per_page", name: "limit" }],
    body: [],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "behind", next: "data[-1].id", end: { more: "more" } },
    },
    record: yardPlan,
  },
};

/** Searches by POST. */
export const apiSearch: Action<YardsApiSearchParams, Page<Yard>> = {
  name: "yards.api_search",
  traits: actionTraits.api_search,
  params: ["near", "after", "per_page"],
  validate: apiSearchParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/yards/search",
    query: [],
    body: [
      { param: "near", name: "near", members: [{ param: "rightOf", name: "right_of" }, "x"] },
      { param: "per_page", name: "limit" },
    ],
    answer: "data",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "cursor", body: true, next: "cursor", end: { last: "done" } },
      incomplete: "done",
    },
    record: yardPlan,
  },
};

/** The outermost list. */
export const entity: Entity = {
  actions: { list, api_search: apiSearch },
  record: yardPlan,
  store: yardsStore,
  brief: ["id", "owner"],
  sync: [{ scope: "depot", action: list, size: { param: "per_page", value: 10 } }],
};
