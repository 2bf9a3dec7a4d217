import { suggestion } from "../../runtime/base/suggestion.ts";
import type { CompatPlan, ScopePlan } from "../../runtime/contract/index.ts";
import type { Results } from "../cache/results.ts";
import type { Diagnostics } from "../diagnostic/diagnostic.ts";
import type { LoadedConnector } from "../load/load.ts";
import type { CompatSpec, RequestSpec } from "../load/spec.ts";
import { authSpecs } from "./auth-kinds.ts";
import { changeCheckOf } from "./change-check.ts";
import type { BuildContext } from "./context.ts";
import { declareNames } from "./declarations.ts";
import { buildEntity } from "./entity.ts";
import { checkFailurePlaces } from "./failure-places.ts";
import { valueFits, valueSchema } from "./param.ts";
import type { PlatformDescription } from "./platform-description.ts";
import { platformPlan } from "./platform-plan.ts";
import { buildTypes } from "./record-types.ts";
import { withRelations } from "./relations.ts";
import { Shared } from "./shared.ts";
import { addSync } from "./sync.ts";
import { Names } from "./type-reference.ts";
import type { ActionModel, ConnectorModel, EntityModel, EnumModel, TypeModel } from "./types.ts";
import type { WebhookExamples } from "./webhook-examples.ts";
import { webhooksOf } from "./webhooks.ts";

/**
 * Resolves a loaded spec, fills in defaults and checks it.
 *
 * @param results Results of earlier checks of GraphQL documents; this adds its own.
 * @param examples Deliveries of the platform's webhooks, where the spec names some.
 * @returns A model that may be used only when no diagnostic was reported.
 */
export function buildModel(
  connector: LoadedConnector,
  platform: PlatformDescription,
  diagnostics: Diagnostics,
  results: Results,
  examples?: WebhookExamples,
): ConnectorModel {
  const { spec, source } = connector;
  const names = new Names();
  const enums = new Map<string, EnumModel>();
  const types = new Map<string, TypeModel>();
  const onByType = new Map<string, string | undefined>();
  const context: BuildContext = {
    connector,
    platform,
    diagnostics,
    results,
    names,
    shared: new Shared(connector, diagnostics),
    enums,
    types,
    positions: new Map(),
    reportedAnswers: new Set(),
    fields: {
      names,
      platform,
      diagnostics,
      enumOf: (name) => enums.get(name),
      typeOf: (name) => types.get(name),
      onOf: (name) => onByType.get(name),
      scalars: platform.scalars,
    },
  };
  declareNames(context, onByType);
  const sharedTypes = buildTypes(spec.types ?? {}, source, undefined, context);
  const entities: EntityModel[] = [];
  for (const one of connector.entities.filter((entity) => entity.spec.like === undefined))
    collect(entities, buildEntity(one, entities, context));
  for (const one of connector.entities.filter((entity) => entity.spec.like !== undefined))
    collect(entities, buildEntity(one, entities, context));
  entities.sort((a, b) => (a.name < b.name ? -1 : 1));
  const synced = withRelations(addSync(entities, context), context);
  if (connector.complete) {
    checkRequest("the example", ["example"], spec.example, entities, context);
    if (spec.compat?.check !== undefined)
      checkRequest("the check", ["compat", "check", "runs"], spec.compat.check.runs, entities, context);
    names.reportUnused(diagnostics);
    context.shared.reportUnused();
    checkFailurePlaces(connector, platform, diagnostics);
  }
  return {
    name: spec.connector,
    title: spec.title,
    doc: spec.doc,
    file: source.path,
    example: spec.example,
    auth: authSpecs(spec.platform).map(({ kind, doc, env }) => ({
      kind,
      doc,
      env: Object.values(typeof env === "string" ? { env } : env),
    })),
    platform: platformPlan(connector, platform, diagnostics),
    compat: compatPlan(spec.compat),
    errors: { graphql: spec.errors?.graphql ?? {}, rest: spec.errors?.rest ?? {} },
    scopes: scopePlans(context),
    webhooks: webhooksOf(synced, context, examples),
    enums: Object.keys(spec.enums ?? {}).flatMap((name) => enums.get(name) ?? []),
    types: sharedTypes,
    entities: synced,
  };
}

