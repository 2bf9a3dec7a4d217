import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  getNamedType,
  getNullableType,
  isAbstractType,
  isListType,
  isObjectType,
  Kind,
  parse,
  print,
  stripIgnoredCharacters,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import { suggestion } from "../../runtime/base/suggestion.ts";
import { type ActionTraits, type GraphqlWrite, pageInfo } from "../../runtime/contract/index.ts";
import type { ActionSpec, PageSpec } from "../load/spec.ts";
import { selectionProblems } from "./documents.ts";
import { nestPaging } from "./graphql-nesting.ts";
import { argument, selection } from "./graphql-syntax.ts";
import { computedVariables, declareVariables } from "./graphql-variables.ts";
import { type OperationContext, operationStart } from "./operation-context.ts";
import { isBare, pageOf, pageVariables, paging, pagingOf } from "./page.ts";
import type { OperationModel } from "./types.ts";

/** Adds variables, paging and the check of types to the selection that the author wrote. Undefined when the selection is wrong. */
export function buildGraphqlOperation(
  spec: ActionSpec,
  { list: isList, writes }: ActionTraits,
  context: OperationContext,
): OperationModel | undefined {
  const page = pageOf(spec, isList);
  const document = parseSelection(spec.graphql ?? "", context);
  const computed = computedVariables(spec, context);
  if (document === undefined) return undefined;
  const place = findRecord(document, context);
  if (place === undefined) return undefined;
  const last = place.path.at(-1) ?? "";
  if (isBare(spec, isList) && (last === "nodes" || last === "edges"))
    context.diagnostics.error(
      context.at("graphql"),
      "SPEC020",
      "the list is a connection, so it has pages, but the action has no parameter `after` to read them",
      "`page: single` where the platform gives the whole list at once",
      { lacks: [{ kind: "parameter", name: paging.cursorParam }] },
    );
  const connection = isList && page.by !== "single" ? place.path.slice(0, -1) : place.path;
  const paged = isList && page.by !== "single" ? addPaging(document, connection, page, context) : document;
  const narrow = narrowed(place, context);
  const payload = writes ? addPayload(paged, place, context) : undefined;
  const full = narrow === undefined ? (payload?.document ?? paged) : addTypename(payload?.document ?? paged);
  const nested = page.by === "nested" ? nestPaging(full, page, context) : undefined;
  const declared = declareVariables(nested?.document ?? full, computed, page, context);
  if (declared === undefined) return undefined;
  const common = {
    document: stripIgnoredCharacters(print(declared.document)),
    variables: declared.plain,
    ...(Object.keys(declared.computed).length === 0 ? {} : { computed: declared.computed }),
    ...(narrow === undefined ? {} : { narrow }),
  };
  if (payload !== undefined) return { kind: "graphql-write", ...common, path: place.path, ...payload.plan };
  if (!isList) return { kind: "graphql-get", ...common, path: place.path };
  if (page.by === "single") {
    const { emptyWhen } = page;
    if (emptyWhen !== undefined) checkSelected(emptyWhen, document, context);
    return { kind: "graphql-list", ...common, path: place.path, ...(emptyWhen === undefined ? {} : { emptyWhen }) };
  }
  const items = place.path.at(-1) === "edges" ? "edges" : "nodes";
  return {
    kind: "graphql-list",
    ...common,
    path: nested?.path ?? connection,
    items,
    page: pagingOf(page),
    ...(page.total === undefined ? {} : { total: page.total }),
    ...(page.total === undefined && nested === undefined && isCounted(full, context) ? { counts: true as const } : {}),
    ...(page.cursor === undefined ? {} : { cursorAlways: true as const }),
    ...(page.empty === undefined ? {} : { empty: page.empty }),
    ...(nested === undefined ? {} : { nested: { inner: nested.inner, rest: nested.rest } }),
  };
}

