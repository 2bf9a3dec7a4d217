import type { Connector, Entity, RecordPlan } from "../../contract/index.ts";
import { manualOf } from "../../manual/manual.ts";
import { enumOf, flagsOfParams, type Schema } from "../request/param-flags.ts";
import type { ActionNames, CompletionTable, ConnectorNames, EntityNames } from "./completion-names.ts";

/** The names of connectors for completion. */
export async function tableOf(connectors: readonly Connector[]): Promise<CompletionTable> {
  return Object.fromEntries(await Promise.all(connectors.map(async (one) => [one.name, await namesOf(one)] as const)));
}

async function namesOf(connector: Connector): Promise<ConnectorNames> {
  const types: Record<string, Readonly<Record<string, string>>> = {};
  const entities: Record<string, EntityNames> = {};
  for (const { name, actions } of (await manualOf(connector)).entities) {
    const entity = Object.hasOwn(connector.entities, name) ? connector.entities[name] : undefined;
    if (entity === undefined) continue;
    addTypes(entity.record, types);
    entities[name] = entityNames(entity, Object.fromEntries(actions.map((one) => [one.name, actionNames(one.params)])));
  }
  const scopes = Object.entries(connector.scopes).map(([kind, { params }]) => (params.length === 0 ? kind : `${kind}=`));
  return { scopes, entities, types };
}

function entityNames({ record, store, sync }: Entity, actions: EntityNames["actions"]): EntityNames {
  return {
    record: record.name,
    synced: sync.length > 0,
    searchable: Object.keys(store.fields),
    semantic: Object.keys(store.semantic?.fields ?? {}),
    actions,
  };
}

function actionNames(params: Schema): ActionNames {
  return Object.fromEntries(flagsOfParams(params).map(({ flag, schema }) => [flag, (enumOf(schema) ?? []).map(String)]));
}

/** Adds the fields of a record and of the records inside it. Types may lead to themselves. */
function addTypes({ name, fields }: RecordPlan, types: Record<string, Readonly<Record<string, string>>>): void {
  if (Object.hasOwn(types, name)) return;
  const inner = Object.entries(fields).map(([field, { of }]) => [field, of?.()] as const);
  types[name] = Object.fromEntries(inner.map(([field, plan]) => [field, plan?.name ?? ""]));
  for (const [, plan] of inner) if (plan !== undefined) addTypes(plan, types);
}
