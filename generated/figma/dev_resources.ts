// Generated from spec/figma/dev_resources.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Answer,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { devResourcesStore } from "./facts.ts";
import { createParams, listParams, updateParams } from "./validators/dev_resources.js";

/** Links from a node of a file to code, tickets or documents. */
export interface DevResource {
  /** Id. */
  readonly id: string;
  /** Key of the file. */
  readonly file: string;
  /** Name. */
  readonly name: string;
  /** Id of the node within the file. */
  readonly node: string;
  /** Where the link leads. */
  readonly url: string;
}

export interface DevResourcesListParams {
  /** Key of the file. */
  readonly file: string;
  /** Only those of these nodes. */
  readonly nodes?: readonly string[];
  readonly fields?: readonly FieldPath[];
}

export interface DevResourcesCreateParams {
  /** Key of the file. */
  readonly file: string;
  /** Name of the link. */
  readonly name: string;
  /** Id of the node. */
  readonly node: string;
  /** Where the link leads. */
  readonly url: string;
  readonly fields?: readonly FieldPath[];
}

export interface DevResourcesUpdateParams {
  /** Id of the link. */
  readonly id: string;
  /** New name. */
  readonly name?: string;
  /** New address. */
  readonly url?: string;
  readonly fields?: readonly FieldPath[];
}

export const devResourcePlan: RecordPlan = {
  name: "DevResource",
  fields: {
    id: { read: "id", always: true },
    file: { read: "file_key", always: true },
    name: { read: "name", always: true },
    node: { read: "node_id", always: true },
    url: { read: "url", always: true },
  },
};

/** Lists the dev resources of a file. */
export const list: Action<DevResourcesListParams, Page<DevResource>> = {
  name: "dev_resources.list",
  traits: actionTraits.list,
  params: ["file", "nodes"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v1/files/{file}/dev_resources",
    query: [{ param: "nodes", name: "node_ids", join: "," }],
    body: [],
    answer: "dev_resources",
    list: { by: { kind: "single" } },
    record: devResourcePlan,
  },
};

/** Links a node of a file to an address. */
export const create: Action<DevResourcesCreateParams, Answer<DevResource>> = {
  name: "dev_resources.create",
  traits: actionTraits.create,
  params: ["file", "name", "node", "url"],
  validate: createParams,
  operation: {
    kind: "rest",
    method: "POST",
    path: "/v1/dev_resources",
    query: [],
    body: [{ param: "file", name: "file_key" }, "name", { param: "node", name: "node_id" }, "url"],
    bodyAt: "dev_resources[0]",
    answer: "links_created[0]",
    record: devResourcePlan,
  },
};

/** Changes the name or the address of a link. */
export const update: Action<DevResourcesUpdateParams, Answer<DevResource>> = {
  name: "dev_resources.update",
  traits: actionTraits.update,
  params: ["id", "name", "url"],
  validate: updateParams,
  operation: {
    kind: "rest",
    method: "PUT",
    path: "/v1/dev_resources",
    query: [],
    body: ["id", "name", "url"],
    bodyAt: "dev_resources[0]",
    answer: "links_updated[0]",
    record: devResourcePlan,
  },
  changes: ["name", "url"],
};

/** Links from a node of a file to code, tickets or documents. */
export const entity: Entity = {
  actions: { list, create, update },
  record: devResourcePlan,
  store: devResourcesStore,
  brief: ["id", "name", "url", "node"],
  sync: [{ scope: "team", action: list, each: { entity: "files", params: { file: "key" } } }],
  relations: [{ table: "files", on: "files.key = dev_resources.file" }],
};
