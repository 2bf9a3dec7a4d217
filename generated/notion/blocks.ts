// Generated from spec/notion/blocks.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  type Single,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { blocksStore } from "./facts.ts";
import { type Parent, parentPlan } from "./shared.ts";
import { appendActionParams, deleteActionParams, getParams, listParams, updateParams } from "./validators/blocks.js";

/** The content of pages. A sync has the blocks of the first level of each page. */
export interface Block {
  /** Id. */
  readonly id: string;
  /** When it was created. */
  readonly createdAt: string;
  /** Whether it has blocks, which `list` gives with its id. */
  readonly hasChildren: boolean;
  /** Id of the page that it is in. */
  readonly page: string | null;
  /** What it is in. */
  readonly parent: Parent;
  /** Its text. */
  readonly text: string | null;
  /** Whether it is in the trash. */
  readonly trashed: boolean;
  /** What it is, such as `paragraph`, `heading_1` or `to_do`. */
  readonly type: string;
  /** When it was last changed, to the minute. */
  readonly updatedAt: string;
}

export interface BlocksGetParams {
  /** Id of the block, or of the page whose blocks are meant. */
  readonly block: string;
  readonly fields?: readonly FieldPath[];
}

export interface BlocksListParams {
  /** Id of the block, or of the page whose blocks are meant. */
  readonly block: string;
  /** Cursor: `end_cursor` of the previous response. An empty string means the first page. */
  readonly after?: string;
  /** Records per page. Default 30. 1 to 100. */
  readonly per_page?: number;
  readonly fields?: readonly FieldPath[];
}

export interface BlocksUpdateParams {
  /** Id of the block, or of the page whose blocks are meant. */
  readonly block: string;
  /** Its text. */
  readonly text: string;
  readonly fields?: readonly FieldPath[];
}

export interface BlocksAppendParams {
  /** Id of the block, or of the page whose blocks are meant. */
  readonly block: string;
  /** Its text. */
  readonly text: string;
  readonly fields?: readonly FieldPath[];
}

export interface BlocksDeleteParams {
  /** Id of the block, or of the page whose blocks are meant. */
  readonly block: string;
  readonly fields?: readonly FieldPath[];
}

export const blockPlan: RecordPlan = {
  name: "Block",
  fields: {
    id: { read: "id", always: true },
    createdAt: { read: "created_time", always: true, is: "timestamp" },
    hasChildren: { read: "has_children", always: true, is: "boolean" },
    page: { read: "parent.page_id" },
    parent: { read: "parent", always: true, of: () => parentPlan },
    text: { read: ".", as: { kind: "text" } },
    trashed: { read: "in_trash", always: true, is: "boolean" },
    type: { read: "type", always: true },
    updatedAt: { read: "last_edited_time", always: true, is: "timestamp" },
  },
};

/** Reads one block. */
export const get: Action<BlocksGetParams, Single<Block>> = {
  name: "blocks.get",
  traits: actionTraits.get,
  params: ["block"],
  validate: getParams,
  operation: { kind: "rest", method: "GET", path: "/v1/blocks/{block}", query: [], body: [], record: blockPlan },
};

/** Lists the blocks of a page or of a block. */
export const list: Action<BlocksListParams, Page<Block>> = {
  name: "blocks.list",
  traits: actionTraits.list,
  params: ["block", "after", "per_page"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/blocks/{block}/children",
    query: [{ param: "per_page", name: "page_size" }],
    body: [],
    answer: "results",
    list: {
      page: { size: "per_page", cursor: "after", max: 100 },
      by: { kind: "cursor", param: "start_cursor", next: "next_cursor", end: { more: "has_more" } },
    },
    record: blockPlan,
  },
};

/** Changes the text of a paragraph. */
export const update: Action<BlocksUpdateParams, Answer<Block>> = {
  name: "blocks.update",
  traits: actionTraits.update,
  params: ["block", "text"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/v1/blocks/{block}",
    query: [],
    body: [{ param: "text", name: "paragraph.rich_text", as: [{ text: { content: "{text}" }, type: "text" }] }],
    record: blockPlan,
  },
};

/** Adds a paragraph to the end of a page or of a block. */
export const appendAction: Action<BlocksAppendParams, Answer<Block>> = {
  name: "blocks.append",
  traits: { writes: true, list: false, updates: false, idempotent: false },
  params: ["block", "text"],
  validate: appendActionParams,
  operation: {
    kind: "rest",
    method: "PATCH",
    path: "/v1/blocks/{block}/children",
    query: [],
    body: [
      {
        param: "text",
        name: "children",
        as: [
          {
            object: "block",
            paragraph: { rich_text: [{ text: { content: "{text}" }, type: "text" }] },
            type: "paragraph",
          },
        ],
      },
    ],
    answer: "results[0]",
    record: blockPlan,
  },
};

/** Moves a block into the trash. */
export const deleteAction: Action<BlocksDeleteParams, Answer<Block>> = {
  name: "blocks.delete",
  traits: { writes: true, list: false, updates: false, idempotent: true },
  params: ["block"],
  validate: deleteActionParams,
  operation: { kind: "rest", method: "DELETE", path: "/v1/blocks/{block}", query: [], body: [], record: blockPlan },
};

/** The content of pages. A sync has the blocks of the first level of each page. */
export const entity: Entity = {
  actions: { get, list, update, append: appendAction, delete: deleteAction },
  record: blockPlan,
  store: blocksStore,
  brief: ["id", "type", "text", "hasChildren"],
  sync: [
    {
      scope: "workspace",
      action: list,
      size: { param: "per_page", value: 100 },
      each: { entity: "pages", params: { block: "id" }, changed: "updatedAt" },
    },
  ],
  relations: [{ table: "pages", on: "pages.key = ANY(blocks.parent)" }],
};
