import { suggestion } from "../../runtime/base/suggestion.ts";
import { type ActionTraits, actionTraits, nestedOuterPage, type Transition } from "../../runtime/contract/index.ts";
import { keyOf } from "../cache/results.ts";
import type { SourcePosition } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { ActionNameSpec, ActionSpec, EntitySpec, PageSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { documentProblems, documentsOf, nodeCount } from "./documents.ts";
import { buildGraphqlOperation } from "./graphql-operation.ts";
import { pascal } from "./names.ts";
import { operationStart } from "./operation-context.ts";
import { largestRequest, pageOf, paging, sizeParamOf } from "./page.ts";
import { buildParam, valueFits, valueSchema } from "./param.ts";
import { checkParamFields, fieldParams } from "./param-field.ts";
import { recordPlan } from "./record-plan.ts";
import { buildRestOperation } from "./rest-operation.ts";
import type { ActionModel, OperationModel, ParamModel, TypeModel } from "./types.ts";

/** Builds and checks one action of an entity. Undefined when it is too wrong to be used; the diagnostics say why. */
export function buildAction(
  entity: EntitySpec,
  name: ActionNameSpec,
  spec: ActionSpec,
  record: TypeModel,
  source: Source,
  context: BuildContext,
): ActionModel | undefined {
  const { diagnostics } = context;
  const path = ["actions", name];
  const at = (...keys: string[]) => source.at([...path, ...keys]);
  const before = diagnostics.count;
  const params = buildParams(spec, [...path, "params"], source, context);
  const returns = spec.returns === undefined ? record : returnType(spec.returns, at("returns"), context);
  if (returns === undefined) return undefined;
  const traits = traitsOf(name);
  const isList = traits.list;
  const common = { at, diagnostics, params, enumOf: (one: string) => context.enums.get(one) };
  let operation: OperationModel | undefined;
  if (spec.rest !== undefined && spec.graphql === undefined) {
    operation = buildRestOperation(spec, isList, {
      ...common,
      platform: context.platform,
      returns,
      typeOf: (type) => context.types.get(type),
      call: spec.rest,
      reported: context.reportedAnswers,
      fieldAt: (type, field, key) => context.positions.get(type.name)?.(field, key) ?? at("returns"),
    });
  } else if (spec.graphql !== undefined && spec.rest === undefined && context.platform.graphql !== undefined) {
    const operationName = pascal(entity.entity) + pascal(name);
    operation = buildGraphqlOperation(spec, isList, {
      ...common,
      schema: context.platform.graphql,
      operationName,
      wordAt: (start) =>
        start === undefined ? at("graphql") : source.inside([...path, "graphql"], start - operationStart(operationName).length),
      record: returns,
    });
  } else {
    diagnostics.error(
      at(),
      "SPEC016",
      `action "${name}" needs either \`graphql\` or \`rest\``,
      context.platform.graphql === undefined ? "the connector has no GraphQL API, so it must be `rest`" : undefined,
    );
  }
  if (operation === undefined) return undefined;
  checkUse(spec, isList, operation, params, returns, at, context);
  if (operation.kind !== "rest" && diagnostics.count === before) checkDocuments(operation, returns, params, at, context);
  return {
    name,
    traits,
    entity: entity.entity,
    doc: spec.doc,
    params,
    operation,
    returns,
    transitions: transitionsOf(entity, name),
  };
}

/** An action that only a sync calls reads like `list`. */
function traitsOf(name: ActionNameSpec): ActionTraits {
  return actionTraits[name === "sync" ? "list" : name];
}

function buildParams(spec: ActionSpec, path: readonly string[], source: Source, context: BuildContext): ParamModel[] {
  const { diagnostics, names, shared } = context;
  const size = sizeParamOf(pageOf(spec, true));
  const params = Object.entries(spec.params).flatMap(([name, own]) => {
    const at = (key?: string) => source.at(key === undefined ? [...path, name] : [...path, name, key]);
    const param = buildParam(name, shared.param(name, own), at, names, diagnostics);
    if (param === undefined) return [];
    const schema = valueSchema(param, (one) => context.enums.get(one));
    for (const key of ["default", "example"] as const)
      if (param[key] !== undefined && !valueFits(schema, param[key]))
        diagnostics.error(at(key), "SPEC016", `the ${key} of parameter "${name}" is a value that it does not accept`);
    return param;
  });
  // For readers: what must be given first, paging last.
  const rank = ({ name, required }: ParamModel) => (required ? 0 : name === size || name === paging.cursorParam ? 2 : 1);
  return params.sort((a, b) => rank(a) - rank(b));
}

function returnType(name: string, position: SourcePosition, context: BuildContext): TypeModel | undefined {
  context.names.use(name);
  const type = context.types.get(name);
  if (type === undefined)
    context.diagnostics.error(position, "SPEC003", `unknown type "${name}"`, suggestion(name, context.names.all));
  return type;
}

/** Reports parameters that are never used: what a caller says in them would be lost. */
function checkUse(
  spec: ActionSpec,
  isList: boolean,
  operation: OperationModel,
  params: readonly ParamModel[],
  returns: TypeModel,
  at: PositionOf,
  context: BuildContext,
): void {
  const page = pageOf(spec, isList);
  const used = new Set<string>(returns.fields.flatMap(fieldParams));
  if (operation.kind === "rest") for (const name of params.map((one) => one.name)) used.add(name);
  else {
    for (const name of operation.variables) used.add(name);
    for (const plan of Object.values(operation.computed ?? {}))
      for (const name of plan.template.filter((_, index) => index % 2 === 1)) used.add(name);
  }
  checkPage(page, operation, at, context);
  const size = sizeParamOf(page);
  if (isList && page.by !== "single") {
    for (const name of [size, paging.cursorParam]) {
      if (!params.some((one) => one.name === name))
        context.diagnostics.error(at("page"), "SPEC003", `paging needs the parameter "${name}", which the action does not have`);
      used.add(name);
    }
    const largest = params.find((one) => one.name === size)?.range?.[1];
    if (page.max !== undefined && largest !== undefined && largest > page.max)
      context.diagnostics.error(at("page"), "SPEC016", `"${size}" may be ${largest}, but the platform gives at most ${page.max}`);
  }
  for (const param of params)
    if (!used.has(param.name))
      context.diagnostics.error(at("params", param.name), "SPEC005", `parameter "${param.name}" is never used`);
  checkParamFields(returns, params, at, context.diagnostics);
}

/** Reports keys of `page` that have no effect on this kind of page, and an `empty` that the selection does not have. */
function checkPage(page: PageSpec, operation: OperationModel, at: PositionOf, context: BuildContext): void {
  const wrong = (key: string, message: string, hint?: string) =>
    context.diagnostics.error(at("page", key), "SPEC016", message, hint);
  const kindsOf: Readonly<Record<string, readonly string[]>> = {
    empty: ["connection"],
    total: ["connection"],
    cursor: ["connection"],
    max: ["connection"],
    outer: ["nested"],
    inner: ["nested"],
    items: ["link"],
  };
  for (const [key, kinds] of Object.entries(kindsOf))
    if (Object.hasOwn(page, key) && !kinds.includes(page.by)) wrong(key, `\`${key}\` has no effect on a page by "${page.by}"`);
  if (page.empty !== undefined && operation.kind !== "rest" && !operation.path.includes(page.empty))
    wrong("empty", `"${page.empty}" is not a key on the way to the records`, suggestion(page.empty, operation.path));
}

/**
 * Checks the document with default fields and the one with every field: graphql-js must find them valid, and neither may ask for
 * more nodes than the platform gives.
 */
function checkDocuments(
  operation: Exclude<OperationModel, { kind: "rest" }>,
  returns: TypeModel,
  params: readonly ParamModel[],
  at: PositionOf,
  context: BuildContext,
): void {
  const { diagnostics, platform, connector, results } = context;
  if (platform.graphql === undefined) return;
  const plan = recordPlan(returns, (name) => context.types.get(name));
  const texts = documentsOf(operation.document, plan);
  const rest =
    operation.kind === "graphql-list" && operation.nested !== undefined
      ? documentsOf(operation.nested.rest, plan).everything
      : undefined;
  for (const text of rest === undefined ? [texts.defaults, texts.everything] : [texts.defaults, texts.everything, rest]) {
    const key = keyOf("document", platform.key, text);
    const problems = results.find<readonly string[]>(key) ?? results.keep(key, documentProblems(platform.graphql, text));
    for (const message of problems) diagnostics.error(at("graphql"), /deprecated/.test(message) ? "SPEC008" : "SPEC012", message);
  }
  const limits = connector.spec.platform.limits;
  if (limits === undefined) return;
  const largest = largestRequest(operation, params)?.value ?? 1;
  const nested = operation.kind === "graphql-list" && operation.nested !== undefined;
  for (const [text, limit, what] of [
    [texts.defaults, limits.defaultNodes, "default fields"],
    [texts.everything, limits.nodes, "all fields"],
  ] as const) {
    const nodes = nodeCount(text, nested ? { first: nestedOuterPage, size: largest } : { first: largest });
    if (nodes > limit)
      diagnostics.error(
        at("graphql"),
        "SPEC013",
        `with ${what} a page of ${largest} touches ${nodes} nodes, more than ${limit}`,
        "lower `first` of nested lists, or make fields `onRequest: true`",
      );
  }
}

/** Gives the position of a key inside the action. */
type PositionOf = (...keys: string[]) => SourcePosition;

function transitionsOf(entity: EntitySpec, name: ActionNameSpec): Transition[] {
  return (entity.transitions ?? []).filter((row) => row.action === name).map((row) => ({ set: row.set, allow: row.allow ?? {} }));
}
