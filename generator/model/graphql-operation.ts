import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type getNamedType,
  isAbstractType,
  Kind,
  parse,
  print,
  stripIgnoredCharacters,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from "graphql";
import type { ActionSpec, PageSpec } from "../load/spec.ts";
import { selectionProblems } from "./documents.ts";
import { nestPaging } from "./graphql-nesting.ts";
import { argument, selection } from "./graphql-syntax.ts";
import { computedVariables, declareVariables } from "./graphql-variables.ts";
import { type OperationContext, operationStart } from "./operation-context.ts";
import { pageOf, pageVariables, pagingOf } from "./page.ts";
import type { OperationModel } from "./types.ts";

/** Adds variables, paging and the check of types to the selection that the author wrote. Undefined when the selection is wrong. */
export function buildGraphqlOperation(spec: ActionSpec, isList: boolean, context: OperationContext): OperationModel | undefined {
  const page = pageOf(spec, isList);
  const document = parseSelection(spec.graphql ?? "", context);
  const computed = computedVariables(spec, context);
  if (document === undefined) return undefined;
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
    page: pagingOf(page),
    ...(page.total === undefined ? {} : { total: page.total }),
    ...(page.cursor === undefined ? {} : { cursorAlways: true as const }),
    ...(page.empty === undefined ? {} : { empty: page.empty }),
    ...(nested === undefined ? {} : { nested: { inner: nested.inner, rest: nested.rest } }),
  };
}

/** Parses the author's selection as an operation. What is wrong with it is reported at the word where it is wrong. */
function parseSelection(
  text: string,
  { schema, operationName, wordAt, diagnostics }: OperationContext,
): DocumentNode | undefined {
  try {
    const document = parse(`${operationStart(operationName)}${text}}`, { noLocation: false, maxTokens: 2000 });
    const problems = selectionProblems(schema, document);
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
      "`...record` stands at the end of different paths",
      "in every fragment, the same keys must lead to it",
    );
    return undefined;
  }
  return first;
}

/** Adds `first` and `after` to the connection, and selects `pageInfo` and the total. */
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
  if (!done) context.diagnostics.error(context.at("page"), "SPEC003", `\`...record\` is not inside a connection "${target}"`);
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

/** Selects the name of the type where it may be one of several, so that records of other entities can be left out. */
function addTypename(document: DocumentNode, place: RecordPlace): DocumentNode {
  if (!isAbstractType(place.type)) return document;
  return visit(document, {
    SelectionSet: (node) => {
      const holdsRecord = node.selections.some((one) => one.kind === Kind.FRAGMENT_SPREAD && one.name.value === "record");
      return holdsRecord ? { ...node, selections: [...selection("__typename"), ...node.selections] } : undefined;
    },
  });
}
