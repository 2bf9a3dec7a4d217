export { type ActionAccess, hostedTransport } from "./access.ts";
export { auditEntries, type CommandAccounts, withAccounts } from "./accounts.ts";
export { connectors, version } from "./assembly.ts";
export { type AuthorizationOptions, finishAuthorization, mustAuthorize, startAuthorization } from "./authorization.ts";
export { offText, simulatedConnectors, simulatedText } from "./mode.ts";
export { openAccess } from "./open-access.ts";
export {
  addConnector,
  addedConnector,
  type NewConnector,
  removeConnector,
  rotateCredential,
} from "./operator/added-connectors.ts";
export { type AuditedCaller, auditedCallers } from "./operator/audited-callers.ts";
export { backupFiles } from "./operator/backup.ts";
export { type CopyResult, copiedStores, copyStore } from "./operator/copy.ts";
export { type GivenGrant, readGrant } from "./operator/read-grant.ts";
export { runForget, runRemove, runSemanticStatus, runStatus, runSync, type SyncRequest } from "./operator/sync-run.ts";
export { type Role, type Service, startService } from "./service.ts";
export { toolHost } from "./tool-host.ts";
export { workspace } from "./workspace.ts";
