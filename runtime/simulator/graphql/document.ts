import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from "graphql";

/** One field of an operation, with its place in the document. */
export interface SelectedField {
  readonly node: FieldNode;
  readonly parent: string;
  readonly type: GraphQLOutputType;
  readonly args: Readonly<Record<string, unknown>>;
  readonly path: readonly string[];
  /** How often the field can be read at most: the product of the page sizes above it. */
  readonly times: number;
  readonly isConnection: boolean;
  /** Names of the fields right below it, through fragments. */
  readonly children: readonly string[];
}

type Variables = Readonly<Record<string, unknown>>;

/** What an operation says of a field, whatever its variables are. */
interface Selection extends Omit<SelectedField, "args" | "times"> {
  /** Index of the field right above it; undefined at the top. */
  readonly above: number | undefined;
}

/** Every field that an operation selects, fragments included, outermost first. The document must be valid. */
export function selectedFields(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
): SelectedField[] {
  const values = { ...variables };
  const found: SelectedField[] = [];
  for (const { above, ...selection } of selectionsOf(schema, document, operation)) {
    const parent = above === undefined ? undefined : found[above];
    const times = parent === undefined ? 1 : parent.isConnection ? parent.times * pageSize(parent) : parent.times;
    const args: Record<string, unknown> = {};
    for (const { name, value } of selection.node.arguments ?? []) args[name.value] = valueFromASTUntyped(value, values);
    found.push({ ...selection, args, times });
  }
  return found;
}

/** What was found in operations. A document is kept for the next request with its text, which may have other variables. */
const known = new WeakMap<OperationDefinitionNode, readonly Selection[]>();

function selectionsOf(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode): readonly Selection[] {
  const before = known.get(operation);
  if (before !== undefined) return before;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const found: Selection[] = [];
  const visit = (set: SelectionSetNode, parent: string, path: readonly string[], above?: number): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        if (fragment !== undefined) visit(fragment.selectionSet, fragment.typeCondition.name.value, path, above);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        visit(selection.selectionSet, selection.typeCondition?.name.value ?? parent, path, above);
      } else {
        const field = describe(schema, fragments, selection, parent, path);
        if (field === undefined) continue;
        const index = found.push({ ...field, above }) - 1;
        if (selection.selectionSet !== undefined) visit(selection.selectionSet, getNamedType(field.type).name, field.path, index);
      }
    }
  };
  const root = schema.getRootType(operation.operation);
  if (root !== undefined && root !== null) visit(operation.selectionSet, root.name, []);
  known.set(operation, found);
  return found;
}

export function pageSize(field: SelectedField): number {
  const { first, last } = field.args;
  return typeof first === "number" ? first : typeof last === "number" ? last : 0;
}

function describe(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  node: FieldNode,
  parent: string,
  path: readonly string[],
): Omit<Selection, "above"> | undefined {
  const type = schema.getType(parent);
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const definition = type.getFields()[node.name.value];
  if (definition === undefined) return undefined;
  const named = definition.args.map((argument) => argument.name);
  const isConnection = named.includes("first") && named.includes("last") && named.includes("after");
  const children = node.selectionSet === undefined ? [] : names(node.selectionSet, fragments);
  const response = node.alias?.value ?? node.name.value;
  return { node, parent: type.name, type: definition.type, path: [...path, response], isConnection, children };
}

function names(set: SelectionSetNode, fragments: ReadonlyMap<string, FragmentDefinitionNode>): string[] {
  return set.selections.flatMap((selection) => {
    if (selection.kind === Kind.FIELD) return [selection.name.value];
    if (selection.kind === Kind.INLINE_FRAGMENT) return names(selection.selectionSet, fragments);
    const fragment = fragments.get(selection.name.value);
    return fragment === undefined ? [] : names(fragment.selectionSet, fragments);
  });
}
