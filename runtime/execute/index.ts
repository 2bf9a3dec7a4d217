// The functions and types of this room that other rooms use.

export { type BatchAnswer, runBatch } from "./batch.ts";
export type { BatchPosition } from "./batch-page.ts";
export { type ConnectOptions, connect, endpointsOf } from "./connect.ts";
export { execute, executeChecked } from "./execute.ts";
export { chooseFields } from "./field-choice.ts";
export {
  type ConnectorInstance,
  type GuardedWrite,
  type SemanticSearch,
  simulatedMark,
  storedAs,
  type WriteGuard,
} from "./instance.ts";
export { missingVariables } from "./missing-variables.ts";
export { readOverflow } from "./overflow.ts";
export { prepareRequest } from "./params-check.ts";
export { checkRequest } from "./request-check.ts";
export { type CutList, type ExecuteContext, type ExecuteResult, resultText, StoreResult } from "./result.ts";
export { runChangeCheck } from "./scope-change-check.ts";
export { storedPlan } from "./stored-plan.ts";
