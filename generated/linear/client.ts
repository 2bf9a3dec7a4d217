// Generated from spec/linear/connector.yaml by `make generate`. Do not edit.

import { type Client, type ConnectorClass, connectorClass } from "../../runtime/client/index.ts";
import { localMode } from "../../runtime/client/local-mode.ts";
import { type LinearCredential, type LinearEntities, plan } from "./hosted.ts";

export * from "../../runtime/client/index.ts";
export type * from "./hosted.ts";
export type { ClientOptions, LocalOptions } from "./hosted.ts";

/** Client of Linear. Teams, issues, comments, projects, cycles, workflow states, labels and users of a Linear workspace. */
export const Linear: ConnectorClass<LinearEntities, LinearCredential> = connectorClass(plan, localMode(async () => (await import("./index.ts")).linear));

export type Linear = Client<LinearEntities>;
