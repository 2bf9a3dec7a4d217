// Generated from spec/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type LibraryCredential, type LibraryEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Library. A library for the golden cases. */
export const Library: ConnectorClass<LibraryEntities, LibraryCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).library));

export type Library = Client<LibraryEntities>;
