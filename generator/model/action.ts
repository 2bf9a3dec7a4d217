import { nearest } from "../../runtime/base/nearest.ts";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { type ActionTraits, actionTraits, sentParam, type Transition } from "../../runtime/contract/index.ts";
import { anyName, type Diagnostics, type Facts, type Named, paramType, type SourcePosition } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { ActionSpec, EntitySpec, ParamSpec } from "../load/spec.ts";
import { checkDocuments } from "./action-documents.ts";
import { checkMethod, traitsOf } from "./action-traits.ts";
import { checkUse } from "./action-use.ts";
import type { BuildContext } from "./context.ts";
import { lacksOn } from "./field-type.ts";
import { buildGraphqlOperation } from "./graphql-operation.ts";
import { pascal } from "./names.ts";
import { operationStart, type PositionOf } from "./operation-context.ts";
import { pageOf, paging, sizeParamOf } from "./page.ts";
import { buildParam, valueFits, valueSchema } from "./param.ts";
import { checkParamFields } from "./param-field.ts";
import { buildRestOperation } from "./rest-operation.ts";
import { enumValuesOf } from "./type-reference.ts";
import type { ActionModel, OperationModel, ParamModel, TypeModel } from "./types.ts";

/** Builds and checks one action of an entity. Undefined when it is too wrong to be used; the diagnostics say why. */
export function buildAction(
  entity: EntitySpec,
  name: string,
  spec: ActionSpec,
  record: TypeModel,
  source: Source,
  context: BuildContext,
): ActionModel | undefined {
  const { diagnostics } = context;
  const path = ["actions", name];
  const at = positionsIn(spec, path, source, context);
  const before = diagnostics.count;
  if (!hasApi(spec, at, context)) return undefined;
  const params = buildParams(spec, at, context);
  const returns = spec.returns === undefined ? record : returnType(spec.returns, at("returns"), context);
  if (returns === undefined) return undefined;
  const traits = traitsOf(name, spec, at, diagnostics);
  if (traits === undefined) return undefined;
  const isList = traits.list;
  if (!isList && spec.page !== undefined) {
    const lists = Object.entries(actionTraits).flatMap(([usual, { list }]) => (list ? usual : []));
    const meant = nearest(name, lists);
    const [hint, facts]: [string?, Facts?] =
      meant === undefined ? [] : [`did you mean "${meant}"?`, { loses: [{ kind: "action", name: anyName }] }];
    diagnostics.error(at("page"), "SPEC016", `\`page\` has no effect, because "${name}" returns one record`, hint, facts);
    return undefined;
  }
  if (spec.rest !== undefined && spec.variables !== undefined)
    diagnostics.error(
      at("variables"),
      "SPEC016",
      "`variables` has no effect on a REST call",
      "`name` of a parameter says how it is sent",
    );
  if (!checkMethod(name, spec, traits, at, diagnostics)) return undefined;
  const bound = diagnostics.reported;
  const operation = buildOperation(entity, name, spec, { traits, params, returns, at, source }, context);
  if (operation === undefined) return undefined;
  checkUse(spec, isList, operation, params, returns, at, context);
  const isBound = diagnostics.reported === bound;
  const fieldAt = (field: string) => context.positions.get(returns.name)?.(field, "param") ?? at("returns");
  const written = Object.keys(spec.params);
  checkParamFields(returns, params, { entity: entity.entity, written, isBound }, at, fieldAt, diagnostics);
  if (operation.kind !== "rest" && diagnostics.count === before) checkDocuments(operation, returns, params, at, context);
  return {
    name,
    traits,
    entity: entity.entity,
    doc: spec.doc,
    addition: spec.addition === true || entity.addition === true,
    params,
    operation,
    returns,
    changes: traits.updates ? changesOf(operation, params) : [],
    transitions: transitionsOf(entity, name),
  };
}

/** Whether the connector has the API that an action is bound to. That it has none is reported once, for the first action. */
function hasApi(spec: ActionSpec, at: PositionOf, { connector, diagnostics }: BuildContext): boolean {
  const { platform } = connector.spec;
  for (const [api, title] of [
    ["rest", "REST"],
    ["graphql", "GraphQL"],
  ] as const) {
    if (spec[api] === undefined || platform[api] !== undefined) continue;
    const message = `the connector has no ${title} API, which its actions call`;
    if (!diagnostics.has("SPEC016", message.slice(0, message.indexOf("which"))))
      diagnostics.error(at(api), "SPEC016", message, `\`platform.${api}\` describes it`);
    return false;
  }
  return true;
}

interface ActionParts {
  readonly traits: ActionTraits;
  readonly params: readonly ParamModel[];
  readonly returns: TypeModel;
  readonly at: PositionOf;
  readonly source: Source;
}

