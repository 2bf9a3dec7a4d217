// Generated from spec/figma/connector.yaml by `make generate`. Do not edit.

import { type Client, type ClientPlan, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import type * as comments from "./comments.ts";
import type * as components from "./components.ts";
import type * as devResources from "./dev_resources.ts";
import type * as files from "./files.ts";
import type * as folders from "./folders.ts";
import type * as styles from "./styles.ts";
import type * as versions from "./versions.ts";
import type * as webhooks from "./webhooks.ts";

export * from "../../runtime/client/index.ts";
export type { Comment, CommentsCreateParams, CommentsDeleteParams, CommentsListParams } from "./comments.ts";
export type { Component, ComponentsGetParams, ComponentsListParams } from "./components.ts";
export type { DevResource, DevResourcesCreateParams, DevResourcesListParams, DevResourcesUpdateParams } from "./dev_resources.ts";
export type { File, FileDetails, FilesGetParams, FilesListParams } from "./files.ts";
export type { Folder, FoldersListParams } from "./folders.ts";
export type { Style, StyleType, StylesGetParams, StylesListParams } from "./styles.ts";
export type { Version, VersionsListParams } from "./versions.ts";
export type { Webhook, WebhookEvent, WebhookStatus, WebhooksCreateParams, WebhooksDeleteParams, WebhooksGetParams, WebhooksListParams, WebhooksUpdateParams } from "./webhooks.ts";
export type { Done, Frame, User } from "./shared.ts";

/** What the methods of {@link Figma} take and return. */
export interface FigmaEntities {
  /** Comments on a file. */
  comments: {
    name: "comments";
    actions: Pick<typeof comments, "list" | "create"> & { delete: typeof comments.deleteAction };
    record: comments.Comment;
    search: { file: "string"; id: "string"; createdAt: "timestamp"; message: "string"; number: "string"; parent: "string"; resolvedAt: "timestamp"; userHandle: "string" };
    semantic: "message";
  };
  /** Components that a team has published in its library. */
  components: {
    name: "components";
    actions: Pick<typeof components, "get" | "list">;
    record: components.Component;
    search: { key: "string"; createdAt: "timestamp"; description: "string"; file: "string"; name: "string"; node: "string"; team: "string"; updatedAt: "timestamp"; userHandle: "string" };
  };
  /** Links from a node of a file to code, tickets or documents. */
  devResources: {
    name: "dev_resources";
    actions: Pick<typeof devResources, "list" | "create" | "update">;
    record: devResources.DevResource;
    search: { id: "string"; file: "string"; name: "string"; node: "string"; url: "string" };
  };
  /** Design files and boards. */
  files: {
    name: "files";
    actions: Pick<typeof files, "get" | "list">;
    record: files.File;
    search: { key: "string"; folder: "string"; lastModified: "timestamp"; name: "string" };
  };
  /** Folders of a team, which hold files. */
  folders: {
    name: "folders";
    actions: Pick<typeof folders, "list">;
    record: folders.Folder;
    search: { id: "string"; name: "string"; parent: "string"; team: "string" };
  };
  /** Styles that a team has published in its library. */
  styles: {
    name: "styles";
    actions: Pick<typeof styles, "get" | "list">;
    record: styles.Style;
    search: { key: "string"; createdAt: "timestamp"; description: "string"; file: "string"; name: "string"; node: "string"; team: "string"; type: "string"; updatedAt: "timestamp"; userHandle: "string" };
  };
  /** Saved versions of a file. */
  versions: {
    name: "versions";
    actions: Pick<typeof versions, "list">;
    record: versions.Version;
    search: { file: "string"; id: "string"; createdAt: "timestamp"; description: "string"; label: "string"; userHandle: "string" };
  };
  /** Addresses that Figma calls when something happens in a team. */
  webhooks: {
    name: "webhooks";
    actions: Pick<typeof webhooks, "get" | "list" | "create" | "update"> & { delete: typeof webhooks.deleteAction };
    record: webhooks.Webhook;
    search: { id: "string"; context: "string"; contextId: "string"; description: "string"; endpoint: "string"; event: "string"; status: "string" };
  };
}

/** The credentials that Figma takes. */
export type FigmaCredential =
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "oauth"; readonly token: string };
export type ClientOptions = import("../../runtime/client/index.ts").ClientOptions<FigmaCredential>;
export type LocalOptions = import("../../runtime/client/index.ts").LocalOptions<FigmaCredential>;

/** Entities and actions of Figma, for both modes of its client. */
export const plan: ClientPlan = {
  name: "figma",
  title: "Figma",
  entities: {
    comments: { list: {}, create: { writes: true }, delete: { writes: true } },
    components: { get: {}, list: { cursor: "after" } },
    dev_resources: { list: {}, create: { writes: true }, update: { writes: true } },
    files: { get: {}, list: {} },
    folders: { list: {} },
    styles: { get: {}, list: { cursor: "after" } },
    versions: { list: { cursor: "after" } },
    webhooks: { get: {}, list: {}, create: { writes: true }, update: { writes: true }, delete: { writes: true } },
  },
};

/** Client of Figma, in hosted mode only, as browsers use it. Folders, files, versions, comments, published components and styles, dev resources and webhooks of a Figma team. */
export const Figma: ConnectorClass<FigmaEntities, FigmaCredential> = connectorClass(plan);

export type Figma = Client<FigmaEntities>;
