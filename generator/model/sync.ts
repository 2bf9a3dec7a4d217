import type { LoadedConnector } from "../load/load.ts";
import type { EachSpec, EntitySpec, ScopeSpec, SyncSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { largestRequest } from "./page.ts";
import { valueFits, valueSchema } from "./param.ts";
import { checkEach } from "./sync-each.ts";
import { oneOf, type SyncEntry, storedField } from "./sync-entry.ts";
import { checkCircle } from "./sync-order.ts";
import type { ActionModel, EntityModel, SyncModel } from "./types.ts";

/** Seconds by which a cursor goes back behind the newest record that is known, for clocks that differ. */
const defaultOverlap = 60;

/** The entities with their `sync`: it speaks of other entities, so all of them have to be built before. */
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
      diagnostics.error(loaded.source.at(["actions", "sync"]), "SPEC005", `action "sync" of ${entity.name} is never used`);
    return { ...entity, sync };
  });
  if (connector.complete)
    for (const name of Object.keys(connector.spec.scopes ?? {}))
      if (!scopes.has(name)) diagnostics.error(connector.source.at(["scopes", name]), "SPEC005", `scope "${name}" is never used`);
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
  const error: SyncEntry["error"] = (path, code, message, hint) =>
    context.diagnostics.error(source.at(["sync", index, ...path]), code, message, hint);
  const scopes = context.connector.spec.scopes ?? {};
  const scope = Object.hasOwn(scopes, spec.scope) ? scopes[spec.scope] : undefined;
  if (scope === undefined) error(["scope"], "SPEC003", `unknown scope "${spec.scope}"`, oneOf(spec.scope, Object.keys(scopes)));
  const action = syncedAction(entity, spec, written, error);
  if (scope === undefined || action === undefined) return undefined;
  const entry: SyncEntry = { entity, spec, action, error, entities, context };
  checkParams(entry, scope);
  checkCursor(entry);
  checkEach(entry);
  checkCircle(entry);
  return syncModel(spec, sizeOf(entry));
}

function syncModel({ scope, action = "list", cursor, each }: SyncSpec, size: SyncModel["size"]): SyncModel {
  return {
    scope,
    action,
    ...(size === undefined ? {} : { size }),
    ...(cursor === undefined ? {} : { cursor: { field: cursor.field, overlap: cursor.overlap ?? defaultOverlap } }),
    ...(each === undefined ? {} : { each: inOrder(each) }),
  };
}

/** For readers: which records, what is taken from them, which of them are left out, and when it is worth it. */
function inOrder({ entity, params, root, where, unless, atMost, paths, changed }: EachSpec): EachSpec {
  const globs = paths && { field: paths.field, include: paths.include, exclude: paths.exclude };
  const rest = { root, where, unless, atMost, paths: globs, changed };
  return { entity, params, ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) };
}

/** An action that is there but wrong has its own diagnostics. */
function syncedAction(
  entity: EntityModel,
  { action: name = "list" }: SyncSpec,
  written: EntitySpec,
  error: SyncEntry["error"],
): ActionModel | undefined {
  const action = [...entity.actions, ...(entity.syncAction === undefined ? [] : [entity.syncAction])].find(
    (one) => one.name === name,
  );
  if (action === undefined && !Object.hasOwn(written.actions, name))
    error(["action"], "SPEC003", `${entity.name} has no action "${name}"`, `it has ${Object.keys(written.actions).join(", ")}`);
  if (action !== undefined && action.returns !== entity.record)
    error(["action"], "SPEC016", `${entity.name}.${name} answers ${action.returns.name}, not records of the entity`);
  return action;
}

/** Every parameter that must be given is given, once, and by a name that the action knows. */
function checkParams({ action, spec, error, context }: SyncEntry, scope: ScopeSpec): void {
  const call = `${action.entity}.${action.name}`;
  const names = action.params.map((param) => param.name);
  for (const name of scope.params) {
    const param = action.params.find((one) => one.name === name);
    if (param === undefined)
      error(["scope"], "SPEC003", `the scope "${spec.scope}" gives the parameter "${name}", which ${call} does not have`);
    else if (param.type.list || param.type.name !== "string")
      error(
        ["scope"],
        "SPEC016",
        `the scope "${spec.scope}" gives the parameter "${name}" as text, but it is ${param.type.name}`,
      );
  }
  const { params = {}, root } = spec.each ?? {};
  for (const [key, given] of [
    ["params", params],
    ["root", root ?? {}],
  ] as const)
    for (const name of Object.keys(given)) {
      if (!names.includes(name)) error(["each", key, name], "SPEC003", `${call} has no parameter "${name}"`, oneOf(name, names));
      if (scope.params.includes(name)) error(["each", key, name], "SPEC016", `the scope gives the parameter "${name}" already`);
    }
  for (const [name, value] of Object.entries(root ?? {})) {
    const param = action.params.find((one) => one.name === name);
    const schema = param === undefined ? undefined : valueSchema(param, (one) => context.enums.get(one));
    if (schema !== undefined && !valueFits(schema, value))
      error(["each", "root", name], "SPEC016", `parameter "${name}" does not accept this value`);
  }
  for (const { name, required } of action.params) {
    if (!required || scope.params.includes(name)) continue;
    if (!Object.hasOwn(params, name))
      error(["action"], "SPEC019", `${call} needs the parameter "${name}", which neither the scope nor \`each\` gives`);
    if (root !== undefined && !Object.hasOwn(root, name))
      error(["each", "root"], "SPEC019", `${call} needs the parameter "${name}", which neither the scope nor \`root\` gives`);
  }
}

/** How many records a call asks for: as many as the spec says, else as many as the action allows. */
function sizeOf({ action, spec: { size }, error }: SyncEntry): SyncModel["size"] {
  const largest = largestRequest(action.operation, action.params);
  if (size === undefined) return largest;
  const call = `${action.entity}.${action.name}`;
  if (largest === undefined) {
    error(["size"], "SPEC016", `${call} does not read pages, so \`size\` has no effect`);
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

function checkCursor(entry: SyncEntry): void {
  const { spec, entity, action, error } = entry;
  if (spec.cursor === undefined) return;
  if (action.name === "get") error(["cursor"], "SPEC016", "`get` reads one record, so a cursor says nothing");
  const field = storedField(entity, spec.cursor.field, ["cursor", "field"], entry);
  if (field === undefined) return;
  if (field.search?.type !== "timestamp")
    error(["cursor", "field"], "SPEC016", `field "${field.name}" is no timestamp that cached search knows`);
}

/** What a sync can be asked for has as many parts as its parameters. */
function checkScopes({ spec, source }: LoadedConnector, { diagnostics }: BuildContext): void {
  for (const [name, { params, example }] of Object.entries(spec.scopes ?? {}))
    if (params.length !== (example?.split("/").length ?? 0))
      diagnostics.error(
        source.at(["scopes", name, "example"]),
        "SPEC016",
        `scope "${name}" needs an example with ${params.length} part${params.length === 1 ? "" : "s"}, joined by \`/\``,
      );
}