/** Binds the action to its API. Undefined when that is not possible; the diagnostics say why. */
function buildOperation(
  entity: EntitySpec,
  name: string,
  spec: ActionSpec,
  { traits, params, returns, at, source }: ActionParts,
  context: BuildContext,
): OperationModel | undefined {
  const { diagnostics, platform } = context;
  const wrong = wrongParams(spec, params, context);
  const common = { at, diagnostics, params, wrong, enumOf: (one: string) => context.enums.get(one) };
  if (spec.rest !== undefined && spec.graphql === undefined)
    return buildRestOperation(spec, traits.list, {
      ...common,
      platform,
      returns,
      typeOf: (type) => context.types.get(type),
      call: spec.rest,
      limits: Object.keys(context.connector.spec.platform.rateLimit?.calls ?? {}),
      reported: context.reportedAnswers,
      fieldAt: (type, field, key) => context.positions.get(type.name)?.(field, key) ?? at("returns"),
    });
  if (spec.graphql !== undefined && spec.rest === undefined && platform.graphql !== undefined) {
    if (returns.on === undefined) {
      diagnostics.error(context.names.positionOf(returns.name) ?? at("returns"), "SPEC016", lacksOn(returns.name));
      return undefined;
    }
    const operationName = pascal(entity.entity) + pascal(name);
    const start = operationStart(operationName, traits.writes).length;
    checkRestOnly(spec, at, diagnostics);
    for (const { name: param, members, as } of params)
      if (members !== undefined)
        diagnostics.error(at("params", param), "SPEC016", "`members` has no effect on a GraphQL action", "`name` may be a path");
      else if (as !== undefined) diagnostics.error(at("params", param), "SPEC016", "`as` has no effect on a GraphQL action");
    return buildGraphqlOperation(spec, traits, {
      ...common,
      schema: platform.graphql,
      checks: context,
      scalars: platform.scalars,
      writes: traits.writes,
      operationName,
      wordAt: (place) => (place === undefined ? at("graphql") : source.inside(["actions", name, "graphql"], place - start)),
      record: returns,
    });
  }
  diagnostics.error(
    at(),
    "SPEC016",
    `action "${name}" needs either \`graphql\` or \`rest\``,
    platform.graphql === undefined ? "the connector has no GraphQL API, so it must be `rest`" : undefined,
    { loses: [{ kind: "call", name: anyName }] },
  );
  return undefined;
}

/** What the parameters are sent as that are too wrong to be used. */
function wrongParams(spec: ActionSpec, params: readonly ParamModel[], { shared }: BuildContext): string[] {
  return Object.entries(spec.params).flatMap(([name, own]) =>
    params.some((one) => one.name === name) ? [] : (shared.param(name, own).name ?? name),
  );
}

/** The parameters that an update sends and that may be left out: those that must be given say which record is meant. */
function changesOf(operation: OperationModel, params: readonly ParamModel[]): string[] {
  const inputs =
    operation.kind === "rest"
      ? operation.body
      : Object.values(operation.computed ?? {}).flatMap((plan) => ("input" in plan ? plan.input : []));
  const sent = inputs.length > 0 || operation.kind === "rest" ? inputs.map((one) => sentParam(one).param) : operation.variables;
  return sent.filter((name) => params.find((one) => one.name === name)?.required !== true);
}

/** Reports keys that only a REST call has. */
function checkRestOnly(spec: ActionSpec, at: PositionOf, diagnostics: Diagnostics): void {
  for (const key of ["body", "answer", "fixed", "poll", "redirect"] as const)
    if (spec[key] !== undefined)
      diagnostics.error(
        at(key),
        "SPEC016",
        `\`${key}\` has no effect on a GraphQL action`,
        "the selection says where everything is",
      );
}

/** Gives the position of a key inside an action. What a parameter has from its shared entry is written there. */
function positionsIn(spec: ActionSpec, path: readonly string[], source: Source, { shared }: BuildContext): PositionOf {
  return (...keys) => {
    const [first, name = "", ...rest] = keys;
    const own = first === "params" ? spec.params[name] : undefined;
    const position = source.at([...path, ...keys]);
    if (own === undefined) return position;
    return shared.at("params", name, own, rest) ?? shared.use("params", name, own, position, rest[0]);
  };
}

function buildParams(spec: ActionSpec, position: PositionOf, context: BuildContext): ParamModel[] {
  const { diagnostics, names, shared } = context;
  const size = sizeParamOf(pageOf(spec, true));
  const params = Object.entries(spec.params).flatMap(([name, own]) => {
    const at = (...keys: string[]) => position("params", name, ...keys);
    const before = diagnostics.reported;
    const resolve = (key: string, one: ParamSpec | null) => shared.param(key, one);
    const param = buildParam(name, shared.param(name, own), at, names, diagnostics, resolve);
    if (param === undefined) return [];
    // With a wrong bound or member, a value that fits would not fit either.
    if (diagnostics.reported > before) return param;
    const schema = valueSchema(param, (one) => context.enums.get(one));
    for (const key of ["default", "example"] as const)
      if (param[key] !== undefined && !valueFits(schema, param[key]))
        diagnostics.error(at(key), "SPEC016", `the ${key} of parameter "${name}" is a value that it does not accept`, undefined, {
          lacks: [{ kind: "value", name }, paramType(name), ...enumValue(param, param[key])],
        });
    return param;
  });
  // For readers: what must be given first, paging last.
  const rank = ({ name, required }: ParamModel) => (required ? 0 : name === size || name === paging.cursorParam ? 2 : 1);
  return params.sort((a, b) => rank(a) - rank(b));
}

/** A text that an enum does not have. */
const enumValue = ({ type }: ParamModel, value: unknown): readonly Named[] =>
  type.kind === "enum" && typeof value === "string" ? enumValuesOf(type.name, [value]) : [];

/** The type that an action returns. Reports a name that this entity has no type of. */
export function returnType(name: string, position: SourcePosition, context: BuildContext): TypeModel | undefined {
  context.names.use(name);
  const type = context.types.get(name);
  if (type === undefined && context.names.all.includes(name))
    context.diagnostics.error(
      position,
      "SPEC003",
      `type "${name}" belongs to another entity`,
      "`types` of connector.yaml has what several entities share",
    );
  else if (type === undefined)
    context.diagnostics.error(position, "SPEC003", `unknown type "${name}"`, suggestion(name, context.names.all), {
      lacks: [{ kind: "type", name }],
      bare: true,
    });
  return type;
}

function transitionsOf(entity: EntitySpec, name: string): Transition[] {
  return (entity.transitions ?? []).filter((row) => row.action === name).map((row) => ({ set: row.set, allow: row.allow ?? {} }));
}
