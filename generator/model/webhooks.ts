import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import type { WebhookCall, WebhookCalls, WebhookPlan, WebhookRead, WebhookScopes } from "../../runtime/contract/index.ts";
import type { Facts, Named } from "../diagnostic/diagnostic.ts";
import type { BuildContext } from "./context.ts";
import type { EntityModel, SyncModel } from "./types.ts";
import { checkExamples, type Report, type WebhookExamples } from "./webhook-examples.ts";

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
  const error: Report = (path, ...rest) => diagnostics.error(source.at(["webhooks", ...path]), ...rest);
  const checkScopes = (scopes: WebhookScopes, at: readonly string[]) => {
    for (const [kind, value] of Object.entries(scopes)) {
      const scope = Object.hasOwn(spec.scopes ?? {}, kind) ? spec.scopes?.[kind] : undefined;
      if (scope === undefined)
        error(
          [...at, kind],
          "SPEC003",
          `unknown scope "${kind}"`,
          suggestion(kind, Object.keys(spec.scopes ?? {})),
          lacksScope(kind),
        );
      else if ((scope.params.length === 0) !== (value === ""))
        error([...at, kind], "SPEC016", `the scope "${kind}" takes ${scope.params.length === 0 ? "no value" : "a value"}`);
    }
  };
  checkScopes(plan.scopes, ["scopes"]);
  for (const [kind, calls] of Object.entries(plan.setup.scopes ?? {})) {
    const scope = Object.hasOwn(spec.scopes ?? {}, kind) ? spec.scopes?.[kind] : undefined;
    const at = ["setup", "scopes", kind];
    if (scope === undefined)
      error(at, "SPEC003", `unknown scope "${kind}"`, suggestion(kind, Object.keys(spec.scopes ?? {})), lacksScope(kind));
    else
      for (const [name, one] of Object.entries(calls))
        checkCall(name as keyof WebhookCalls, one, scope.params, entities, (path, ...rest) =>
          error([...at, name, ...path], ...rest),
        );
  }
  const reads = Object.values(plan.events).flatMap((event) => Object.values(event.reads ?? {}));
  if (plan.action === undefined && reads.some(({ deleted }) => deleted !== undefined))
    error([], "SPEC016", "`deleted` names actions, so `webhooks` needs `action`");
  for (const [name, event] of Object.entries(plan.events)) {
    const at = ["events", name];
    if (event.scopes !== undefined) checkScopes(event.scopes, [...at, "scopes"]);
    if (event.resync !== undefined && plan.action === undefined && !event.resync.includes("*"))
      error([...at, "resync"], "SPEC016", "`resync` names actions, so `webhooks` needs `action`", "`*` stands for every event");
    if (event.resync === undefined && Object.keys(event.reads ?? {}).length === 0)
      error(
        at,
        "SPEC016",
        `nothing is read after the event "${name}", so it has no effect`,
        "`reads` or `resync` says what to read",
      );
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
          { lacks: [{ kind: "entity", name: entity }] },
        );
      else if (syncs.length === 0 && kinds.some((kind) => !Object.hasOwn(spec.scopes ?? {}, kind))) continue;
      else if (syncs.length === 0)
        error(
          [...at, "reads", entity],
          "SPEC019",
          `no scope of the event fills ${entity}`,
          `the event has ${kinds.join(", ")}`,
          lacksScope(kinds.join(", ")),
        );
      else checkRead(read, found, syncs, entities, (path, ...rest) => error([...at, "reads", entity, ...path], ...rest));
    }
  }
  const fills = (entity: string) => entities.find((one) => one.name === entity)?.sync.map(({ scope }) => scope) ?? [];
  if (examples !== undefined) checkExamples(spec.webhooks, examples, fills, error);
  return plan;
}

const lacksParam = (name: string): Facts => ({ lacks: [{ kind: "parameter", name }] });

const lacksScope = (name: string): Facts => ({ lacks: [{ kind: "scope", name }] });

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
    const place = typeof value === "string" ? /^\{([^{}]*)\}$/.exec(value)?.[1] : undefined;
    if (place !== undefined && !callValues[name].includes(place))
      error(["params", param], "SPEC003", `there is no "{${place}}" in \`${name}\``, suggestion(place, callValues[name]));
  }
  const given = [...scope, ...Object.keys(params)];
  for (const one of scope) if (!taken.includes(one)) error(["call"], "SPEC019", `${call} takes no "${one}" of the scope`);
  const strays = Object.keys(params).filter((param) => !taken.includes(param));
  for (const { name: param, required } of action.params)
    if (required && !given.includes(param) && nearest(param, strays) === undefined)
      error(["call"], "SPEC019", `${call} needs the parameter "${param}"`, undefined, lacksParam(param));
  const known = action.returns.fields.map((field) => field.name);
  for (const [member, field] of Object.entries({ ...(name === "add" ? { call: "id" } : {}), ...fields }))
    if (!known.includes(field)) error([member], "SPEC003", `the records of ${call} have no "${field}"`, suggestion(field, known));
}

function checkRead(
  { key, params = {}, parent, deleted }: WebhookRead,
  entity: EntityModel,
  syncs: readonly SyncModel[],
  entities: readonly EntityModel[],
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
    if (!needed.includes(name))
      error(["params", name], "SPEC003", `reading ${entity.name} by key takes no "${name}"`, suggestion(name, needed));
  const strays = Object.keys(params).filter((name) => !needed.includes(name));
  for (const name of needed)
    if (!Object.hasOwn(params, name) && nearest(name, strays) === undefined)
      error([], "SPEC019", `reading ${entity.name} by key needs the parameter "${name}"`, undefined, lacksParam(name));
  const parents = syncs.flatMap(({ each }) => (each === undefined ? [] : [entities.find((one) => one.name === each.entity)]));
  if (parent !== undefined && (parents.length === 0 || !parents.every(oneField)))
    error(
      ["parent"],
      "SPEC019",
      `${entity.name} is not synced for each record of an entity whose key is one searchable field`,
      undefined,
      {
        lacks: syncs.flatMap(({ each }): Named[] =>
          each === undefined ? [] : [{ kind: "field", name: `key of ${each.entity}` }],
        ),
      },
    );
  if (deleted === undefined) return;
  if (key !== undefined || parent !== undefined || !syncs.some(({ cursor }) => cursor !== undefined))
    error(["deleted"], "SPEC016", `\`deleted\` has no effect, because what is read of ${entity.name} shows what is gone`);
}
