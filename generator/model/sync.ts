import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { SyncBatch, SyncEach } from "../../runtime/contract/index.ts";
import { anyName, type Facts, fieldType, paramType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { EachSpec, EntitySpec, ScopeSpec, SyncSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { overflowOf } from "./overflow.ts";
import { largestRequest, paging } from "./page.ts";
import { valueFits, valueSchema } from "./param.ts";
import { hasExample } from "./scope-example.ts";
import { batchOf } from "./sync-batch.ts";
import { checkEach } from "./sync-each.ts";
import { type SyncEntry, storedField } from "./sync-entry.ts";
import { checkCircle } from "./sync-order.ts";
import { verificationOf } from "./sync-verification.ts";
import type { ActionModel, EntityModel, SyncModel } from "./types.ts";

/** Seconds that a sync reads again before the newest known record, because clocks differ. */
const defaultOverlap = 60;

/** Adds to the entities how they are synced. An entry of `sync` names other entities, so all of them must have been built before. */
export function addSync(entities: readonly EntityModel[], context: BuildContext): EntityModel[] {
  const { connector, diagnostics } = context;
  checkScopes(connector, context);
  const scopes = new Set<string>();
  const result = entities.map((entity) => {
    const loaded = connector.entities.find((one) => one.spec.entity === entity.name);
    if (loaded === undefined) return entity;
    const sync = (loaded.spec.sync ?? []).flatMap((spec, index) => {
      scopes.add(spec.scope);
      return buildSync(entity, spec, index, loaded, entities, context) ?? [];
    });
    if (Object.hasOwn(loaded.spec.actions, "sync") && !loaded.spec.sync?.some((one) => one.action === "sync"))
      diagnostics.error(
        loaded.source.at(["actions", "sync"]),
        "SPEC005",
        `action "sync" of ${entity.name} is never used`,
        undefined,
        {
          unused: { kind: "action", name: `${entity.name}.sync` },
        },
      );
    const overflow = entity.ownRecord.length > 0 ? overflowOf(entity, context) : undefined;
    return { ...entity, sync, ...(overflow === undefined ? {} : { overflow }) };
  });
  if (connector.complete)
    for (const name of Object.keys(connector.spec.scopes ?? {}))
      if (!scopes.has(name))
        diagnostics.error(connector.source.at(["scopes", name]), "SPEC005", `scope "${name}" is never used`, undefined, {
          unused: { kind: "scope", name },
        });
  return result;
}

function buildSync(
  entity: EntityModel,
  spec: SyncSpec,
  index: number,
  { source, spec: written }: LoadedConnector["entities"][number],
  entities: readonly EntityModel[],
  context: BuildContext,
): SyncModel | undefined {
  const at = (path: readonly string[]) => source.at(["sync", index, ...path]);
  const error: SyncEntry["error"] = (path, ...rest) => context.diagnostics.error(at(path), ...rest);
  const scopes = context.connector.spec.scopes ?? {};
  const scope = Object.hasOwn(scopes, spec.scope) ? scopes[spec.scope] : undefined;
  if (scope === undefined)
    error(["scope"], "SPEC003", `unknown scope "${spec.scope}"`, suggestion(spec.scope, Object.keys(scopes)), {
      lacks: [{ kind: "scope", name: spec.scope }],
    });
  const action = syncedAction(entity, spec, written, error);
  if (scope === undefined || action === undefined) return undefined;
  const entry: SyncEntry = { entity, spec, action, at, error, entities, context };
  checkParams(entry, scope);
  checkCursor(entry);
  checkHead(entry);
  checkEach(entry);
  checkCircle(entry);
  const batch = spec.each && batchOf({ key: "each", action, ...spec.each }, entry);
  return syncModel(spec, sizeOf(entry), batch, verificationOf(entry, scope));
}

function syncModel(
  { scope, action = "list", cursor, newestKnown, each }: SyncSpec,
  size: SyncModel["size"],
  batch: SyncBatch | undefined,
  verification: SyncModel["verification"],
): SyncModel {
  return {
    scope,
    action,
    ...(size === undefined ? {} : { size }),
    ...(cursor === undefined ? {} : { cursor: { field: cursor.field, overlap: cursor.overlap ?? defaultOverlap } }),
    ...(newestKnown === undefined ? {} : { newestKnown }),
    ...(verification === undefined ? {} : { verification }),
    ...(each === undefined ? {} : { each: { ...inOrder(each), ...(batch === undefined ? {} : { batch }) } }),
  };
}

/** The keys of `each` in the order that people read them in. */
function inOrder({ entity, params, root, where, unless, atMost, paths, changed }: EachSpec): SyncEach {
  const globs = paths && { field: paths.field, include: paths.include, exclude: paths.exclude };
  const rest = { root, where, unless, atMost, paths: globs, changed };
  return { entity, params, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) };
}

/** The action that reads the records. One that is written but wrong has diagnostics of its own. */
function syncedAction(
  entity: EntityModel,
  { action: name = "list" }: SyncSpec,
  written: EntitySpec,
  error: SyncEntry["error"],
): ActionModel | undefined {
  const action = [...entity.actions, ...(entity.syncAction === undefined ? [] : [entity.syncAction])].find(
    (one) => one.name === name,
  );
  const isWrong = (other: string) => !entity.actions.some((one) => one.name === other) && other !== entity.syncAction?.name;
  if (action === undefined && !Object.hasOwn(written.actions, name) && !Object.keys(written.actions).some(isWrong))
    error(["action"], "SPEC003", `${entity.name} has no action "${name}"`, suggestion(name, Object.keys(written.actions)), {
      lacks: [{ kind: "action", name: `${entity.name}.${name}` }],
      loses: [{ kind: "action", name: `${entity.name}.${anyName}` }],
    });
  if (action !== undefined && action.returns !== entity.record)
    error(["action"], "SPEC016", `${entity.name}.${name} returns ${action.returns.name} instead of records of the entity`);
  return action;
}

/** Checks that every required parameter is given, once, and that every given one exists. */
function checkParams(entry: SyncEntry, scope: ScopeSpec): void {
  const { action, spec, error, context } = entry;
  const call = `${action.entity}.${action.name}`;
  const lacks = (name: string): Facts => ({ lacks: [{ kind: "parameter", name, of: action.entity }] });
  const written = writtenParams(entry);
  const names = action.params.map((param) => param.name);
  for (const [index, name] of scope.params.entries()) {
    const param = action.params.find((one) => one.name === name);
    // An action that is called for each record of another entity may not need the scope: `each` gives what it needs.
    if (param === undefined && (spec.each !== undefined || written.includes(name))) continue;
    if (param === undefined)
      context.diagnostics.error(
        { ...entry.at(["scope"]), origin: context.connector.source.at(["scopes", spec.scope, "params", index]) },
        "SPEC003",
        `the scope "${spec.scope}" gives the parameter "${name}", which ${call} does not have`,
        suggestion(name, names),
        { ...lacks(name), loses: [{ kind: "parameter", name }], says: `the scope gives "${name}"` },
      );
    else if (param.type.list || param.type.name !== "string")
      error(
        ["scope"],
        "SPEC016",
        `the scope "${spec.scope}" gives the parameter "${name}" as text, but its type is ${param.type.name}`,
        undefined,
        { lacks: [paramType(name)] },
      );
  }
  const fits = scope.params.every((name) => names.includes(name) || written.includes(name));
  const { params = {}, root } = spec.each ?? {};
  for (const [key, given] of [
    ["params", params],
    ["root", root ?? {}],
  ] as const)
    for (const name of Object.keys(given)) {
      if (!names.includes(name) && !written.includes(name))
        error(["each", key, name], "SPEC003", `${call} has no parameter "${name}"`, suggestion(name, names), lacks(name));
      if (scope.params.includes(name)) error(["each", key, name], "SPEC016", `the scope already gives the parameter "${name}"`);
    }
  for (const [name, value] of Object.entries(root ?? {})) {
    const param = action.params.find((one) => one.name === name);
    const schema = param === undefined ? undefined : valueSchema(param, (one) => context.enums.get(one));
    if (schema !== undefined && !valueFits(schema, value))
      error(["each", "root", name], "SPEC016", `parameter "${name}" does not accept this value`);
  }
  for (const { name, required } of action.params) {
    // A scope whose example does not fit may lack the parameter itself, and a sync whose scope does not fit lacks `each`.
    if (!required || scope.params.includes(name) || !hasExample(scope) || (spec.each === undefined && !fits)) continue;
    if (
      !Object.hasOwn(params, name) &&
      nearest(
        name,
        Object.keys(params).filter((one) => !names.includes(one)),
      ) === undefined
    )
      error(
        ["action"],
        "SPEC019",
        `${call} needs the parameter "${name}", which neither the scope nor \`each\` gives`,
        undefined,
        lacks(name),
      );
    if (root !== undefined && !Object.hasOwn(root, name))
      error(
        ["each", "root"],
        "SPEC019",
        `${call} needs the parameter "${name}", which neither the scope nor \`root\` gives`,
        undefined,
        lacks(name),
      );
  }
}

/** The names of the action's parameters as they are written. One that is too wrong to be used is not unknown. */
function writtenParams({ action, context }: SyncEntry): string[] {
  const written = context.connector.entities.find((one) => one.spec.entity === action.entity);
  return Object.keys(written?.spec.actions[action.name]?.params ?? {});
}

/** How many records a call asks for: as many as the spec says, else as many as the action allows. */
function sizeOf({ action, spec: { size }, error }: SyncEntry): SyncModel["size"] {
  const largest = largestRequest(action.operation, action.params);
  if (size === undefined) return largest;
  const call = `${action.entity}.${action.name}`;
  if (largest === undefined) {
    error(["size"], "SPEC016", `${call} does not read pages, so \`size\` has no effect`, undefined, {
      lacks: [paging.sizeParam, paging.cursorParam].map((name) => ({ kind: "parameter", name })),
    });
    return undefined;
  }
  const { param, value } = largest;
  const least = action.params.find(({ name }) => name === param)?.range?.[0] ?? 1;
  if (size < least || size > value)
    error(
      ["size"],
      "SPEC016",
      `${call} cannot read ${size} records in one request`,
      `"${param}" takes ${least} to ${value} there`,
    );
  return { param, value: size };
}

/** Where a shared field is written that a position in an entity's file has from there. */
const originOf = (field?: SourcePosition) => (field?.origin === undefined ? {} : { origin: field.origin });

function checkCursor(entry: SyncEntry): void {
  const { at, context, spec, entity, action, error } = entry;
  if (spec.cursor === undefined) return;
  if (spec.each !== undefined) error(["cursor"], "SPEC016", "`cursor` has no effect together with `each`, which has `changed`");
  if (action.name === "get") error(["cursor"], "SPEC016", "`get` reads one record, so `cursor` has no effect");
  const field = storedField(entity, spec.cursor.field, ["cursor", "field"], entry);
  if (field === undefined) return;
  if (field.search?.type !== "timestamp")
    context.diagnostics.error(
      { ...at(["cursor", "field"]), ...originOf(context.positions.get(entity.record.name)?.(field.name)) },
      "SPEC016",
      `field "${field.name}" is not a searchable timestamp`,
      undefined,
      { lacks: [fieldType(field.name)] },
    );
}

function checkHead(entry: SyncEntry): void {
  const { spec, entity, action, error } = entry;
  if (spec.newestKnown === undefined) return;
  for (const other of ["cursor", "each"] as const)
    if (spec[other] !== undefined) error(["newestKnown"], "SPEC016", `\`newestKnown\` cannot be combined with \`${other}\``);
  const { operation } = action;
  if (operation.kind !== "graphql-list" || operation.total === undefined)
    error(
      ["newestKnown"],
      "SPEC016",
      `${action.entity}.${action.name} does not say how many records there are`,
      "give its `page` a `total`",
    );
  const field = storedField(entity, spec.newestKnown, ["newestKnown"], entry);
  if (field !== undefined && (field.type.list || !["string", "id"].includes(field.type.name)))
    error(["newestKnown"], "SPEC016", `field "${field.name}" is not a text that names a record`);
}

/** Checks the examples of scopes. */
function checkScopes({ spec, source }: LoadedConnector, { diagnostics }: BuildContext): void {
  for (const [name, scope] of Object.entries(spec.scopes ?? {}))
    if (!hasExample(scope))
      diagnostics.error(
        source.at(["scopes", name, "example"]),
        "SPEC016",
        `scope "${name}" needs an example with ${scope.params.length} part${scope.params.length === 1 ? "" : "s"}, joined by \`/\``,
      );
}
