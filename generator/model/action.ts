import { suggestion } from "../../runtime/base/suggestion.ts";
import { nearest } from "../../runtime/base/text.ts";
import {
  type ActionTraits,
  actionTraits,
  type CommonAction,
  nestedOuterPage,
  sentParam,
  storeAction,
  type Transition,
  variableParams,
} from "../../runtime/contract/index.ts";
import { keyOf } from "../cache/results.ts";
import type { Diagnostics, SourcePosition } from "../diagnostic/diagnostic.ts";
import type { Source } from "../load/source.ts";
import type { ActionSpec, EntitySpec, PageSpec } from "../load/spec.ts";
import type { BuildContext } from "./context.ts";
import { documentProblems, documentsOf, nodeCount } from "./documents.ts";
import { buildGraphqlOperation } from "./graphql-operation.ts";
import { pascal } from "./names.ts";
import { operationStart } from "./operation-context.ts";
import { isBare, largestRequest, pageOf, paging, sizeParamOf } from "./page.ts";
import { buildParam, valueFits, valueSchema } from "./param.ts";
import { checkParamFields, fieldParams } from "./param-field.ts";
import { recordPlan } from "./record-plan.ts";
import { buildRestOperation } from "./rest-operation.ts";
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
  const at = (...keys: string[]) => source.at([...path, ...keys]);
  const before = diagnostics.count;
  const params = buildParams(spec, [...path, "params"], source, context);
  const returns = spec.returns === undefined ? record : returnType(spec.returns, at("returns"), context);
  if (returns === undefined) return undefined;
  const traits = traitsOf(name, spec, at, diagnostics);
  if (traits === undefined) return undefined;
  const isList = traits.list;
  if (!checkMethod(name, spec, traits, at, diagnostics)) return undefined;
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
    checkRestOnly(spec, at, diagnostics);
    operation = buildGraphqlOperation(spec, traits, {
      ...common,
      schema: context.platform.graphql,
      scalars: context.platform.scalars,
      writes: traits.writes,
      operationName,
      wordAt: (start) =>
        start === undefined
          ? at("graphql")
          : source.inside([...path, "graphql"], start - operationStart(operationName, traits.writes).length),
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
    changes: traits.updates ? changesOf(operation, params) : [],
    transitions: transitionsOf(entity, name),
  };
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

/** What an action does: by its name, by what the spec says of it, or both. An action that only a sync calls reads like `list`. */
function traitsOf(name: string, spec: ActionSpec, at: PositionOf, diagnostics: Diagnostics): ActionTraits | undefined {
  const { effect, list } = spec;
  const known = name === "sync" ? "list" : name;
  if (!isCommon(known)) {
    if (name === storeAction) {
      diagnostics.error(at(), "SPEC010", `every entity has an action "${storeAction}"`);
      return undefined;
    }
    if (effect === undefined) {
      const message = `"${name}" is not one of the usual actions, so it needs \`effect\`: what it does`;
      diagnostics.error(at(), "SPEC016", message, suggestion(name, [...Object.keys(actionTraits), "sync"]));
      return undefined;
    }
    return { writes: effect !== "none", list: list ?? false, updates: false, idempotent: effect !== "once" };
  }
  const usual = actionTraits[known];
  if (list !== undefined)
    diagnostics.error(
      at("list"),
      "SPEC016",
      `the name of "${name}" says already ${usual.list ? "that it answers a list" : "that it answers one record"}`,
    );
  if (effect === undefined) return usual;
  if ((effect !== "none") !== usual.writes) {
    const does = usual.writes ? "writes" : "only reads";
    diagnostics.error(
      at("effect"),
      "SPEC016",
      `"${name}" always ${does}`,
      "choose another name for an action that does something else",
    );
  }
  return { ...usual, idempotent: usual.writes ? effect === "idempotent" : true };
}

function isCommon(name: string): name is CommonAction {
  return Object.hasOwn(actionTraits, name);
}

/** Methods that a write of a usual name may have: a call that removes must not hide behind another name. */
const methodsOf: Readonly<Record<string, readonly string[]>> = { create: ["POST", "PUT"], update: ["PATCH", "PUT", "POST"] };

/** Whether the method of a REST call fits what the action is said to do. Where it does not, nothing else about the call says anything. */
function checkMethod(name: string, spec: ActionSpec, traits: ActionTraits, at: PositionOf, diagnostics: Diagnostics): boolean {
  const [method] = spec.rest?.split(" ") ?? [];
  if (method === undefined) return true;
  const wrong = (key: string, message: string, hint?: string) => {
    diagnostics.error(at(key), "SPEC016", message, hint);
    return false;
  };
  const allowed = Object.hasOwn(methodsOf, name) ? methodsOf[name] : undefined;
  if (allowed !== undefined && !allowed.includes(method)) {
    const hint = `allowed: ${allowed.join(", ")}; other actions have other names, such as \`delete\``;
    return wrong("rest", `"${name}" cannot be bound to ${method}`, hint);
  }
  if (traits.writes && method === "GET") return wrong("rest", `"${name}" writes, but GET only reads`);
  if (traits.writes || method === "GET") return true;
  if (method !== "POST") return wrong("effect" in spec ? "effect" : "rest", `"${name}" only reads, but ${method} writes`);
  const hint = "`effect: none` says that this call only reads";
  return spec.effect === undefined ? wrong("rest", `"${name}" only reads, but POST may write`, hint) : true;
}

/** Reports keys that only a REST call has. */
function checkRestOnly(spec: ActionSpec, at: PositionOf, diagnostics: Diagnostics): void {
  for (const key of ["body", "answer"] as const)
    if (spec[key] !== undefined)
      diagnostics.error(
        at(key),
        "SPEC016",
        `\`${key}\` has no effect on a GraphQL action`,
        "the selection says where everything is",
      );
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
  // What a REST call does not take has been reported where the call is bound.
  const bare = isBare(spec, isList) ? [sizeParamOf(page), paging.cursorParam] : [];
  if (operation.kind === "rest") {
    for (const { name } of params) if (!bare.includes(name)) used.add(name);
  } else {
    for (const name of operation.variables) used.add(name);
    for (const plan of Object.values(operation.computed ?? {})) for (const name of variableParams(plan)) used.add(name);
  }
  checkPage(page, operation, at, context);
  const size = sizeParamOf(page);
  if (isList && page.by !== "single") {
    for (const name of [size, paging.cursorParam]) {
      if (!params.some((one) => one.name === name))
        context.diagnostics.error(
          at("page"),
          "SPEC003",
          `paging needs the parameter "${name}", which the action does not have`,
          nearHint(
            name,
            params.map((one) => one.name),
          ),
        );
      used.add(name);
    }
    const largest = params.find((one) => one.name === size)?.range?.[1];
    if (page.max !== undefined && largest !== undefined && largest > page.max)
      context.diagnostics.error(at("page"), "SPEC016", `"${size}" may be ${largest}, but the platform gives at most ${page.max}`);
  }
  const forPages: readonly string[] = [size, paging.cursorParam];
  if (operation.kind !== "rest" && !["connection", "nested", "single"].includes(page.by))
    context.diagnostics.error(
      at("page"),
      "SPEC016",
      `a page by "${page.by}" is one of REST, but the action is bound to GraphQL`,
      "allowed: connection, nested, single",
    );
  for (const param of params)
    if (!used.has(param.name) && isBare(spec, isList) && forPages.includes(param.name))
      context.diagnostics.error(
        at("params", param.name),
        "SPEC005",
        `parameter "${param.name}" is for pages, but the action has no \`page\``,
        `\`page\` says how the platform divides the list: ${operation.kind === "rest" ? "link, address, cursor, offset or number" : "connection"}`,
      );
    else if (!used.has(param.name))
      context.diagnostics.error(at("params", param.name), "SPEC005", `parameter "${param.name}" is never used`);
  checkParamFields(returns, params, at, context.diagnostics);
}

/** Names the parameter that is spelled most like a missing one. */
function nearHint(name: string, names: readonly string[]): string | undefined {
  const near = nearest(name, names);
  return near === undefined ? undefined : `"${near}" is spelled almost like it`;
}

/** Reports keys of `page` that have no effect on this kind of page, and an `empty` that the selection does not have. */
function checkPage(page: PageSpec, operation: OperationModel, at: PositionOf, context: BuildContext): void {
  const wrong = (key: string, message: string, hint?: string) =>
    context.diagnostics.error(at("page", key), "SPEC016", message, hint);
  const kindsOf: Readonly<Record<string, readonly string[]>> = {
    size: ["connection", "nested", "link", "address", "cursor", "offset", "number"],
    empty: ["connection"],
    total: ["connection", "offset", "number"],
    cursor: ["connection"],
    max: ["connection", "link", "address", "cursor", "offset", "number"],
    outer: ["nested"],
    inner: ["nested"],
    param: ["cursor", "offset", "number"],
    next: ["address", "cursor"],
    more: ["cursor", "offset", "number"],
    pages: ["number"],
    end: ["offset", "number"],
    from: ["number"],
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

function transitionsOf(entity: EntitySpec, name: string): Transition[] {
  return (entity.transitions ?? []).filter((row) => row.action === name).map((row) => ({ set: row.set, allow: row.allow ?? {} }));
}
