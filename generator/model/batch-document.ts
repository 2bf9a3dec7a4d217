import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  stripIgnoredCharacters,
  visit,
} from "graphql";
import type { BatchDocument } from "../../runtime/contract/index.ts";

/**
 * Makes the document that reads for several parents out of the one that reads for one.
 *
 * @param own variables that each parent has for itself
 * @returns undefined where no field of the path takes such a variable, or a field above or beside it does
 */
export function batchDocument(text: string, path: readonly string[], own: readonly string[]): BatchDocument | undefined {
  const document = parse(text, { noLocation: true });
  const [operation] = document.definitions;
  if (operation?.kind !== Kind.OPERATION_DEFINITION) return undefined;
  const found = aliasedField(operation, path, own);
  if (found === undefined) return undefined;
  const mark = freshName("N", text);
  const hole = freshName("P", text);
  const used: string[] = [];
  const parent = visit(found.field, {
    Variable: (node) => {
      if (!own.includes(node.name.value)) return undefined;
      if (!used.includes(node.name.value)) used.push(node.name.value);
      return { ...node, name: { ...node.name, value: numbered(node.name.value, mark) } };
    },
  });
  const definitions = operation.variableDefinitions ?? [];
  const ofParents = definitions.filter(({ variable }) => used.includes(variable.name.value));
  const shared = definitions.filter((one) => !ofParents.includes(one));
  const frame = visit(document, {
    OperationDefinition: (node) => ({
      ...node,
      ...(node.name === undefined ? {} : { name: { ...node.name, value: `${node.name.value}Batch` } }),
      variableDefinitions: [],
    }),
    Field: (node) => (node === found.field ? { kind: Kind.FIELD, name: { kind: Kind.NAME, value: hole } } : undefined),
  });
  // A value of a parent that stands outside its selection could not be told apart from that of another parent.
  if (variablesIn(frame).some((name) => own.includes(name))) return undefined;
  const [before = "", close = ""] = stripIgnoredCharacters(print(frame)).split(hole);
  const brace = before.indexOf("{");
  const declared = (nodes: typeof definitions) => nodes.map((node) => stripIgnoredCharacters(print(node))).join("");
  return {
    frame: [`${before.slice(0, brace)}(${declared(shared)}`, `)${before.slice(brace)}`, close],
    variables: ofParents
      .map((node) =>
        stripIgnoredCharacters(print(node)).replace(node.variable.name.value, numbered(node.variable.name.value, mark)),
      )
      .join("")
      .split(mark),
    parent: stripIgnoredCharacters(print({ ...parent, alias: { kind: Kind.NAME, value: `p${mark}` } })).split(mark),
    own: used,
    alias: found.depth,
  };
}

/** The first field on the way to the records that takes a value of the parent. */
function aliasedField(
  { selectionSet }: OperationDefinitionNode,
  path: readonly string[],
  own: readonly string[],
): { readonly field: FieldNode; readonly depth: number } | undefined {
  let here = selectionSet.selections;
  for (const [depth, key] of path.entries()) {
    const field = here.find((one): one is FieldNode => one.kind === Kind.FIELD && (one.alias ?? one.name).value === key);
    if (field === undefined) return undefined;
    if (field.arguments?.some(({ value }) => value.kind === Kind.VARIABLE && own.includes(value.name.value)))
      return { field, depth };
    here = field.selectionSet?.selections ?? [];
  }
  return undefined;
}

function numbered(name: string, mark: string): string {
  return `${name}_${mark}`;
}

/** A name that does not occur in a text. */
export function freshName(letter: string, text: string): string {
  let name = `__${letter}`;
  while (text.includes(name)) name += letter;
  return name;
}

function variablesIn(document: DocumentNode): string[] {
  const names: string[] = [];
  visit(document, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}
