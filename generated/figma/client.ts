// Generated from spec/figma/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type FigmaCredential, type FigmaEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Figma. Folders, files, versions, comments, published components and styles, dev resources and webhooks of a Figma team. */
export const Figma: ConnectorClass<FigmaEntities, FigmaCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).figma));

export type Figma = Client<FigmaEntities>;
