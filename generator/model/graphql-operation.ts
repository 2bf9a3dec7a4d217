import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isNonNullType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  type SelectionNode,
  stripIgnoredCharacters,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { reservedVariables, type VariablePlan } from "../../runtime/contract/index.ts";
import type { Diagnostics, Position } from "../diagnostic.ts";
import type { ActionSpec, PageSpec } from "../load/spec.ts";
import type { OperationModel, ParamModel, TypeModel } from "./types.ts";

export interface OperationContext {
  readonly schema: GraphQLSchema;
  readonly at: (...keys: string[]) => Position;
  readonly diagnostics: Diagnostics;
  /** Name of the operation in the document: `IssuesList`. */
  readonly operationName: string;
  readonly params: readonly ParamModel[];
  readonly record: TypeModel;
}

/** Page of a list that its size parameter does not bound above this: one request asks for no more. */
const largestPage = 100;

/** Adds variables, paging and the check of types to the selection that the author wrote. */
export function buildGraphqlOperation(spec: ActionSpec, isList: boolean, context: OperationContext): OperationModel | undefined {
  const { at, diagnostics, operationName } = context;
  const page = pageOf(spec, isList);
  let document: DocumentNode;
  try {
    document = parse(`query ${operationName} {${spec.graphql ?? ""}}`, { noLocation: false, maxTokens: 2000 });
  } catch (thrown) {
    diagnostics.error(at("graphql"), "SPEC011", thrown instanceof GraphQLError ? thrown.message : String(thrown));
    return undefined;
  }
  const computed = computedVariables(spec, context);
  const place = findRecord(document, context);
  if (place === undefined) return undefined;
  const connection = isList && page.by !== "single" ? place.path.slice(0, -1) : place.path;
  const paged = isList && page.by !== "single" ? addPaging(document, connection, page, context) : document;
  const full = addTypename(paged, place);
  const nested = page.by === "nested" ? nestPaging(full, page, context) : undefined;
  const declared = declareVariables(nested?.document ?? full, computed, context);
  if (declared === undefined) return undefined;
  const common = {
    document: stripIgnoredCharacters(print(declared.document)),
    variables: declared.plain,
    ...(Object.keys(computed).length === 0 ? {} : { computed }),
    ...(isAbstractType(place.type) ? { narrow: true as const } : {}),
  };
  if (!isList) return { kind: "graphql-get", ...common, path: place.path };
  if (page.by === "single") return { kind: "graphql-list", ...common, path: place.path };
  const items = place.path.at(-1) === "edges" ? "edges" : "nodes";
  return {
    kind: "graphql-list",
    ...common,
    path: nested?.path ?? connection,
    items,
    size: page.size ?? "per_page",
    pageLimit: largestPage,
    ...(page.total === undefined ? {} : { total: page.total }),
    ...(page.cursor === undefined ? {} : { cursorAlways: true as const }),
    ...(page.empty === undefined ? {} : { empty: page.empty }),
    ...(nested === undefined ? {} : { nested: { inner: nested.inner, rest: nested.rest } }),
  };
}

export function pageOf(spec: ActionSpec, isList: boolean): PageSpec {
  if (spec.page === undefined) return { by: isList ? "single" : "connection" };
  return typeof spec.page === "string" ? { by: spec.page } : spec.page;
}

interface Place {
  /** Response keys from the root to the field that spreads the record. */
  readonly path: readonly string[];
  readonly type: ReturnType<typeof getNamedType>;
}

/** Where `...record` stands. It may stand in several fragments, but always at the end of the same path. */
function findRecord(document: DocumentNode, context: OperationContext): Place | undefined {
  const { schema, at, diagnostics } = context;
  const info = new TypeInfo(schema);
  const keys: string[] = [];
  const found: Place[] = [];
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: { enter: (node) => void keys.push(node.alias?.value ?? node.name.value), leave: () => void keys.pop() },
      FragmentSpread: (node) => {
        const type = info.getParentType();
        if (node.name.value !== "record")
          diagnostics.error(at("graphql"), "SPEC003", `unknown fragment "${node.name.value}"`, 'the only one is "...record"');
        else if (type) found.push({ path: [...keys], type });
      },
    }),
  );
  const [first] = found;
  if (first === undefined) {
    diagnostics.error(
      at("graphql"),
      "SPEC012",
      "nothing selects the record: `...record` is missing, or stands at a path that the platform does not have",
    );
    return undefined;
  }
  if (found.some((place) => place.path.join() !== first.path.join())) {
    diagnostics.error(
      at("graphql"),
      "SPEC012",
      "`...record` stands at the end of different paths",
      "the same keys must lead to it in every fragment",
    );
    return undefined;
  }
  return first;
}

