export { type Access, openAccess } from "./access.ts";
export { auditEntries, withAccounts } from "./accounts.ts";
export { addConnector, addedConnector, type NewConnector, removeConnector, rotateCredential } from "./added-connectors.ts";
export { connectors, version, workspace } from "./assembly.ts";
export { offText } from "./mode.ts";
export { readGrant } from "./read-grant.ts";
export { type Role, type Service, startService } from "./service.ts";
export { runForget, runRemove, runSemanticStatus, runStatus, runSync, type SyncRequest } from "./sync-run.ts";
export { toolHost } from "./tool-host.ts";
