// What generated code imports, as `tenon/contract`. What only the generator and the runtime share is in `index.ts`.

// Generated validators count the characters of texts with this function.
export { codePointLength } from "../base/code-points.ts";
export {
  type Action,
  type Answer,
  actionTraits,
  type FieldPath,
  type Page,
  type Single,
  type Validator,
} from "./action.ts";
export type { SyncBatch } from "./batch.ts";
export { type Connector, type ConnectorFacts, type Entity, lazyConnector } from "./connector.ts";
export type { RecordPlan } from "./record.ts";
export type { StorePlan } from "./store.ts";
