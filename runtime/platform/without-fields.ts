import {
  type DocumentNode,
  type FieldNode,
  type InlineFragmentNode,
  Kind,
  OperationTypeNode,
  parse,
  print,
  type SelectionNode,
  type SelectionSetNode,
  visit,
} from "graphql";

/** A document without the fields that the platform no longer has. */
export interface KnownDocument {
  readonly document: string;
  /** Paths of response keys, such as `author.login`. */
  readonly removed: readonly string[];
}

/** A place in a document, both counted from 1. */
export interface DocumentPlace {
  readonly line: number;
  readonly column: number;
}

/** Without these, the end of a list would not be found. */
const paging = new Set(["pageInfo", "hasNextPage", "endCursor", "nodes", "edges", "node"]);

/** What is around a selection. */
interface Around {
  readonly keys: readonly string[];
  /** `way`: on the way to the record; `write`: in the payload of a mutation, which says what was done; `record`: in the record. */
  readonly part: "root" | "way" | "write" | "record";
}

/**
 * Leaves the fields at some places out of a document, and what holds nothing else.
 *
 * @returns undefined where a place is in no field, or in one without which the action has no answer
 */
export function withoutFields(text: string, places: readonly DocumentPlace[]): KnownDocument | undefined {
  const document = parse(text);
  const lines = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offsets = new Set(places.map(({ line, column }) => (lines[line - 1] ?? text.length) + column - 1));
  const removed: string[] = [];
  let needed = false;

  const remove = (node: FieldNode | InlineFragmentNode, around: Around): [] => {
    const paged = node.kind === Kind.FIELD && around.part === "way" && paging.has(node.name.value);
    if (around.part === "root" || around.part === "write" || paged || hasSpread(node)) needed = true;
    return [];
  };
  const selection = (node: SelectionNode, around: Around): SelectionNode[] => {
    if (node.kind === Kind.FRAGMENT_SPREAD) return [node];
    const key = node.kind === Kind.FIELD ? [(node.alias ?? node.name).value] : [];
    const keys = [...around.keys, ...key];
    if (innermost(node, offsets)) {
      removed.push(keys.filter((one) => !paging.has(one)).join("."));
      return remove(node, around);
    }
    if (node.selectionSet === undefined) return [node];
    const part = around.part === "root" ? (isWrite(document) ? "write" : "way") : around.part;
    const inner = selections(node.selectionSet, { keys: part === "record" || around.part !== "root" ? keys : [], part });
    return inner.length === 0 ? remove(node, around) : [{ ...node, selectionSet: { ...node.selectionSet, selections: inner } }];
  };
  const selections = (set: SelectionSetNode, around: Around) => set.selections.flatMap((node) => selection(node, around));

  const definitions = document.definitions.map((one) => {
    if (one.kind !== Kind.OPERATION_DEFINITION && one.kind !== Kind.FRAGMENT_DEFINITION) return one;
    const part = one.kind === Kind.FRAGMENT_DEFINITION ? "record" : "root";
    const left = selections(one.selectionSet, { keys: [], part });
    return { ...one, selectionSet: left.length === 0 ? typeName : { ...one.selectionSet, selections: left } };
  });
  if (needed || removed.length === 0) return undefined;
  return { document: print(withUsedVariables({ ...document, definitions })), removed };
}

const typeName: SelectionSetNode = {
  kind: Kind.SELECTION_SET,
  selections: [{ kind: Kind.FIELD, name: { kind: Kind.NAME, value: "__typename" } }],
};

function isWrite({ definitions }: DocumentNode): boolean {
  return definitions.some((one) => one.kind === Kind.OPERATION_DEFINITION && one.operation === OperationTypeNode.MUTATION);
}

/** Whether a place is in a node and in none of the fields inside it. */
function innermost(node: FieldNode | InlineFragmentNode, offsets: ReadonlySet<number>): boolean {
  const [start, end] = [node.loc?.start ?? 0, node.loc?.end ?? 0];
  const inner = node.selectionSet?.selections ?? [];
  return [...offsets].some(
    (offset) =>
      start <= offset &&
      offset < end &&
      !inner.some((one) => one.loc !== undefined && one.loc.start <= offset && offset < one.loc.end),
  );
}

function hasSpread(node: FieldNode | InlineFragmentNode): boolean {
  return (node.selectionSet?.selections ?? []).some((one) => one.kind === Kind.FRAGMENT_SPREAD || hasSpread(one));
}

/** A document may declare only variables that it uses. */
function withUsedVariables(document: DocumentNode): DocumentNode {
  const used = new Set<string>();
  visit(document, { VariableDefinition: () => false, Variable: ({ name }) => void used.add(name.value) });
  return visit(document, { VariableDefinition: ({ variable }) => (used.has(variable.name.value) ? undefined : null) });
}