function scopePlans(context: BuildContext): Record<string, ScopePlan> {
  const { scopes } = context.connector.spec;
  const plans = Object.entries(scopes ?? {}).map(([name, { params, doc, example, ignoreCase }]) => {
    const changeCheck = changeCheckOf(name, context);
    return [
      name,
      {
        params,
        doc,
        ...(example === undefined ? {} : { example }),
        ...(ignoreCase === undefined ? {} : { ignoreCase }),
        ...(changeCheck === undefined ? {} : { changeCheck }),
      },
    ] as const;
  });
  return Object.fromEntries(plans);
}

function collect<Item>(list: Item[], item: Item | undefined): void {
  if (item !== undefined) list.push(item);
}

function compatPlan(compat: CompatSpec | undefined): CompatPlan | undefined {
  if (compat === undefined) return undefined;
  const { definition_id: definitionId, check } = compat;
  return { definitionId, ...(check === undefined ? {} : { check }) };
}

/** Checks that the action of a request exists, and takes its parameters. */
function checkRequest(
  what: string,
  at: readonly string[],
  { entity, action, params }: RequestSpec,
  entities: readonly EntityModel[],
  context: BuildContext,
): void {
  const { connector, diagnostics } = context;
  const { source } = connector;
  const found = entities.find((one) => one.name === entity)?.actions.find((one) => one.name === action);
  // An action that is written but wrong has diagnostics of its own.
  const written = connector.entities.find((one) => one.spec.entity === entity)?.spec.actions ?? {};
  if (found === undefined && (!Object.hasOwn(written, action) || action === "sync"))
    diagnostics.error(source.at(at), "SPEC003", `${what} calls ${entity}.${action}, which does not exist`, undefined, {
      lacks: [
        Object.keys(written).length === 0 ? { kind: "entity", name: entity } : { kind: "action", name: `${entity}.${action}` },
      ],
    });
  const fields = found?.returns.fields.map((one) => one.name) ?? [];
  for (const [index, path] of (Array.isArray(params["fields"]) ? (params["fields"] as unknown[]) : []).entries()) {
    const name = typeof path === "string" ? path.split(".", 1)[0] : undefined;
    if (found !== undefined && name !== undefined && !fields.includes(name))
      diagnostics.error(
        source.at([...at, "params", "fields", index]),
        "SPEC003",
        `${found.returns.name} has no field "${name}"`,
        suggestion(name, fields),
        { lacks: [{ kind: "field", name }] },
      );
  }
  const allowed = ["fields", ...(found?.params ?? []).map((param) => param.name)];
  for (const name of Object.keys(params))
    if (found !== undefined && !allowed.includes(name) && !Object.hasOwn(written[action]?.params ?? {}, name))
      diagnostics.error(
        source.at([...at, "params", name]),
        "SPEC003",
        `${entity}.${action} has no parameter "${name}"`,
        suggestion(name, allowed),
        { lacks: [{ kind: "parameter", name, of: entity }] },
      );
  // A value may not fit because of another fault.
  if (diagnostics.count === 0) checkValues(what, at, params, found, context);
}

/** Checks that a request gives every parameter that its action needs, and only values that the action accepts. */
function checkValues(
  what: string,
  at: readonly string[],
  params: RequestSpec["params"],
  action: ActionModel | undefined,
  { connector, diagnostics, enums }: BuildContext,
): void {
  const wrong = (name: string, message: string) =>
    diagnostics.error(connector.source.at([...at, "params", name]), "SPEC016", `${what} ${message}`);
  for (const param of action?.params ?? []) {
    const value = Object.hasOwn(params, param.name) ? params[param.name] : undefined;
    if (value === undefined) {
      if (param.required) wrong(param.name, `lacks the parameter "${param.name}", which the action requires`);
    } else if (
      !valueFits(
        valueSchema(param, (name) => enums.get(name)),
        value,
      )
    )
      wrong(param.name, `gives the parameter "${param.name}" a value that it does not accept`);
  }
  const fields = params["fields"];
  if (fields !== undefined && !(Array.isArray(fields) && fields.length > 0 && fields.every((one) => typeof one === "string")))
    wrong("fields", "needs a list of names in `fields`");
  else if (Array.isArray(fields) && new Set(fields).size < fields.length) wrong("fields", "has the same name twice in `fields`");
}
