// Generated from spec/figma/folders.yaml by `make generate`. Do not edit.

import {
  type Action,
  type Entity,
  type FieldPath,
  type Page,
  type RecordPlan,
  actionTraits,
} from "../../runtime/contract/public.ts";
import { foldersStore } from "./facts.ts";
import { listParams } from "./validators/folders.js";

/** Folders of a team, which hold files. */
export interface Folder {
  /** Id. */
  readonly id: string;
  /** Name. */
  readonly name: string;
  /** Id of the folder that it is in. */
  readonly parent: string | null;
  /** Id of the team, if the request named the team. */
  readonly team: string | null;
}

export interface FoldersListParams {
  /** Id of the team. */
  readonly team: string;
  readonly fields?: readonly FieldPath[];
}

export const folderPlan: RecordPlan = {
  name: "Folder",
  fields: {
    id: { read: "id", always: true },
    name: { read: "name", always: true },
    parent: { read: "parent_folder_id" },
    team: { param: "team" },
  },
};

/** Lists the folders of a team. */
export const list: Action<FoldersListParams, Page<Folder>> = {
  name: "folders.list",
  traits: actionTraits.list,
  params: ["team"],
  validate: listParams,
  operation: {
    kind: "rest",
    method: "GET",
    path: "/v2/teams/{team}/folders",
    query: [],
    body: [],
    answer: "folders",
    list: { by: { kind: "single" } },
    record: folderPlan,
  },
};

/** Folders of a team, which hold files. */
export const entity: Entity = {
  actions: { list },
  record: folderPlan,
  store: foldersStore,
  brief: ["id", "name", "parent", "team"],
  sync: [{ scope: "team", action: list }],
};