const variable = (name: string) => ({ kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } }) as const;
const argument = (name: string, value: string): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: name },
  value: variable(value),
});
const selection = (text: string): readonly SelectionNode[] => {
  const [operation] = parse(`{${text}}`, { noLocation: true }).definitions;
  return operation?.kind === Kind.OPERATION_DEFINITION ? operation.selectionSet.selections : [];
};

/** The connection takes `first` and `after`, and tells `pageInfo` and the total. */
function addPaging(document: DocumentNode, path: readonly string[], page: PageSpec, context: OperationContext): DocumentNode {
  const info = `pageInfo{hasNextPage endCursor}${page.total === undefined ? "" : ` ${page.total}`}`;
  const target = page.by === "nested" ? page.outer : path.at(-1);
  let done = false;
  const keys: string[] = [];
  const result = visit(document, {
    Field: {
      enter: (node) => void keys.push(node.alias?.value ?? node.name.value),
      leave: (node) => {
        const key = keys.pop();
        const right = page.by === "nested" ? node.name.value === target : [...keys, key].join() === path.join();
        if (!right || key !== target) return undefined;
        done = true;
        return paged(node, info);
      },
    },
  });
  if (!done) context.diagnostics.error(context.at("page"), "SPEC003", `there is no connection "${target}" around \`...record\``);
  return result;
}

function paged(node: FieldNode, info: string): FieldNode {
  return {
    ...node,
    arguments: [...(node.arguments ?? []), argument("first", "first"), argument("after", "after")],
    ...(node.selectionSet === undefined
      ? {}
      : { selectionSet: { ...node.selectionSet, selections: [...node.selectionSet.selections, ...selection(info)] } }),
  };
}

/** Where the place holds an abstract type, the type's name tells whether it is this entity's. */
function addTypename(document: DocumentNode, place: Place): DocumentNode {
  if (!isAbstractType(place.type)) return document;
  return visit(document, {
    SelectionSet: (node) => {
      const holdsRecord = node.selections.some((one) => one.kind === Kind.FRAGMENT_SPREAD && one.name.value === "record");
      return holdsRecord ? { ...node, selections: [...selection("__typename"), ...node.selections] } : undefined;
    },
  });
}

/**
 * A list of lists. The walk needs the cursor of every outer element and of every record, so both are read through `edges`;
 * the rest of a long inner list is read by the node ID of its outer element.
 */
function nestPaging(
  document: DocumentNode,
  page: PageSpec,
  context: OperationContext,
): { document: DocumentNode; path: string[]; inner: string; rest: string } | undefined {
  const info = new TypeInfo(context.schema);
  const keys: string[] = [];
  let path: string[] | undefined;
  let outerType = "";
  const result = visit(
    document,
    visitWithTypeInfo(info, {
      Field: {
        enter: (node) => {
          keys.push(node.name.value);
          if (node.name.value === page.outer) path = [...keys];
          if (node.name.value === page.inner) outerType = info.getParentType()?.name ?? "";
        },
        leave: (node) => {
          keys.pop();
          if (node.name.value === page.inner) return innerField(node);
          if (node.name.value === page.outer) return throughEdges(node);
          return undefined;
        },
      },
    }),
  );
  if (path === undefined || outerType === "" || page.inner === undefined) {
    context.diagnostics.error(context.at("page"), "SPEC003", `\`outer\` and \`inner\` must name connections of the selection`);
    return undefined;
  }
  const rest = stripIgnoredCharacters(
    `query ${context.operationName}Rest($parent:ID!,$size:Int!,$inside:String){node(id:$parent){...on ${outerType}{${page.inner}(first:$size,after:$inside){edges{cursor node{...record}}pageInfo{hasNextPage}}}}}`,
  );
  return { document: result, path, inner: page.inner, rest };
}

function innerField(node: FieldNode): FieldNode {
  const edges = selection("edges{cursor node{...record}} pageInfo{hasNextPage}");
  return {
    ...node,
    arguments: [...(node.arguments ?? []), argument("first", "size")],
    selectionSet: { kind: Kind.SELECTION_SET, selections: edges },
  };
}

function throughEdges(node: FieldNode): FieldNode {
  const selections = (node.selectionSet?.selections ?? []).map((one) => {
    if (one.kind !== Kind.FIELD || one.name.value !== "nodes" || one.selectionSet === undefined) return one;
    const inner: FieldNode = {
      ...one,
      name: { kind: Kind.NAME, value: "node" },
      selectionSet: { ...one.selectionSet, selections: [...selection("id"), ...one.selectionSet.selections] },
    };
    return {
      ...one,
      name: { kind: Kind.NAME, value: "edges" } as const,
      selectionSet: { kind: Kind.SELECTION_SET, selections: [...selection("cursor"), inner] } as const,
    };
  });
  return { ...node, selectionSet: { kind: Kind.SELECTION_SET, selections } };
}