/** Whether every connection of which a page is read has the number of all its records in `totalCount`. */
function isCounted(document: DocumentNode, { schema }: OperationContext): boolean {
  const info = new TypeInfo(schema);
  const counted: boolean[] = [];
  const enter = ({ name }: FieldNode) => {
    const type = info.getParentType();
    if (name.value !== "pageInfo" || !isObjectType(type)) return;
    const total = type.getFields()["totalCount"]?.type;
    counted.push(total !== undefined && getNullableType(total).toString() === "Int");
  };
  visit(document, visitWithTypeInfo(info, { Field: { enter } }));
  return counted.length > 0 && counted.every((one) => one);
}

/** Reports a path that does not lead to a boolean in the selection. */
function checkSelected(path: string, document: DocumentNode, { schema, at, diagnostics }: OperationContext): void {
  const info = new TypeInfo(schema);
  const keys: string[] = [];
  const booleans: string[] = [];
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: {
        enter: (node) => {
          keys.push(node.alias?.value ?? node.name.value);
          if (getNullableType(info.getType())?.toString() === "Boolean") booleans.push(keys.join("."));
        },
        leave: () => void keys.pop(),
      },
    }),
  );
  if (!booleans.includes(path))
    diagnostics.error(
      at("page", "emptyWhen"),
      "SPEC012",
      `the selection has no boolean at "${path}"`,
      suggestion(path, booleans),
    );
}

/** Parses the author's selection as an operation. What is wrong with it is reported at the word where it is wrong. */
function parseSelection(
  text: string,
  { checks, operationName, writes, wordAt, diagnostics }: OperationContext,
): DocumentNode | undefined {
  try {
    const operation = `${operationStart(operationName, writes)}${text}}`;
    const document = parse(operation, { noLocation: false, maxTokens: 2000 });
    const problems = selectionProblems(operation, document, checks);
    for (const { message, positions } of problems)
      diagnostics.error(wordAt(positions?.[0]), /deprecated/.test(message) ? "SPEC008" : "SPEC012", message);
    visit(document, {
      Variable: ({ name, loc }) => {
        if (Object.hasOwn(pageVariables, name.value))
          diagnostics.error(wordAt(loc?.start), "SPEC010", `"$${name.value}" cannot be used here, because paging sets it`);
      },
    });
    return problems.length === 0 ? document : undefined;
  } catch (thrown) {
    const [position] = thrown instanceof GraphQLError ? (thrown.positions ?? []) : [];
    diagnostics.error(wordAt(position), "SPEC011", thrown instanceof GraphQLError ? thrown.message : String(thrown));
    return undefined;
  }
}

interface RecordPlace {
  /** Response keys from the root to the field that spreads the record. */
  readonly path: readonly string[];
  readonly type: ReturnType<typeof getNamedType>;
}

/** Finds where `...record` stands. It may stand in several fragments, but always at the end of the same path. */
function findRecord(document: DocumentNode, context: OperationContext): RecordPlace | undefined {
  const { schema, at, wordAt, diagnostics } = context;
  const info = new TypeInfo(schema);
  const keys: string[] = [];
  const found: RecordPlace[] = [];
  let unknown = false;
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: { enter: (node) => void keys.push(node.alias?.value ?? node.name.value), leave: () => void keys.pop() },
      FragmentSpread: (node) => {
        const type = info.getParentType();
        if (node.name.value !== "record") {
          unknown = true;
          diagnostics.error(wordAt(node.loc?.start), "SPEC003", `unknown fragment "${node.name.value}"`, 'allowed: "...record"');
        } else if (type) found.push({ path: [...keys], type });
      },
    }),
  );
  const [first] = found;
  if (unknown) return undefined;
  if (first === undefined) {
    diagnostics.error(
      at("graphql"),
      "SPEC012",
      "the selection does not select the record",
      "write `...record` where the fields go",
    );
    return undefined;
  }
  if (found.some((place) => place.path.join() !== first.path.join())) {
    diagnostics.error(
      at("graphql"),
      "SPEC012",
      "`...record` is at the end of different paths",
      "in every fragment, the same keys must lead to it",
    );
    return undefined;
  }
  return first;
}

