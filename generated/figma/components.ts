// Generated from spec/figma/components.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { componentsStore } from "./facts.ts";
import { type Frame, type User, framePlan, userPlan } from "./shared.ts";
import { getParams, listParams } from "./validators/components.js";

/** Components that a team has published in its library. */
export interface Component {
  /** Key. */
  readonly key: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Description. */
  readonly description: string;
  /** Key of the file. */
  readonly file: string;
  /** The frame that contains it. */
  readonly frame: Frame | null;
  /** Name. */
  readonly name: string;
  /** Id of the node within the file. */
  readonly node: string;
  /** Id of the team, if the request named the team. */
  readonly team: string | null;
  /** Address of a small picture. */
  readonly thumbnailUrl: string | null;
  /** When it was last changed. */
  readonly updatedAt: string;
  /** Who did it last. */
  readonly user: User;
  /** Name of the user. */
  readonly userHandle: string;
}

export interface ComponentsGetParams {
  /** Key of what was published. */
  readonly key: string;
  readonly fields?: readonly FieldPath[];
}

export interface ComponentsListParams {
  /** Id of the team. */
  readonly team: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export const componentPlan: RecordPlan = {
  name: "Component",
  fields: {
    key: { read: "key", always: true },
    createdAt: { read: "created_at", always: true, is: "timestamp" },
    description: { read: "description", always: true },
    file: { read: "file_key", always: true },
    frame: { read: "containing_frame", of: () => framePlan },
    name: { read: "name", always: true },
    node: { read: "node_id", always: true },
    team: { param: "team" },
    thumbnailUrl: { read: "thumbnail_url" },
    updatedAt: { read: "updated_at", always: true, is: "timestamp" },
    user: { read: "user", always: true, of: () => userPlan },
    userHandle: { read: "user.handle", always: true },
  },
};

/** Reads one published component. */
export const get: Action<ComponentsGetParams, Single<Component>> = {
  name: "components.get",
  traits: actionTraits.get,
  params: ["key"],
  validate: getParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/components/{key}",
    query: [],
    body: [],
    answer: "meta",
    record: componentPlan,
  },
};

/** Lists the published components of a team. */
export const list: Action<ComponentsListParams, Page<Component>> = {
  name: "components.list",
  traits: actionTraits.list,
  params: ["team", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/teams/{team}/components",
    query: [{ param: "per_page", name: "page_size" }],
    body: [],
    answer: "meta.components",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "after", next: "meta.cursor.after" },
    },
    record: componentPlan,
  },
};

/** Components that a team has published in its library. */
export const entity: Entity = {
  actions: { get, list },
  record: componentPlan,
  store: componentsStore,
  brief: ["key", "name", "file", "description"],
  sync: [{ scope: "team", action: list, size: { param: "per_page", value: 100 } }],
};