/** `{ref}:{path}` → texts and parameter names in turn. */
function computedVariables(spec: ActionSpec, context: OperationContext): Record<string, VariablePlan> {
  const result: Record<string, VariablePlan> = {};
  for (const [name, one] of Object.entries(spec.variables ?? {})) {
    const text = typeof one === "string" ? one : `{${one.from}}`;
    const template = text.split(/\{([^{}]*)\}/);
    for (const param of template.filter((_, index) => index % 2 === 1))
      if (!context.params.some((known) => known.name === param))
        context.diagnostics.error(
          context.at("variables", name),
          "SPEC003",
          `variable "${name}" uses the parameter "${param}", which the action does not have`,
        );
    if (context.params.some((known) => known.name === name))
      context.diagnostics.error(context.at("variables", name), "SPEC010", `variable "${name}" has the name of a parameter`);
    result[name] = { template, ...(typeof one === "string" ? {} : { qualify: one.as.qualify }) };
  }
  return result;
}

const walkVariables: Readonly<Record<string, string>> = { first: "Int!", after: "String", size: "Int!" };

/** Declares each variable with the type that the schema wants where it stands, and checks the parameter against it. */
function declareVariables(
  document: DocumentNode,
  computed: Readonly<Record<string, VariablePlan>>,
  context: OperationContext,
): { document: DocumentNode; plain: string[] } | undefined {
  const { schema, diagnostics, at } = context;
  const info = new TypeInfo(schema);
  const types = new Map<string, GraphQLInputType | undefined>();
  const fallbacks = new Set<string>();
  visit(
    document,
    visitWithTypeInfo(info, {
      Variable: (node) => {
        types.set(node.name.value, info.getInputType() ?? types.get(node.name.value));
        if (info.getDefaultValue() !== undefined) fallbacks.add(node.name.value);
      },
    }),
  );
  const plain: string[] = [];
  const definitions: string[] = [];
  for (const [name, type] of types) {
    if (reservedVariables.includes(name))
      diagnostics.error(
        at("graphql"),
        "SPEC010",
        `"$${name}" cannot be the name of a variable`,
        `reserved: ${reservedVariables.join(", ")}`,
      );
    const walk = name === "first" || name === "after" || name === "size" ? walkVariables[name] : undefined;
    const param = context.params.find((one) => one.name === name);
    if (walk !== undefined) definitions.push(`$${name}:${walk}`);
    else if (param === undefined && !Object.hasOwn(computed, name))
      diagnostics.error(at("graphql"), "SPEC003", `unknown variable "$${name}"`, "it is neither a parameter nor in `variables`");
    else if (type !== undefined) {
      const given = param === undefined || param.required || param.default !== undefined;
      if (!given && isNonNullType(type) && !fallbacks.has(name))
        diagnostics.error(at("params", name), "SPEC006", `the platform requires "$${name}", but the parameter is optional`);
      if (param !== undefined) {
        plain.push(name);
        checkParam(param, type, context);
      }
      definitions.push(`$${name}:${given ? String(type) : String(getNullableType(type))}`);
    }
  }
  for (const name of Object.keys(computed))
    if (!types.has(name)) diagnostics.error(at("variables", name), "SPEC005", `variable "${name}" is never used`);
  const [operation] = parse(definitions.length === 0 ? "query{__typename}" : `query(${definitions.join(",")}){__typename}`, {
    noLocation: true,
  }).definitions;
  const variableDefinitions = (operation as OperationDefinitionNode).variableDefinitions ?? [];
  return {
    plain,
    document: visit(document, { OperationDefinition: (node) => ({ ...node, variableDefinitions }) }),
  };
}

/** A parameter against the type of the argument that it feeds. */
function checkParam(param: ParamModel, wanted: GraphQLInputType, context: OperationContext): void {
  const type = getNullableType(wanted);
  const named = getNamedType(type);
  const isList = String(type).startsWith("[");
  const fits = ((): boolean => {
    if (param.type.list !== isList) return false;
    if (param.type.kind === "enum") return "getValues" in named;
    const scalar = param.type.name;
    if (named.name === "Int") return scalar === "integer";
    if (named.name === "Float") return scalar === "number" || scalar === "integer";
    if (named.name === "Boolean") return scalar === "boolean";
    return !isObjectType(named) && !("getValues" in named) && ["string", "id", "timestamp", "date"].includes(scalar);
  })();
  if (!fits)
    context.diagnostics.error(
      context.at("params", param.name),
      "SPEC006",
      `parameter "${param.name}" feeds an argument of type ${String(wanted)}`,
    );
}