/** Adds `first` and `after` to the connection, and selects `pageInfo` and the total. */
function addPaging(document: DocumentNode, path: readonly string[], page: PageSpec, context: OperationContext): DocumentNode {
  const info = `${pageInfo}${page.total === undefined ? "" : ` ${page.total}`}`;
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
  if (!done)
    context.diagnostics.error(
      context.at("page"),
      "SPEC003",
      `\`...record\` is not inside a connection${target === undefined ? "" : ` "${target}"`}`,
      undefined,
      { partOf: context.at("page") },
    );
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

/** The types that the records may have, where the schema allows others in their place; undefined where it does not. */
function narrowed({ type }: RecordPlace, { schema, record }: OperationContext): readonly string[] | undefined {
  if (!isAbstractType(type)) return undefined;
  const own = schema.getType(record.on ?? record.name);
  const wanted = isAbstractType(own) ? schema.getPossibleTypes(own).map((one) => one.name) : [record.on ?? record.name];
  return schema.getPossibleTypes(type).every((one) => wanted.includes(one.name)) ? undefined : wanted;
}

/** Names that payloads of mutations have for the list of the caller's mistakes. */
const mistakeLists = ["userErrors", "errors"];

/**
 * Selects what the payload of a mutation says about its success: `success`, and a list of mistakes with messages, which GraphQL does not
 * report as errors.
 */
function addPayload(
  document: DocumentNode,
  { path }: RecordPlace,
  { schema, at, diagnostics }: OperationContext,
): { readonly document: DocumentNode; readonly plan: Pick<GraphqlWrite, "success" | "mistakes"> } | undefined {
  const [root = ""] = path;
  const roots = document.definitions.flatMap((one) =>
    one.kind === Kind.OPERATION_DEFINITION ? one.selectionSet.selections : [],
  );
  const found = roots.find((one): one is FieldNode => one.kind === Kind.FIELD && (one.alias?.value ?? one.name.value) === root);
  if (roots.length !== 1 || found === undefined) {
    diagnostics.error(
      at("graphql"),
      "SPEC012",
      "a write selects exactly one mutation",
      "several would be done one after the other, and only some might succeed",
    );
    return undefined;
  }
  const type = getNamedType(schema.getMutationType()?.getFields()[found.name.value]?.type);
  const fields = isObjectType(type) ? type.getFields() : {};
  const isSuccess = getNamedType(fields["success"]?.type)?.name === "Boolean";
  const list = mistakeLists.find((name) => {
    const inner = getNamedType(fields[name]?.type);
    return isListType(getNullableType(fields[name]?.type)) && isObjectType(inner) && Object.hasOwn(inner.getFields(), "message");
  });
  const inner = getNamedType(list === undefined ? undefined : fields[list]?.type);
  const members = isObjectType(inner) ? inner.getFields() : {};
  const field = ["field", "path"].find((name) => Object.hasOwn(members, name));
  const code = Object.hasOwn(members, "code") ? "code" : undefined;
  const asked = ["message", field, code].filter((name) => name !== undefined).join(" ");
  const added = [...(isSuccess ? selection("success") : []), ...(list === undefined ? [] : selection(`${list}{${asked}}`))];
  return {
    document: visit(document, {
      Field: (node, _key, _parent, _path, ancestors) =>
        // The root field stands right below the operation: document, definitions, operation, selection set, selections.
        ancestors.length <= 5 && (node.alias?.value ?? node.name.value) === root && node.selectionSet !== undefined
          ? { ...node, selectionSet: { ...node.selectionSet, selections: [...node.selectionSet.selections, ...added] } }
          : undefined,
    }),
    plan: {
      ...(isSuccess ? { success: [root, "success"] } : {}),
      ...(list === undefined
        ? {}
        : {
            mistakes: { path: [root, list], ...(field === undefined ? {} : { field }), ...(code === undefined ? {} : { code }) },
          }),
    },
  };
}

/** Selects the name of the type where it may be one of several, so that records of other entities can be left out. */
function addTypename(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet: (node) => {
      const holdsRecord = node.selections.some((one) => one.kind === Kind.FRAGMENT_SPREAD && one.name.value === "record");
      return holdsRecord ? { ...node, selections: [...selection("__typename"), ...node.selections] } : undefined;
    },
  });
}
