// Generated from spec/github/viewer.yaml by `make generate`. Do not edit.

import { type Action, type Entity, type FieldPath, type Single, actionTraits } from "../../runtime/contract/public.ts";
import { viewerStore } from "./facts.ts";
import { type User, userPlan } from "./users.ts";
import { getParams } from "./validators/viewer.js";

export interface ViewerGetParams {
  readonly fields?: readonly FieldPath[];
}

/** Reads the authenticated user. */
export const get: Action<ViewerGetParams, Single<User>> = {
  name: "viewer.get",
  traits: actionTraits.get,
  params: [],
  validate: getParams,
  operation: {
    kind: "graphql-get",
    document: "query ViewerGet{viewer{...record}}",
    variables: [],
    path: ["viewer"],
    record: userPlan,
  },
};

/** The account that the platform token belongs to. */
export const entity: Entity = {
  actions: { get },
  record: userPlan,
  store: viewerStore,
  aliases: ["me", "self", "authenticated_user"],
  brief: ["login", "name", "company", "location"],
  sync: [{ scope: "account", action: get }],
  relations: [{ table: "organizations", on: "organizations.login = ANY(viewer.organization)" }],
};
