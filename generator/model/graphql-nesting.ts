import { type DocumentNode, type FieldNode, Kind, stripIgnoredCharacters, TypeInfo, visit, visitWithTypeInfo } from "graphql";
import type { PageSpec } from "../load/spec.ts";
import { argument, selection } from "./graphql-syntax.ts";
import type { OperationContext } from "./operation-context.ts";

/**
 * Adds paging to a list of lists. Reading on needs the cursor of every outer element and of every record, so both are read through
 * `edges`. The rest of a long inner list is read by the node ID of its outer element.
 */
export function nestPaging(
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
    context.diagnostics.error(
      context.at("page"),
      "SPEC003",
      "`outer` and `inner` must name connections of the selection",
      undefined,
      { partOf: context.at("page") },
    );
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
