export { type Access, openAccess } from "./access.ts";
export { withAccounts } from "./accounts.ts";
export { addConnector, addedConnector, type NewConnector, removeConnector, rotateCredential } from "./added-connectors.ts";
export { connectors, version, workspace } from "./assembly.ts";
export { type ActionManual, type EntityManual, type Manual, manualOf } from "./manual.ts";
export { offText } from "./mode.ts";
export { readGrant } from "./read-grant.ts";
export { type Service, startService } from "./service.ts";
export { runForget, runSemanticStatus, runStatus, runSync, type SyncRequest } from "./sync-run.ts";
