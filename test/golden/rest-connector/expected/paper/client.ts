// Generated from spec/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type PaperLibraryCredential, type PaperLibraryEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Paper library. The same library without GraphQL. */
export const PaperLibrary: ConnectorClass<PaperLibraryEntities, PaperLibraryCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).paper));

export type PaperLibrary = Client<PaperLibraryEntities>;
