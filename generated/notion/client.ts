// Generated from spec/notion/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type NotionCredential, type NotionEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Notion. Pages, their blocks, data sources, databases and users of a Notion workspace. */
export const Notion: ConnectorClass<NotionEntities, NotionCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).notion));

export type Notion = Client<NotionEntities>;
