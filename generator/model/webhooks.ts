import { suggestion } from "../../runtime/base/suggestion.ts";
import {
  templatePaths,
  valuesAt,
  type WebhookCall,
  type WebhookCalls,
  type WebhookEvent,
  type WebhookPlan,
  type WebhookRead,
  type WebhookScopes,
} from "../../runtime/contract/index.ts";
import type { DiagnosticCode, Diagnostics } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { WebhooksSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import type { EntityModel, SyncModel } from "./types.ts";

/** Bodies of deliveries by event. */
export type WebhookExamples = ReadonlyMap<string, readonly unknown[]>;

type Report = (path: readonly string[], code: DiagnosticCode, message: string, hint?: string) => void;

/**
 * Reads the examples that `webhooks` names: a JSON list of objects with `name` and `examples`.
 *
 * @param read gives the text of a file that the spec refers to; undefined where there is none
 */
export function webhookExamples(
  { spec, source }: LoadedConnector,
  read: (reference: string) => string | undefined,
  diagnostics: Diagnostics,
): WebhookExamples | undefined {
  const reference = spec.webhooks?.examples;
  if (reference === undefined) return undefined;
  try {
    const groups = JSON.parse(read(reference) ?? "") as readonly {
      readonly name: string;
      readonly examples: readonly unknown[];
    }[];
    return new Map(groups.map(({ name, examples }) => [name, [...examples]]));
  } catch {
    const form = "it is a JSON list of objects with `name` and `examples`";
    diagnostics.error(source.at(["webhooks", "examples"]), "SPEC017", `cannot read "${reference}"`, form);
    return undefined;
  }
}

/** Checks `webhooks`: its names, what a read needs, and its paths, which some example of the event must have. */
export function webhooksOf(
  entities: readonly EntityModel[],
  { connector: { spec, source, complete }, diagnostics }: BuildContext,
  examples: WebhookExamples | undefined,
): WebhookPlan | undefined {
  if (spec.webhooks === undefined) return undefined;
  const { examples: _, ...plan } = spec.webhooks;
  // What is wrong with an entity or a scope is reported there.
  if (!complete || diagnostics.count > 0) return plan;
  const error: Report = (path, code, message, hint) => diagnostics.error(source.at(["webhooks", ...path]), code, message, hint);
  const checkScopes = (scopes: WebhookScopes, at: readonly string[]) => {
    for (const [kind, value] of Object.entries(scopes)) {
      const scope = Object.hasOwn(spec.scopes ?? {}, kind) ? spec.scopes?.[kind] : undefined;
      if (scope === undefined)
        error([...at, kind], "SPEC003", `unknown scope "${kind}"`, suggestion(kind, Object.keys(spec.scopes ?? {})));
      else if ((scope.params.length === 0) !== (value === ""))
        error([...at, kind], "SPEC016", `the scope "${kind}" takes ${scope.params.length === 0 ? "no value" : "a value"}`);
    }
  };
  checkScopes(plan.scopes, ["scopes"]);
  for (const [kind, calls] of Object.entries(plan.setup.scopes ?? {})) {
    const scope = Object.hasOwn(spec.scopes ?? {}, kind) ? spec.scopes?.[kind] : undefined;
    const at = ["setup", "scopes", kind];
    if (scope === undefined) error(at, "SPEC003", `unknown scope "${kind}"`, suggestion(kind, Object.keys(spec.scopes ?? {})));
    else
      for (const [name, one] of Object.entries(calls))
        checkCall(name as keyof WebhookCalls, one, scope.params, entities, (path, ...rest) =>
          error([...at, name, ...path], ...rest),
        );
  }
  for (const [name, event] of Object.entries(plan.events)) {
    const at = ["events", name];
    if (event.scopes !== undefined) checkScopes(event.scopes, [...at, "scopes"]);
    if (event.resync !== undefined && plan.action === undefined && !event.resync.includes("*"))
      error([...at, "resync"], "SPEC016", "`resync` names actions, so `webhooks` needs `action`", "`*` stands for every event");
    const kinds = Object.keys(event.scopes ?? plan.scopes);
    for (const [entity, read] of Object.entries(event.reads ?? {})) {
      const found = entities.find((one) => one.name === entity);
      const syncs = found?.sync.filter(({ scope }) => kinds.includes(scope)) ?? [];
      if (found === undefined)
        error(
          [...at, "reads", entity],
          "SPEC003",
          `unknown entity "${entity}"`,
          suggestion(
            entity,
            entities.map((one) => one.name),
          ),
        );
      else if (syncs.length === 0)
        error([...at, "reads", entity], "SPEC019", `no scope of the event fills ${entity}`, `the event has ${kinds.join(", ")}`);
      else checkRead(read, found, syncs, entities, plan, (path, ...rest) => error([...at, "reads", entity, ...path], ...rest));
    }
  }
  if (examples !== undefined) checkExamples(spec.webhooks, examples, error);
  return plan;
}

/** Placeholders that the parameters of a call may have. */
const callValues: Readonly<Record<keyof WebhookCalls, readonly string[]>> = {
  add: ["url", "secret"],
  change: ["id", "url", "secret"],
  remove: ["id"],
  ping: ["id"],
  deliveries: ["id"],
  redeliver: ["id", "delivery"],
};

function checkCall(
  name: keyof WebhookCalls,
  { call, params = {}, among, ...fields }: WebhookCall & { readonly among?: WebhookCall["params"] },
  scope: readonly string[],
  entities: readonly EntityModel[],
  error: Report,
): void {
  const all = entities.flatMap((entity) => entity.actions.map((action) => ({ call: `${entity.name}.${action.name}`, action })));
  const action = all.find((one) => one.call === call)?.action;
  if (action === undefined) {
    const names = all.map((one) => one.call);
    error(["call"], "SPEC003", `unknown action "${call}"`, suggestion(call, names));
    return;
  }
  const taken = action.params.map((param) => param.name);
  for (const [param, value] of Object.entries(params)) {
    if (!taken.includes(param)) error(["params", param], "SPEC003", `${call} takes no "${param}"`, suggestion(param, taken));
    const place = typeof value === "string" ? /^\{(\w+)\}$/.exec(value)?.[1] : undefined;
    if (place !== undefined && !callValues[name].includes(place))
      error(["params", param], "SPEC003", `there is no "{${place}}" in \`${name}\``, suggestion(place, callValues[name]));
  }
  const given = [...scope, ...Object.keys(params)];
  for (const one of scope) if (!taken.includes(one)) error(["call"], "SPEC019", `${call} takes no "${one}" of the scope`);
  for (const { name: param, required } of action.params)
    if (required && !given.includes(param)) error(["call"], "SPEC019", `${call} needs the parameter "${param}"`);
  const known = action.returns.fields.map((field) => field.name);
  for (const [member, field] of Object.entries({ ...(name === "add" ? { call: "id" } : {}), ...fields }))
    if (!known.includes(field)) error([member], "SPEC003", `the records of ${call} have no "${field}"`, suggestion(field, known));
}

function checkRead(
  { key, params = {}, parent, deleted }: WebhookRead,
  entity: EntityModel,
  syncs: readonly SyncModel[],
  entities: readonly EntityModel[],
  { action }: WebhookPlan,
  error: Report,
): void {
  const oneField = (one: EntityModel | undefined) =>
    one?.store.key.length === 1 && one.store.key.every((field) => Object.hasOwn(one.store.fields, field));
  const verification = syncs.find((one) => one.verification !== undefined)?.verification;
  if (key !== undefined && parent !== undefined) error(["parent"], "SPEC016", "`parent` cannot be combined with `key`");
  if (key !== undefined && verification === undefined)
    error(["key"], "SPEC019", `${entity.name} cannot be read by key, because its sync has no \`verification\``);
  else if (key !== undefined && !oneField(entity))
    error(["key"], "SPEC019", `${entity.name} cannot be read by key, because its key is not one searchable field`);
  const needed = key === undefined ? [] : Object.keys(verification?.params ?? {});
  for (const name of Object.keys(params))
    if (!needed.includes(name)) error(["params", name], "SPEC003", `reading ${entity.name} by key takes no "${name}"`);
  for (const name of needed)
    if (!Object.hasOwn(params, name)) error([], "SPEC019", `reading ${entity.name} by key needs the parameter "${name}"`);
  const parents = syncs.flatMap(({ each }) => (each === undefined ? [] : [entities.find((one) => one.name === each.entity)]));
  if (parent !== undefined && (parents.length === 0 || !parents.every(oneField)))
    error(["parent"], "SPEC019", `${entity.name} is not synced for each record of an entity whose key is one searchable field`);
  if (deleted === undefined) return;
  if (action === undefined) error(["deleted"], "SPEC016", "`deleted` names actions, so `webhooks` needs `action`");
  if (key !== undefined || parent !== undefined || !syncs.some(({ cursor }) => cursor !== undefined))
    error(["deleted"], "SPEC016", `\`deleted\` has no effect, because what is read of ${entity.name} shows what is gone`);
}

/** Ways to find each value of an event, with the place of the value in the spec: one of the ways has to lead to something. */
function* waysOf({
  scopes = {},
  reads = {},
}: WebhookEvent): Generator<readonly [at: readonly string[], paths: readonly string[]]> {
  for (const [kind, given] of Object.entries(scopes)) {
    const paths = [given].flat().flatMap(templatePaths);
    if (paths.length > 0) yield [["scopes", kind], paths];
  }
  for (const [entity, { key, parent, params = {} }] of Object.entries(reads)) {
    if (key !== undefined) yield [["reads", entity, "key"], [key]];
    if (parent !== undefined) yield [["reads", entity, "parent"], [parent]];
    for (const [name, path] of Object.entries(params)) yield [["reads", entity, "params", name], [path]];
  }
}

function checkExamples({ events }: WebhooksSpec, examples: WebhookExamples, error: Report): void {
  for (const [name, event] of Object.entries(events)) {
    const bodies = examples.get(name);
    if (bodies === undefined)
      error(["events", name], "SPEC007", `no example has the event "${name}"`, suggestion(name, [...examples.keys()]));
    else
      for (const [at, paths] of waysOf(event))
        if (!bodies.some((body) => paths.some((path) => valuesAt(body, path).length > 0)))
          error(
            ["events", name, ...at],
            "SPEC007",
            `no example of "${name}" has a value at ${paths.map((path) => `"${path}"`).join(" or ")}`,
          );
  }
}
