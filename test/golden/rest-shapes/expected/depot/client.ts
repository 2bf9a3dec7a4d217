// Generated from spec/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type DepotCredential, type DepotEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Depot. What only REST platforms need, each once and right. */
export const Depot: ConnectorClass<DepotEntities, DepotCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).depot));

export type Depot = Client<DepotEntities>;
