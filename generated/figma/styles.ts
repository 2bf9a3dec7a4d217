// Generated from spec/figma/styles.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { stylesStore } from "./facts.ts";
import { type User, userPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/styles.js";

/** What a style describes. */
export type StyleType = "effect" | "fill" | "grid" | "text";

/** Styles that a team has published in its library. */
export interface Style {
  /** Key. */
  readonly key: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Description. */
  readonly description: string;
  /** Key of the file. */
  readonly file: string;
  /** Name. */
  readonly name: string;
  /** Id of the node within the file. */
  readonly node: string;
  /** Id of the team, if the request named the team. */
  readonly team: string | null;
  /** Address of a small picture. */
  readonly thumbnailUrl: string | null;
  /** What it describes. */
  readonly type: StyleType;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who did it last. */
  readonly user: User;
  /** Name of the user. */
  readonly userHandle: string;
}

export interface StylesGetParams {
  /** Key of what was published. */
  readonly key: string;
  readonly fields?: readonly FieldPath[];
}

export interface StylesListParams {
  /** Id of the team. */
  readonly team: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const stylePlan: RecordPlan = {
  name: "Style",
  fields: {
    key: { read: "key", always: true },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    description: { read: "description", always: true },
    file: { read: "file_key", always: true },
    name: { read: "name", always: true },
    node: { read: "node_id", always: true },
    team: { param: "team" },
    thumbnailUrl: { read: "thumbnail_url" },
    type: { read: "style_type", always: true, as: { kind: "lower" }, values: ["effect", "fill", "grid", "text"] },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
    user: { read: "user", always: true, of: () => userPlan },
    userHandle: { read: "user.handle", always: true },
  },
};

/** Reads one published style. */
export const get: Action<StylesGetParams, Single<Style>> = {
  name: "styles.get",
  traits: actionTraits.get,
  params: ["key"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v1/styles/{key}", query: [], body: [], answer: "meta", record: stylePlan },
};

/** Lists the published styles of a team. */
export const list: Action<StylesListParams, Page<Style>> = {
  name: "styles.list",
  traits: actionTraits.list,
  params: ["team", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/teams/{team}/styles",
    query: [{ param: "per_page", name: "page_size" }],
    body: [],
    answer: "meta.styles",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "after", next: "meta.cursor.after" },
    },
    record: stylePlan,
  },
};

/** Styles that a team has published in its library. */
export const entity: Entity = {
  actions: { get, list },
  record: stylePlan,
  store: stylesStore,
  brief: ["key", "name", "type", "description"],
  sync: [{ scope: "team", action: list, size: { param: "per_page", value: 100 } }],
};
